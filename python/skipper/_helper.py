"""Lengths, frequencies, shifts and the number of threads: what scipy.fft has beside its transforms."""

import contextlib
import functools
import operator
import sys

import numpy as np

from skipper import _core


def _primes(real):
    return (2, 3, 5) if real else (2, 3, 5, 7, 11)


@functools.lru_cache(maxsize=256)
def next_fast_len(target, real=False):
    """The least length from `target` on without large prime factors: to pad to. SciPy's rule: 11-smooth, of reals 5-smooth."""
    target = operator.index(target)
    if target < 0:
        raise ValueError(f"target: {target} is negative; give a length")
    if target == 0:
        return 0
    best = 1 << (target - 1).bit_length()

    def search(product, primes):
        nonlocal best
        if not primes:
            rest = -(-target // product)
            best = min(best, product << (rest - 1).bit_length())
            return
        while product < best:
            search(product, primes[1:])
            product *= primes[0]

    search(1, _primes(real)[:0:-1])
    return best


@functools.lru_cache(maxsize=256)
def prev_fast_len(target, real=False):
    """The greatest length up to `target` without large prime factors: to crop to."""
    target = operator.index(target)
    if target < 0:
        raise ValueError(f"target: {target} is negative; give a length")
    if target == 0:
        return 0
    best = 1

    def search(product, primes):
        nonlocal best
        if not primes:
            best = max(best, product << ((target // product).bit_length() - 1))
            return
        while product <= target:
            search(product, primes[1:])
            product *= primes[0]

    search(1, _primes(real)[:0:-1])
    return best


def _on(y, xp, device):
    return y if xp is None else xp.asarray(y, **({} if device is None else {"device": device}))


def fftfreq(n, d=1.0, *, xp=None, device=None):
    """Frequencies of the bins of fft, for n samples `d` apart; an array of the namespace xp."""
    return _on(np.fft.fftfreq(n, d), xp, device)


def rfftfreq(n, d=1.0, *, xp=None, device=None):
    """Frequencies of the bins of rfft, for n samples `d` apart; an array of the namespace xp."""
    return _on(np.fft.rfftfreq(n, d), xp, device)


def _roll(x, shifts, axes):
    library = type(x).__module__.partition(".")[0]
    if library in ("torch", "cupy"):
        return sys.modules[library].roll(x, shifts, axes)
    if hasattr(x, "__array_namespace__") and not isinstance(x, np.ndarray):
        return x.__array_namespace__().roll(x, shift=shifts, axis=axes)
    return np.roll(np.asarray(x), shifts, axes)


def _shift(x, axes, half):
    if not hasattr(x, "shape"):
        x = np.asarray(x)
    if axes is None:
        axes = tuple(range(len(x.shape)))
    elif not hasattr(axes, "__iter__"):
        axes = (operator.index(axes),)
    return _roll(x, tuple(half(x.shape[a]) for a in axes), tuple(axes))


def fftshift(x, axes=None):
    """Move the zero frequency to the middle."""
    return _shift(x, axes, lambda n: n // 2)


def ifftshift(x, axes=None):
    """Undo fftshift."""
    return _shift(x, axes, lambda n: -(n // 2))


def get_workers():
    """How many threads functions without `workers` use, on this thread."""
    return _core.threads_of(None)


@contextlib.contextmanager
def set_workers(workers):
    """Within the context, functions without `workers` use this many threads."""
    before = _core.set_default_threads(_core.threads_of(operator.index(workers)))
    try:
        yield
    finally:
        _core.set_default_threads(before)
