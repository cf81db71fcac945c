"""cupy.fft and cupyx.scipy.fft against NumPy and SciPy: every function, many shapes, layouts and types, all norms, the plan
cache, plans of one's own, overwriting, streams.

cupy_client.py <share> <shares>: the items of one process; a share ends when SECONDS_LIMIT (90) are over.
"""
import os
import sys
import time

import cupy
import cupyx.scipy.fft as cupyx_fft
import numpy
import scipy.fft

began = time.monotonic()
limit = float(os.environ.get("SECONDS_LIMIT", "90"))
NORMS = ("backward", "ortho", "forward")
counts = {"passed": 0, "failed": 0, "left": 0}


def report(name, wrong):
    counts["failed" if wrong else "passed"] += 1
    if wrong:
        print(f"FAILED {name}: {wrong}", flush=True)


def verdict(got, wanted, single):
    got = cupy.asnumpy(got)
    if got.shape != wanted.shape:
        return f"shape {got.shape}, not {wanted.shape}"
    norm = numpy.linalg.norm(wanted.ravel())
    e = numpy.linalg.norm((got.astype(wanted.dtype) - wanted).ravel()) / (norm or 1.0)
    return "" if e < (5e-6 if single else 1e-13) else f"error {e:.2e}"


def attempt(name, call):
    try:
        report(name, call())
    except Exception as problem:
        report(name, repr(problem)[:300])


def noise(shape, dtype):
    random = numpy.random.default_rng(shape[-1])
    x = random.random(shape) - 0.5
    if numpy.dtype(dtype).kind == "c":
        x = x + 1j * (random.random(shape) - 0.5)
    return x.astype(dtype)


SHAPES = [  # shape, orders, types
    ((64,), ("C",), "fFdD"),
    ((1000,), ("C",), "fF"),
    ((1009,), ("C",), "fFD"),
    ((3, 81), ("C", "F", "sliced"), "fF"),
    ((24, 36), ("C", "F"), "fFdD"),
    ((2, 31, 37), ("C",), "fF"),
    ((8, 12, 10), ("C", "F"), "fFD"),
    ((1,), ("C",), "F"),
    ((512, 512), ("C",), "fF"),
]


def items():
    for shape, orders, types in SHAPES:
        for order in orders:
            for dtype in types:
                yield shape, order, dtype


def arranged(x, order):
    if order == "sliced":
        wide = cupy.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
        wide[..., ::2] = cupy.asarray(x)
        return wide[..., ::2]
    return cupy.asarray(x, order=order)


def functions(shape, dtype):
    complex_input = numpy.dtype(dtype).kind == "c"
    names = ["fft", "ifft"] + ([] if not complex_input else ["hfft", "irfft"] if shape[-1] > 1 else [])
    names += [] if complex_input else ["rfft", "ihfft"]
    if len(shape) >= 2:
        names += ["fft2", "ifft2", "fftn", "ifftn"]
        names += ["irfft2", "irfftn"] if complex_input else ["rfft2", "rfftn"]
    return names


def run_item(shape, order, dtype):
    x = noise(shape, dtype)
    wide = x.astype(numpy.result_type(x.dtype, numpy.float64))
    given = arranged(x, order)
    single = x.dtype.itemsize <= (8 if x.dtype.kind == "c" else 4)
    for name in functions(shape, dtype):
        for norm in NORMS:
            for module, reference, title in ((cupy.fft, numpy.fft, "cupy"), (cupyx_fft, scipy.fft, "cupyx")):
                wanted = getattr(reference, name)(wide, norm=norm)
                attempt(f"{title} {name} {dtype} {shape} {order} {norm}",
                        lambda: verdict(getattr(module, name)(given, norm=norm), wanted, single))
    if len(shape) >= 2:
        attempt(f"axis 0 of {shape} {order} {dtype}",
                lambda: verdict(cupy.fft.fft(given, axis=0), numpy.fft.fft(wide, axis=0), single))
    if x.dtype.kind == "c":
        wanted = scipy.fft.fftn(wide)
        attempt(f"overwrite_x {shape} {order} {dtype}",
                lambda: verdict(cupyx_fft.fftn(given.copy(order="K"), overwrite_x=True), wanted, single))
    if x.dtype.kind == "f" and len(shape) == 1 and shape[0] > 1:
        for name in ("dct", "idct", "dst", "idst"):
            attempt(f"cupyx {name} {shape} {dtype}",
                    lambda: verdict(getattr(cupyx_fft, name)(given), getattr(scipy.fft, name)(wide), single))
    kept = cupy.asnumpy(given)
    report(f"input of {shape} {order} {dtype} is kept", "" if (kept == x).all() else "it was changed")


def plan_cache():
    cache = cupy.fft.config.get_plan_cache()
    cache.clear()
    x = cupy.asarray(noise((4, 96), "F"))
    first = cupy.fft.fft(x)
    size = cache.get_curr_size()
    for _ in range(5):
        again = cupy.fft.fft(x)
    if size < 1 or cache.get_curr_size() != size:
        return f"{size} plans, then {cache.get_curr_size()}"
    if not (first == again).all():
        return "a plan out of the cache gives something else"
    cache.set_size(1)
    for n in (32, 48, 64):
        y = cupy.asarray(noise((4, n), "F"))
        wrong = verdict(cupy.fft.ifft(y), numpy.fft.ifft(cupy.asnumpy(y).astype("D")), True)
        if wrong:
            return wrong
    cache.set_size(16)
    cache.clear()
    return ""


def own_plans():
    x = cupy.asarray(noise((6, 8, 12), "F"))
    wide = cupy.asnumpy(x).astype("D")
    for axes in (None, (1, 2)):
        plan = cupyx_fft.get_fft_plan(x, axes=axes)
        wanted = scipy.fft.fftn(wide, axes=axes)
        with plan:
            wrong = verdict(cupyx_fft.fftn(x, axes=axes), wanted, True)
        wrong = wrong or verdict(cupyx_fft.fftn(x, axes=axes, plan=plan), wanted, True)
        wrong = wrong or verdict(cupyx_fft.ifftn(x, axes=axes, plan=plan), scipy.fft.ifftn(wide, axes=axes), True)
        if wrong:
            return f"axes {axes}: {wrong}"
    plan = cupyx_fft.get_fft_plan(x, axes=2)
    return verdict(cupyx_fft.fft(x, axis=2, plan=plan), scipy.fft.fft(wide, axis=2), True)


def streams():
    x = cupy.asarray(noise((4, 256), "F"))
    wanted = numpy.fft.fft(cupy.asnumpy(x).astype("D"))
    for _ in range(3):
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            y = cupy.fft.fft(x)
        stream.synchronize()
        wrong = verdict(y, wanted, True)
        if wrong:
            return wrong
    return ""


def halves():
    """Complex f16 through cupy.cuda.cufft.XtPlanNd, as CuPy's manual shows it."""
    shape, batch = (64,), 2
    plan = cupy.cuda.cufft.XtPlanNd(shape, shape, 1, 64, "E", shape, 1, 64, "E", batch, "E", order="C",
                                    last_axis=-1, last_size=None)
    x = noise((batch, 64), "F")
    pairs = cupy.asarray(x.view("f").astype(numpy.float16))
    out = cupy.empty_like(pairs)
    plan.fft(pairs, out, cupy.cuda.cufft.CUFFT_FORWARD)
    got = cupy.asnumpy(out).astype("f").view("F")
    wanted = numpy.fft.fft(x.astype("D"))
    e = numpy.linalg.norm(got - wanted) / numpy.linalg.norm(wanted)
    return "" if e < 5e-3 else f"error {e:.2e}"


share, shares = int(sys.argv[1]), int(sys.argv[2])
for i, (shape, order, dtype) in enumerate(items()):
    if i % shares == share:
        if time.monotonic() - began > limit:
            counts["left"] += 1
        else:
            run_item(shape, order, dtype)
for i, extra in enumerate((plan_cache, own_plans, streams, halves)):
    if i % shares == share:
        attempt(extra.__name__, extra)
print(f"cupy {cupy.__version__}: {counts['passed']} passed, {counts['failed']} failed, {counts['left']} left out")
sys.exit(counts["failed"] != 0)
