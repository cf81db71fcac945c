#!/usr/bin/env python3
"""table.py LINES...: a table of the lines of JSON that distributed.cpp and its peers print, the fastest of each case and library, with
our time over the peer's and the geometric means."""
import json
import math
import sys

best = {}
for path in sys.argv[1:]:
    for line in open(path):
        if not line.startswith("{"):
            continue
        e = json.loads(line)
        key = (e["case"], e["ranks"], e["library"])
        if key not in best or e["seconds"] < best[key]["seconds"]:
            best[key] = e
keys = sorted({(ranks, case) for case, ranks, _ in best})
peers = [p for p in ("fftw-mpi", "heffte", "mpi4py-fft") if any(k[2] == p for k in best)]
print("%5s  %-26s %11s" % ("ranks", "case", "skipper ms") + "".join("%16s %6s" % (p + " ms", "ratio") for p in peers) + "    error")
ratios = {p: [] for p in peers}
for ranks, case in keys:
    ours = best.get((case, ranks, "skipper"))
    if not ours:
        continue
    row = "%5d  %-26s %11.2f" % (ranks, case, ours["seconds"] * 1e3)
    for p in peers:
        other = best.get((case, ranks, p))
        if not other:
            row += "%16s %6s" % ("-", "-")
            continue
        ratios[p].append(ours["seconds"] / other["seconds"])
        row += "%16.2f %6.2f" % (other["seconds"] * 1e3, ratios[p][-1])
    print(row + "%9.1g" % ours["error"])
for p in peers:
    r = ratios[p]
    if r:
        mean = math.exp(sum(map(math.log, r)) / len(r))
        print("over %s: %.3f in the geometric mean of %d, at most %.2f" % (p, mean, len(r), max(r)))
