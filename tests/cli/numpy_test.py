"""numpy_test.py SKIPPER: `skipper fft` against NumPy itself: files that numpy.save wrote, of every version, order, byte
order and type, are transformed as numpy.fft transforms them, and what skipper writes numpy.load reads."""

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


with tempfile.TemporaryDirectory() as folder:
    names = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    check_files(*names)
    check_options(*names)
print("numpy_test: good, NumPy", np.__version__)
