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


@pytest.mark.parametrize("call", [
    lambda m: m.fft(np.ones(4), norm="other"),
    lambda m: m.fft(np.ones(4), axis=1),
    lambda m: m.fft(np.ones(4), n=0),
    lambda m: m.fft(np.ones(4), n=-2),
    lambda m: m.irfft(np.ones(1)),
    lambda m: m.fftn(np.ones((4, 4)), axes=(0, 0)),
    lambda m: m.fftn(np.ones((4, 4)), s=(2, 2), axes=(0,)),
    lambda m: m.fftn(np.ones((4, 4)), s=(2, 2, 2)),
    lambda m: m.rfftn(np.ones((4, 4)), axes=()),
    lambda m: m.fftn(np.ones((4, 4)), axes=1.5),
    lambda m: m.fft(np.ones(4), workers=0),
    lambda m: m.fft(np.ones(4), workers=-1000),
    lambda m: m.dct(np.ones(4), type=5),
    lambda m: m.dct(np.ones(1), type=1),
    lambda m: m.rfft(np.ones(4) * 1j),
    lambda m: m.fft(np.ones(4), plan=object()),
    lambda m: m.fft(np.ones(4), n=2.5),
])
def test_exceptions_are_scipys(call):
    with pytest.raises(Exception) as theirs:
        call(scipy.fft)
    with pytest.raises(Exception) as ours:
        call(skipper.fft)
    expected = type(theirs.value)
    if expected in (IndexError, RuntimeError):  # what SciPy did not look for itself
        expected = ValueError
    assert isinstance(ours.value, expected), (theirs.value, ours.value)


def test_no_axes_is_no_transform():
    x = np.ones((2, 3))
    np.testing.assert_array_equal(skipper.fft.fftn(x, axes=()), scipy.fft.fftn(x, axes=()))
    np.testing.assert_array_equal(skipper.fft.dctn(x, axes=()), x)


def test_half_of_one_number():
    x = np.full((3, 1), 2.0)
    for name in ("irfftn", "hfftn", "irfft2", "hfft2"):
        np.testing.assert_allclose(getattr(skipper.fft, name)(x), getattr(scipy.fft, name)(x))


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
