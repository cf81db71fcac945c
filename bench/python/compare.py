"""Times skipper.fft against the libraries that users would take instead, case by case, in one process.

compare.py                       on the CPU: scipy.fft with as many workers, and pyFFTW (FFTW_MEASURE, plans cached)
compare.py --gpu cupy|torch      on a GPU: cupy.fft or torch.fft, on cases of a list (--list bench/cases.txt), warm
    --workers N  --seconds S (a case and library)  --cases N (evenly out of the list)  --json FILE

Prints a line a case, then the geometric mean of the ratios of times (below 1: Skipper is faster) and the worst.
"""

import argparse
import json
import math
import pathlib
import time

import numpy as np

import skipper


def cpu_cases():
    """Function, shape, type, axes: 60 of them."""
    lines = [("fft", (n,)) for n in (64, 1000, 4096, 65536, 1 << 20)] + [("fft", (b, n)) for b, n in (
        (4096, 64), (1000, 100), (512, 1000), (256, 4096), (16, 65536), (128, 1009))]
    planes = [("fft2", (n, n)) for n in (64, 256, 1000, 1024)] + [("fft2", (32, 128, 128))]
    grids = [("fftn", (n, n, n)) for n in (32, 64, 100, 128)]
    reals = [("rfft", (b, n)) for b, n in ((4096, 64), (512, 1000), (16, 65536))] + [("rfft2", (1024, 1024)), (
        "rfftn", (128, 128, 128)), ("irfft", (512, 501)), ("irfft2", (1024, 513)), ("fft2", (1000, 1000))]
    cosines = [("dct", (1024, 1024)), ("dctn", (512, 512))]
    cases = []
    for name, shape in lines + planes + grids:
        cases += [(name, shape, "complex128"), (name, shape, "complex64")]
    for name, shape in reals:
        kind = "complex" if name.startswith("i") else "float"
        cases += [(name, shape, kind + ("128" if kind == "complex" else "64")), (name, shape, kind + ("64" if kind == "complex" else "32"))]
    for name, shape in cosines:
        cases += [(name, shape, "float64"), (name, shape, "float32")]
    return cases


def made(shape, dtype):
    rng = np.random.default_rng(1)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


def best_times(calls, seconds):
    """The least time of each call; they take turns, so that a busy moment hits all of them."""
    best = [math.inf] * len(calls)
    for call in calls:
        call()
    end = time.perf_counter() + seconds * len(calls)
    rounds = 0
    while rounds < 5 or time.perf_counter() < end:
        for i, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            best[i] = min(best[i], time.perf_counter() - begin)
        rounds += 1
    return best


def measure_cpu(args):
    import scipy.fft

    try:
        import pyfftw
        pyfftw.interfaces.cache.enable()
        pyfftw.interfaces.cache.set_keepalive_time(60)
        pyfftw.config.PLANNER_EFFORT = "FFTW_MEASURE"
    except ImportError:
        pyfftw = None
    results = []
    for name, shape, dtype in cpu_cases()[:: max(1, 60 // args.cases) if args.cases else 1]:
        x = made(shape, dtype)
        calls = {"skipper": lambda: getattr(skipper.fft, name)(x, workers=args.workers),
                 "scipy": lambda: getattr(scipy.fft, name)(x, workers=args.workers)}
        if pyfftw and name != "dctn":
            calls["pyfftw"] = lambda: getattr(pyfftw.interfaces.scipy_fft, name)(x, workers=args.workers)
        error = np.abs(calls["skipper"]() - calls["scipy"]()).max() / np.abs(calls["scipy"]()).max()
        assert error < (1e-4 if dtype in ("complex64", "float32") else 1e-12), (name, shape, dtype, error)
        times = dict(zip(calls, best_times(list(calls.values()), args.seconds)))
        results.append({"case": f"{name} {'x'.join(map(str, shape))} {dtype}", "seconds": times})
        report(results[-1])
    return results


def measure_gpu(args):
    library = __import__(args.gpu)
    cases = [line.split() for line in pathlib.Path(args.list).read_text().splitlines() if line and not line.startswith("#")]
    step = max(1, len(cases) // (args.cases or 40))
    results = []
    for kind, precision, batch, *sizes in cases[::step][: args.cases or 40]:
        shape = tuple(map(int, sizes))
        x, calls = gpu_calls(library, kind, precision, int(batch), shape)
        if x is None:
            continue
        ours, theirs = calls["skipper"](), calls[args.gpu]()
        error = float(abs(ours - theirs).max() / abs(theirs).max())
        assert error < (1e-4 if precision == "f32" else 1e-11), (kind, precision, batch, shape, error)
        del ours, theirs
        times = {who: gpu_time(library, call, args.seconds) for who, call in calls.items()}
        results.append({"case": f"{kind} {precision} {batch} {'x'.join(sizes)}", "seconds": times})
        report(results[-1])
    return results


def gpu_calls(library, kind, precision, batch, shape):
    """An array on the GPU, and both calls on it."""
    axes = tuple(range(1, len(shape) + 1))
    stored = shape[:-1] + (shape[-1] // 2 + 1,) if kind == "c2r" else shape
    wide = precision == "f64"
    dtype = ("float64" if wide else "float32") if kind == "r2c" else ("complex128" if wide else "complex64")
    if precision not in ("f32", "f64") or kind not in ("c2c", "r2c", "c2r") or batch * math.prod(stored) > 1 << 29:
        return None, {}
    name = {"c2c": "fftn", "r2c": "rfftn", "c2r": "irfftn"}[kind]
    sizes = {"s": shape} if kind == "c2r" else {}
    if library.__name__ == "torch":
        x = library.randn((batch,) + stored, dtype=getattr(library, dtype), device="cuda")
        theirs = lambda: getattr(library.fft, name)(x, dim=axes, **sizes)  # noqa: E731
    else:
        x = library.random.standard_normal((batch,) + stored, dtype="float32").astype(dtype)
        theirs = lambda: getattr(library.fft, name)(x, axes=axes, **sizes)  # noqa: E731
    ours = lambda: getattr(skipper.fft, name)(x, axes=axes, **sizes)  # noqa: E731
    return x, {"skipper": ours, library.__name__: theirs}


def gpu_time(library, call, seconds):
    """Seconds a call, of calls back to back in the current stream, the best of several rounds."""
    cuda = library.cuda
    make = (lambda: cuda.Event(enable_timing=True)) if library.__name__ == "torch" else cuda.Event
    wait = cuda.synchronize if library.__name__ == "torch" else cuda.Device().synchronize
    for _ in range(5):
        call()
    wait()
    count, best, end = 3, math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end or best == math.inf:
        begin, stop = make(), make()
        begin.record()
        for _ in range(count):
            call()
        stop.record()
        wait()
        elapsed = begin.elapsed_time(stop) if library.__name__ == "torch" else cuda.get_elapsed_time(begin, stop)
        best = min(best, elapsed / count / 1000)
        count = max(3, min(1000, int(0.05 * seconds / best)))
    return best


def report(result):
    own = result["seconds"]["skipper"]
    print(f"{result['case']:40}", " ".join(f"{who} {s * 1e6:10.1f} us" for who, s in result["seconds"].items()),
          " ".join(f"{own / s:5.2f} x {who}" for who, s in result["seconds"].items() if who != "skipper"), flush=True)


def summarise(results):
    for peer in sorted({who for r in results for who in r["seconds"]} - {"skipper"}):
        ratios = {r["case"]: r["seconds"]["skipper"] / r["seconds"][peer] for r in results if peer in r["seconds"]}
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        worst = max(ratios, key=ratios.get)
        print(f"{len(ratios)} cases against {peer}: geometric mean {mean:.3f} of its time, worst {ratios[worst]:.2f} ({worst}), "
              f"above 1.1: {sum(v > 1.1 for v in ratios.values())}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", choices=["cupy", "torch"])
    parser.add_argument("--list", default=str(pathlib.Path(__file__).parent.parent / "cases.txt"))
    parser.add_argument("--cases", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--json")
    args = parser.parse_args()
    results = measure_gpu(args) if args.gpu else measure_cpu(args)
    summarise(results)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"workers": args.workers, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
