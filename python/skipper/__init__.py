"""Fourier, cosine and sine transforms on CPUs and NVIDIA GPUs, for arrays of NumPy, CuPy, PyTorch and JAX.

skipper.fft      the functions of scipy.fft
skipper.Plan     a transform made ready once and called often
skipper.cache    the plans that the functions keep
skipper.convolve, correlate, FilterPlan   convolution by fused transforms
skipper.poisson  Poisson and Helmholtz problems on a box
skipper.stream   transforms of arrays larger than memory
skipper.distributed   transforms of arrays that are spread over processes, with mpi4py
skipper.scipy    a backend for scipy.fft.set_global_backend and set_backend
skipper.numpy    replaces the functions of numpy.fft, on request
"""

from skipper import _core
from skipper._core import Error, Plan, devices, missing_for_gpu
from skipper import _dispatch  # noqa: F401  (gives _core what to do with arrays of other libraries)
from skipper import cache, convolution, distributed, fft, poisson, stream
from skipper.convolution import FilterPlan, convolve, correlate

__version__ = _core.version
__all__ = ["Error", "FilterPlan", "Plan", "cache", "convolution", "convolve", "correlate", "devices", "distributed", "fft",
           "missing_for_gpu", "poisson", "stream"]
