"""Arguments as SciPy has them: signatures, exceptions, workers, helpers."""

import inspect
import threading

import numpy as np
import pytest
import scipy.fft

import skipper

NAMES = [n for n in skipper.fft.__all__ if n not in ("set_workers", "get_workers", "next_fast_len", "prev_fast_len")]


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_scipys(name):
    ours, theirs = (inspect.signature(getattr(m, name)) for m in (skipper.fft, scipy.fft))
    assert [(p.name, p.default) for p in ours.parameters.values()] == [(p.name, p.default) for p in theirs.parameters.values()]
    assert getattr(skipper.fft, name).__doc__


def test_nothing_of_scipy_is_missing():
    hankel = {"fht", "ifht", "fhtoffset"}
    backends = {n for n in scipy.fft.__all__ if "backend" in n}
    assert set(scipy.fft.__all__) - hankel - backends <= set(skipper.fft.__all__)


def test_workers():
    assert skipper.fft.get_workers() == 1
    with skipper.fft.set_workers(3):
        assert skipper.fft.get_workers() == 3
        seen = []
        thread = threading.Thread(target=lambda: seen.append(skipper.fft.get_workers()))
        thread.start()
        thread.join()
        assert seen == [1]
        with pytest.raises(ValueError), skipper.fft.set_workers(0):
            pass
    assert skipper.fft.get_workers() == 1
    x = np.random.default_rng(1).standard_normal((300, 300))
    np.testing.assert_array_equal(skipper.fft.fft2(x, workers=-1), skipper.fft.fft2(x, workers=1))


def test_lengths():
    for n in list(range(0, 200)) + [997, 12345, 10**6 + 1, 2**31 + 7]:
        for real in (False, True):
            assert skipper.fft.next_fast_len(n, real) == scipy.fft.next_fast_len(n, real)
            if n:
                assert skipper.fft.prev_fast_len(n, real) == scipy.fft.prev_fast_len(n, real)
    with pytest.raises(ValueError):
        skipper.fft.next_fast_len(-1)


def test_frequencies_and_shifts():
    for n in (7, 8):
        np.testing.assert_array_equal(skipper.fft.fftfreq(n, 0.1), scipy.fft.fftfreq(n, 0.1))
        np.testing.assert_array_equal(skipper.fft.rfftfreq(n, 0.1), scipy.fft.rfftfreq(n, 0.1))
    x = np.arange(20).reshape(4, 5)
    for axes in (None, 1, (0, 1)):
        np.testing.assert_array_equal(skipper.fft.fftshift(x, axes), scipy.fft.fftshift(x, axes))
        np.testing.assert_array_equal(skipper.fft.ifftshift(x, axes), scipy.fft.ifftshift(x, axes))
