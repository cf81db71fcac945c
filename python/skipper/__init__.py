"""Fourier, cosine and sine transforms on CPUs and NVIDIA GPUs, for arrays of NumPy, CuPy, PyTorch and JAX.

skipper.fft      the functions of scipy.fft
skipper.Plan     a transform made ready once and called often
skipper.cache    the plans that the functions keep
skipper.scipy    a backend for scipy.fft.set_global_backend and set_backend
skipper.numpy    replaces the functions of numpy.fft, on request
"""

from skipper import _core
from skipper._core import Error, Plan, devices, missing_for_gpu
from skipper import _dispatch  # noqa: F401  (gives _core what to do with arrays of other libraries)
from skipper import cache, fft

__version__ = _core.version
__all__ = ["Error", "Plan", "cache", "devices", "fft", "missing_for_gpu"]

# Convolution, Poisson, streams and ranks are imported, and added to __all__, below this line.
