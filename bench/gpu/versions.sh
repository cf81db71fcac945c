#!/usr/bin/env bash
# Several versions of Skipper against each other on one GPU, in one run: builds the program of each source tree, then
# verifies and times a list with each by turns, so that what drifts meets all alike.
#   bench/gpu/versions.sh LIST TREE TREE...     e.g. bench/gpu/versions.sh bench/gpu/fused.txt carried/old .
# Rounds [ROUNDS 2], seconds a round and tree [BENCH_S 40]. What came out lies under $OUT (else build/versions), and a table of
# the best times over the first tree's is printed last.
set -u
list=$1
shift
out=${OUT:-build/versions}
mkdir -p "$out"
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
number=0
for tree in "$@"; do
  (cd "$tree" && cmake --preset release && cmake --build build/release -j "$(nproc)") >"$out/build-$number.log" 2>&1 ||
    { echo "$tree: no build" && tail -20 "$out/build-$number.log" && exit 1; }
  echo "built $tree after $SECONDS s"
  number=$((number + 1))
done
run() {
  local number=$1 tree=$2
  shift 2
  SKIPPER_CACHE=$PWD/build/versions-cache-$number "$tree/build/bin/skipper" bench --device "${DEVICE:-cuda:0}" "$@"
}
number=0
for tree in "$@"; do
  rm -f "$out"/part.??
  grep -vE '^[[:space:]]*(#|$)' "$list" | split -n "r/$(nproc)" - "$out/part."
  for part in "$out"/part.??; do
    [ -s "$part" ] && run $number "$tree" --prepare --threads 1 --list "$part" >/dev/null 2>&1 &
  done
  wait
  rm -f "$out"/part.??
  number=$((number + 1))
done
echo "kernels compiled after $SECONDS s"
for ((round = 0; round < ${ROUNDS:-2}; round++)); do
  number=0
  for tree in "$@"; do
    run $number "$tree" --no-peers --list "$list" --repeats 9 --seconds 0.15 --within "${BENCH_S:-40}" \
      --save "$out/tree$number-round$round.json" >"$out/tree$number-round$round.txt" 2>&1 ||
      { echo "tree $number, round $round:" && tail -5 "$out/tree$number-round$round.txt"; }
    number=$((number + 1))
  done
done
python3 - "$out" "$@" <<'PYTHON'
import glob, json, sys
out, trees = sys.argv[1], sys.argv[2:]
best, error = {}, {}
for i in range(len(trees)):
    for path in sorted(glob.glob(f"{out}/tree{i}-round*.json")):
        for c in json.load(open(path))["cases"]:
            at = best.setdefault(c["problem"], {})
            at[i] = min(at.get(i, 1e9), c["seconds"])
            error[c["problem"], i] = c["error_l2"]
            at["copy"] = min(at.get("copy", 1e9), c["copy_seconds"])
print("problem | x copy of each tree | over the first | error of the last")
for problem, at in best.items():
    copies = " ".join(f"{at[i] / at['copy']:.3f}" if i in at else "-" for i in range(len(trees)))
    ratios = " ".join(f"{at[i] / at[0]:.3f}" if i in at and 0 in at else "-" for i in range(1, len(trees)))
    print(f"{problem} | {copies} | {ratios} | {error.get((problem, len(trees) - 1), float('nan')):.1e}")
PYTHON
