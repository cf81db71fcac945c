"""A backend of scipy.fft: scipy.fft.set_global_backend(skipper.scipy), or with scipy.fft.set_backend(skipper.scipy): ...

The threads are those of `workers` and of scipy.fft.set_workers(). fht and ifht are SciPy's own.
"""

import scipy.fft as _scipy_fft

from skipper import fft as _functions

__all__ = ["__ua_domain__", "__ua_function__", "__ua_convert__"]

__ua_domain__ = "numpy.scipy.fft"
_OWN = {name: getattr(_functions, name) for name in _functions.__all__ if hasattr(_scipy_fft, name)}
_SCIPYS = ("fht", "ifht")


def __ua_function__(method, args, kwargs):
    name = method.__name__
    function = _OWN.get(name)
    if function is not None:
        if kwargs.get("workers") is None:
            kwargs = {**kwargs, "workers": _scipy_fft.get_workers()}
        return function(*args, **kwargs)
    if name in _SCIPYS:
        from scipy.fft import _fftlog_backend

        return getattr(_fftlog_backend, name)(*args, **kwargs)
    return NotImplemented


def __ua_convert__(dispatchables, coerce):
    """Arrays as they are: the functions say what they do not take."""
    return [d.value for d in dispatchables]
