"""Replaces the functions of numpy.fft by Skipper's, on request: install(), uninstall(), or `with skipper.numpy.installed():`.

numpy.fft's rules stay: `out=`, repeated axes, and the default norm. Code that has imported the functions by name keeps those it has.
"""

import contextlib
import functools

import numpy as np

from skipper import fft as _functions

__all__ = ["install", "installed", "is_installed", "uninstall"]

_LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
_PLANES = ("fft2", "ifft2", "rfft2", "irfft2")
_GRIDS = ("fftn", "ifftn", "rfftn", "irfftn")
_originals = {}


def _filled(result, out):
    if out is None:
        return result
    if not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out.shape != result.shape:
        raise ValueError("output array has wrong shape.")
    np.copyto(out, result)
    return out


def _line(name):
    function = getattr(_functions, name)

    @functools.wraps(getattr(np.fft, name))
    def replacement(a, n=None, axis=-1, norm=None, out=None):
        return _filled(function(a, n, axis, norm), out)

    return replacement


def _grid(name, axes):
    function = getattr(_functions, name)
    original = getattr(np.fft, name)

    @functools.wraps(original)
    def replacement(a, s=None, axes=axes, norm=None, out=None):
        if axes is not None and len(set(axes)) != len(tuple(axes)):
            return original(a, s, axes, norm, out)  # repeated axes: NumPy goes over them one by one
        return _filled(function(a, s, axes, norm), out)

    return replacement


def is_installed():
    return bool(_originals)


def install():
    """Put Skipper's functions in numpy.fft. A second call changes nothing."""
    if _originals:
        return
    made = {name: _line(name) for name in _LINES}
    made.update((name, _grid(name, (-2, -1))) for name in _PLANES)
    made.update((name, _grid(name, None)) for name in _GRIDS)
    for name, function in made.items():
        _originals[name] = getattr(np.fft, name)
        setattr(np.fft, name, function)


def uninstall():
    """Put NumPy's own functions back."""
    for name, function in _originals.items():
        setattr(np.fft, name, function)
    _originals.clear()


@contextlib.contextmanager
def installed():
    """Within the context, numpy.fft's functions are Skipper's."""
    already = is_installed()
    install()
    try:
        yield
    finally:
        if not already:
            uninstall()
