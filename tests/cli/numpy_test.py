"""numpy_test.py SKIPPER: `skipper fft` against NumPy itself: files that numpy.save wrote, of every version, order, byte
order and type, are transformed as numpy.fft transforms them, and what skipper writes numpy.load reads."""

import io
import itertools
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("numpy_test: NumPy is not installed, so nothing is tested")
    sys.exit(77)

skipper = sys.argv[1]
random = np.random.default_rng(1)


def array(shape, dtype):
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def save(path, values, version):
    with open(path, "wb") as file:
        np.lib.format.write_array(file, values, version=version)


def transformed(source, target, *options):
    subprocess.run([skipper, "fft", source, target, *options], check=True)
    return np.load(target)


def compare(what, got, expected, single):
    error = np.linalg.norm(got - expected) / np.linalg.norm(expected)
    good = got.shape == expected.shape and error < (1e-6 if single else 1e-14)
    if not good:
        sys.exit(f"numpy_test: {what}: shape {got.shape} for {expected.shape}, error {error}")


def check_files(source, target):
    for dtype, order, version in itertools.product(
            ["<c8", ">c8", "<c16", ">c16", "<f4", ">f4", "<f8", ">f8"], "CF", [(1, 0), (2, 0), (3, 0)]):
        values = np.asarray(array((3, 4, 5), dtype), order=order)
        save(source, values, version)
        got = transformed(source, target)
        single = values.real.itemsize == 4
        compare(f"{dtype} {order} {version}", got, np.fft.fftn(values.astype("c16")), single)
        assert got.dtype == ("complex64" if single else "complex128"), (dtype, got.dtype)
        assert got.flags.f_contiguous == (order == "F"), order


def check_options(source, target):
    values = array((4, 6, 5), "c16")
    for norm, axes in itertools.product(["backward", "ortho", "forward"], [(0,), (2,), (-2,), (2, 0), (0, 1, 2)]):
        save(source, values, (1, 0))
        options = ["--norm", norm, "--axes", ",".join(map(str, axes))]
        compare(f"fftn {norm} {axes}", transformed(source, target, *options),
                np.fft.fftn(values, axes=axes, norm=norm), False)
        compare(f"ifftn {norm} {axes}", transformed(source, target, *options, "--inverse"),
                np.fft.ifftn(values, axes=axes, norm=norm), False)
        real = values.real.copy()
        save(source, real, (1, 0))
        half = transformed(source, target, *options, "--real")
        compare(f"rfftn {norm} {axes}", half, np.fft.rfftn(real, axes=axes, norm=norm), False)
        save(source, half, (1, 0))
        n = real.shape[axes[-1]]
        back = transformed(source, target, *options, "--real", "--inverse", "--n", str(n))
        compare(f"irfftn {norm} {axes}", back,
                np.fft.irfftn(half, s=[real.shape[a] for a in axes], axes=axes, norm=norm), False)


def check_integers(source, target):
    for dtype, order in itertools.product(["?"] + [o + k + w for o in "<>" for k in "iu" for w in "1248"], "CF"):
        if np.dtype(dtype).kind == "b":
            values = random.integers(0, 2, (5, 6)).astype(dtype)
        else:
            limits = np.iinfo(dtype)
            values = random.integers(limits.min, limits.max, (5, 6), dtype=np.dtype(dtype).newbyteorder("="),
                                     endpoint=True).astype(dtype)
        np.save(source, np.asarray(values, order=order))
        for options, expected in [((), np.fft.fftn(values)), (("--real",), np.fft.rfftn(values)),
                                  (("--axes", "0", "--inverse"), np.fft.ifft(values, axis=0))]:
            got = transformed(source, target, *options)
            compare(f"{dtype} {order} {options}", got, expected, False)
            assert got.dtype == expected.dtype == "complex128", (dtype, got.dtype)


def check_lengths(source, target):
    """Cropped and padded by --n and --s, in all kinds, as NumPy does by n and s."""
    for order in "CF":
        values = np.asarray(array((4, 6, 5), "c16"), order=order)
        real = np.asarray(values.real, order=order)
        functions = [((), values, np.fft.fftn, np.fft.fft), (("--inverse",), values, np.fft.ifftn, np.fft.ifft),
                     (("--real",), real, np.fft.rfftn, np.fft.rfft),
                     (("--real", "--inverse"), values, np.fft.irfftn, np.fft.irfft)]
        for options, x, many, one in functions:
            np.save(source, x)
            for n, axis, norm in itertools.product([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 37], [0, 1, -1],
                                                   ["backward", "ortho", "forward"]):
                if norm != "backward" and n not in (3, 16):
                    continue
                got = transformed(source, target, *options, "--n", str(n), "--axes", str(axis), "--norm", norm)
                compare(f"{one.__name__} n={n} axis={axis} {norm} {order}", got, one(x, n, axis, norm), False)
            for s, axes in [((3, 8), (0, 1)), ((8, 3), (1, 0)), ((2, 9, 4), (0, 1, 2)), ((5, 4, 7), (2, 0, 1)),
                            ((4, 6, 5), (0, 1, 2)), ((1, 1), (0, 2)), ((9, 2), (-2, -1)), ((7,), (1,))]:
                words = ["--s", "x".join(map(str, s)), "--axes", ",".join(map(str, axes))]
                compare(f"{many.__name__} s={s} axes={axes} {order}", transformed(source, target, *options, *words),
                        many(x, s, axes), False)
            for s in [(3, 8), (2, 9, 4), (12,)]:
                got = transformed(source, target, *options, "--s", "x".join(map(str, s)))
                compare(f"{many.__name__} s={s} {order}", got, many(x, s, range(-len(s), 0)), False)
            got = transformed(source, target, *options, "--s", "7x-1", "--axes", "0,1")
            compare(f"{many.__name__} s=(7, -1) {order}", got,
                    many(x, (7, 10 if one is np.fft.irfft else 6), (0, 1)), False)


def check_limit(source, target):
    """The same through buffers: cropping and padding whole transforms at a time."""
    values = array((40, 30), "c16")
    np.save(source, values)
    for n in [20, 50]:
        got = transformed(source, target, "--n", str(n), "--axes", "1", "--memory-limit", "64KB")
        compare(f"limit n={n}", got, np.fft.fft(values, n), False)


def check_pipes(source, target):
    values = array((8, 9), "f8")
    np.save(source, values)
    with open(source, "rb") as file:
        piped = subprocess.run([skipper, "fft", "-", "-"], input=file.read(), stdout=subprocess.PIPE, check=True)
    compare("by pipes", np.load(io.BytesIO(piped.stdout)), np.fft.fftn(values), False)


with tempfile.TemporaryDirectory() as folder:
    names = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    check_files(*names)
    check_options(*names)
    check_integers(*names)
    check_lengths(*names)
    check_limit(*names)
    check_pipes(*names)
print("numpy_test: good, NumPy", np.__version__)
