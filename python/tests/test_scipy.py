"""The backend of scipy.fft: set in contexts and globally, and SciPy's own tests on it; numpy.fft replaced; the array API."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.fft

import skipper
import skipper.numpy
import skipper.scipy

HERE = pathlib.Path(__file__).parent


def test_backend_in_a_context(rng):
    x = rng.standard_normal((4, 30))
    skipper.cache.clear()
    with scipy.fft.set_backend(skipper.scipy, only=True):
        y = scipy.fft.rfft(x)
        with scipy.fft.set_workers(2):
            scipy.fft.dctn(x, type=3, s=(5, 6))
        with pytest.raises(NotImplementedError):
            scipy.fft.fft(x, plan=object())
        scipy.fft.fht(np.ones(8), 0.1, 0.5)
    assert skipper.cache.info().misses >= 2
    np.testing.assert_allclose(y, scipy.fft.rfft(x), atol=1e-13)


def test_every_function_of_scipy_has_one():
    assert {n for n in scipy.fft.__all__ if n.rstrip("2n").endswith(("fft", "dct", "dst"))} <= set(skipper.scipy._OWN)


def run_scipys_tests(modules, *arguments):
    names = [f"scipy.fft.tests.{m}" for m in modules]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "scipy_plugin", "-p", "no:cacheprovider", "-W", "ignore",
                           *arguments, "--pyargs", *names], env=environment, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return int(re.search(r"(\d+) passed", done.stdout).group(1))


def test_part_of_scipys_own_tests():
    assert run_scipys_tests(["test_basic", "test_backend"], "-k", "not multiprocess and not dtypes and not ThreadSafe and not extensive") > 100


@pytest.mark.slow
def test_scipys_own_tests():
    # How many there are depends on SciPy's version; fewer than these would mean that they were not found.
    assert run_scipys_tests(["test_basic"]) >= 150
    assert run_scipys_tests(["test_real_transforms"]) >= 1000
    assert run_scipys_tests(["test_backend", "test_multithreading", "test_fftlog", "test_helper"]) >= 140


def test_numpy_is_replaced_and_put_back(rng):
    x = rng.standard_normal((4, 6, 8))
    original = np.fft.fft
    wanted = {name: getattr(np.fft, name)(x) for name in ("fft", "rfft", "fft2", "ifftn", "rfftn")}
    with skipper.numpy.installed():
        assert np.fft.fft is not original and skipper.numpy.is_installed()
        for name, want in wanted.items():
            np.testing.assert_allclose(getattr(np.fft, name)(x), want, atol=1e-12)
        out = np.empty(x.shape, complex)
        assert np.fft.fft(x, out=out) is out
        np.testing.assert_allclose(np.fft.fftn(x, axes=(0, 0)), np.fft.fft(np.fft.fft(x, axis=0), axis=0), atol=1e-12)
        with skipper.numpy.installed():
            pass
        assert skipper.numpy.is_installed()
    assert np.fft.fft is original and not skipper.numpy.is_installed()


def test_array_api(rng):
    xp = pytest.importorskip("array_api_strict")
    x = rng.standard_normal((3, 8))
    for name in ("fft", "rfft", "fftn", "dct"):
        y = getattr(skipper.fft, name)(xp.asarray(x))
        assert type(y) is type(xp.asarray(x))
        np.testing.assert_allclose(np.asarray(y), getattr(scipy.fft, name)(x), atol=1e-13)
    back = skipper.fft.irfft(skipper.fft.rfft(xp.asarray(x)))
    np.testing.assert_allclose(np.asarray(back), x, atol=1e-14)
    assert skipper.fft.fftfreq(8, xp=xp).shape == (8,)
    assert type(skipper.fft.fftshift(xp.asarray(x))) is type(xp.asarray(x))
