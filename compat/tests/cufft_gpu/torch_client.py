"""torch.fft on CUDA against the CPU: every function, many shapes, layouts and types, all norms; graphs, streams, threads.

torch_client.py <share> <shares>: the items of one process; a share ends when SECONDS_LIMIT (90) are over, and says what is left.
torch_client.py samples: PyTorch's own samples of every spectral operator, where its test utilities are installed.
"""
import os
import sys
import threading
import time

import torch

began = time.monotonic()
limit = float(os.environ.get("SECONDS_LIMIT", "90"))
TOLERANCE = {torch.float32: 3e-6, torch.float64: 1e-13, torch.float16: 5e-3}
NORMS = ("backward", "ortho", "forward")
counts = {"passed": 0, "failed": 0, "left": 0}


def report(name, wrong):
    counts["failed" if wrong else "passed"] += 1
    if wrong:
        print(f"FAILED {name}: {wrong}", flush=True)


def error(got, wanted):
    got, wanted = got.detach().cpu(), wanted.detach()
    if got.shape != wanted.shape:
        return f"shape {tuple(got.shape)}, not {tuple(wanted.shape)}"
    wide = torch.complex128 if wanted.is_complex() or got.is_complex() else torch.float64
    got, wanted = got.to(wide), wanted.to(wide)
    norm = torch.linalg.vector_norm(wanted).item()
    return torch.linalg.vector_norm(got - wanted).item() / (norm or 1.0)


def check(name, function, x, real, **arguments):
    """One call, in the type of x, against the CPU in double precision."""
    wide = torch.complex128 if x.is_complex() else torch.float64
    try:
        got = getattr(torch.fft, function)(x, **arguments)
        wanted = getattr(torch.fft, function)(x.cpu().to(wide), **arguments)
        e = error(got, wanted)
        report(name, e if isinstance(e, str) else "" if e < TOLERANCE[real] else f"error {e:.2e}")
    except Exception as problem:  # also CUDA's, after which nothing else works: every item says so
        report(name, repr(problem)[:300])


def layouts(shape, dtype, which):
    random = torch.Generator(device="cuda").manual_seed(len(shape) + shape[-1])

    def noise(size):
        parts = torch.rand((2, *size), generator=random, device="cuda", dtype=torch.float64) - 0.5
        return (torch.complex(parts[0], parts[1]) if dtype.is_complex else parts[0]).to(dtype)

    if which == "dense":
        return noise(shape)
    if which == "transposed":
        return noise((*shape[:-2], shape[-1], shape[-2])).transpose(-1, -2)
    if which == "sliced":
        return noise((*shape[:-1], 2 * shape[-1]))[..., ::2]
    count = 1  # "offset": begins one element behind the allocation
    for n in shape:
        count *= n
    return noise((count + 1,))[1:].view(shape)


COMPLEX = {torch.float16: torch.complex32, torch.float32: torch.complex64, torch.float64: torch.complex128}
SHAPES = [  # shape, layouts, real types
    ((64,), ("dense", "offset"), (torch.float32, torch.float64, torch.float16)),
    ((1000,), ("dense",), (torch.float32,)),
    ((1009,), ("dense",), (torch.float32, torch.float64)),
    ((3, 81), ("dense", "sliced", "transposed"), (torch.float32,)),
    ((4, 4096), ("dense",), (torch.float32,)),
    ((131072,), ("dense",), (torch.float32,)),
    ((24, 36), ("dense", "transposed"), (torch.float32, torch.float64)),
    ((2, 31, 37), ("dense",), (torch.float32,)),
    ((4, 32, 64), ("dense",), (torch.float16,)),
    ((8, 12, 10), ("dense",), (torch.float32, torch.float64)),
    ((2, 16, 16, 16), ("dense",), (torch.float32,)),
    ((1,), ("dense",), (torch.float32,)),
    ((2, 2), ("dense",), (torch.float32,)),
    ((512, 512), ("dense",), (torch.float32,)),
]


def items():
    for shape, which, reals in SHAPES:
        for real in reals:
            for layout in which:
                for dtype in (COMPLEX[real], real):
                    yield shape, layout, real, dtype


def functions(shape, real, dtype):
    """Name, and the arguments that make other plans."""
    half = real == torch.float16
    one = ("fft", "ifft", "hfft", "irfft") if dtype.is_complex else ("fft", "rfft", "ihfft")
    several = ("fftn", "ifftn", "irfftn", "hfftn") if dtype.is_complex else ("fftn", "rfftn", "ihfftn")
    planes = ("fft2", "ifft2", "irfft2", "hfft2") if dtype.is_complex else ("fft2", "rfft2", "ihfft2")
    n = {"n": shape[-1]} if half else {}  # powers of two only: irfft would else take 2 (n - 1)
    for name in one:
        if shape[-1] > 1 or name not in ("irfft", "hfft"):
            yield name, n
    if shape == (1000,):
        yield "fft", {"n": 750}
        yield "fft", {"n": 1024}
        if dtype.is_complex:
            yield "irfft", {"n": 999}
    if len(shape) >= 2:
        if shape == (24, 36):
            yield from ((name, {"dim": 0}) for name in one)
        s = {"s": shape[-2:]} if half else {}
        yield from ((name, s) for name in planes)
    if len(shape) >= 3 and not half:
        yield from ((name, {}) for name in several)


def graphs():
    x = layouts((8, 128), torch.complex64, "dense")
    wanted = torch.fft.ifft(torch.fft.fft(x.cpu().to(torch.complex128)) * 2)
    torch.fft.ifft(torch.fft.fft(x))  # PyTorch's plan cache
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = torch.fft.ifft(torch.fft.fft(x) * 2)
    graph.replay()
    torch.cuda.synchronize()
    return "" if error(y, wanted) < 1e-5 else f"error {error(y, wanted)}"


def streams():
    x = layouts((8, 128), torch.complex64, "dense")
    wanted = torch.fft.fft(x.cpu().to(torch.complex128))
    torch.cuda.synchronize()
    results = []
    for _ in range(4):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            results.append(torch.fft.fft(x))
    torch.cuda.synchronize()
    worst = max(error(y, wanted) for y in results)
    return "" if worst < 1e-5 else f"error {worst}"


def threads():
    wrong = []

    def work(n):
        x = layouts((4, n), torch.complex64, "dense")
        for _ in range(50):
            e = error(torch.fft.fft(x), torch.fft.fft(x.cpu().to(torch.complex128)))
            if not e < 1e-5:
                wrong.append((n, e))

    workers = [threading.Thread(target=work, args=(n,)) for n in (32, 48, 64, 128)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return str(wrong) if wrong else ""


def gradients():
    x = layouts((6, 48), torch.float64, "dense").requires_grad_()
    y = x.detach().cpu().requires_grad_()
    torch.fft.rfft(x).abs().sum().backward()
    torch.fft.rfft(y).abs().sum().backward()
    e = error(x.grad, y.grad)
    return "" if e < 1e-12 else f"error {e}"


def run_share(share, shares):
    for i, (shape, layout, real, dtype) in enumerate(items()):
        if i % shares != share:
            continue
        if time.monotonic() - began > limit:
            counts["left"] += 1
            continue
        x = layouts(shape, dtype, layout)
        for function, arguments in functions(shape, real, dtype):
            for norm in NORMS:
                name = f"{function} {dtype} {shape} {layout} {arguments} {norm}"
                check(name, function, x, real, norm=norm, **arguments)
    for i, extra in enumerate((graphs, streams, threads, gradients)):
        if i % shares == share:
            try:
                report(extra.__name__, extra())
            except Exception as problem:
                report(extra.__name__, repr(problem)[:300])


def run_samples():
    try:
        from torch.testing._internal.opinfo.definitions.fft import op_db
    except ImportError as missing:
        print(f"torch {torch.__version__}: samples skipped, {missing}")
        sys.exit(0)
    for op in op_db:
        for dtype in (torch.complex64, torch.float32, torch.complex128):
            if not op.supports_dtype(dtype, "cuda"):
                continue
            for i, sample in enumerate(op.sample_inputs("cuda", dtype)):
                if time.monotonic() - began > limit:
                    counts["left"] += 1
                    continue
                try:
                    got = op(sample.input, *sample.args, **sample.kwargs)
                    wanted = op(sample.input.cpu(), *sample.args, **sample.kwargs)
                    e = error(got, wanted)
                    report(f"sample {op.name} {dtype} {i}", e if isinstance(e, str) else "" if e < 1e-5 else e)
                except Exception as problem:
                    report(f"sample {op.name} {dtype} {i}", repr(problem)[:300])


if sys.argv[1] == "samples":
    run_samples()
else:
    run_share(int(sys.argv[1]), int(sys.argv[2]))
print(f"torch {torch.__version__}: {counts['passed']} passed, {counts['failed']} failed, {counts['left']} left out")
sys.exit(counts["failed"] != 0)
