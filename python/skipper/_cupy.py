"""Arrays of CuPy: in the current stream, from CuPy's memory pool. Arrays of other libraries that have
__cuda_array_interface__ are taken as CuPy arrays, and so are their transforms."""

import sys

import cupy

from skipper import _exchange

_DTYPES = ["float16", None, "float32", "float64", None, None, "complex64", "complex128"]
_this = sys.modules[__name__]  # what _exchange calls a library
_SCALARS = {cupy.dtype(name): number for number, name in enumerate(_DTYPES) if name}


def scalar(x):
    return _SCALARS.get(x.dtype)


def default_scalar():
    return _DTYPES.index("float64")


def converted(x, number):
    if _DTYPES[number] is None:  # f16 has no complex type in CuPy
        number += 2
    return x.astype(_DTYPES[number])


def conjugated(x):
    return cupy.conjugate(x)


def described(x):
    bytes_ = x.itemsize
    strides = x.strides
    repeats = 0 not in x.shape and any(s == 0 and n > 1 for s, n in zip(strides, x.shape))
    if x.data.ptr % 16 or repeats or any(s < 0 or s % bytes_ for s in strides):
        x = cupy.array(x, order="C", copy=True)
        strides = x.strides
    return x, x.data.ptr, x.shape, tuple(s // bytes_ for s in strides), x.device.id


def empty(x, shape, number):
    with x.device:
        return cupy.empty(shape, dtype=_DTYPES[number])


def zeros(x, shape, number):
    with x.device:
        return cupy.zeros(shape, dtype=_DTYPES[number])


def pointer(y):
    return y.data.ptr


def workspace(x, count):
    if not count:
        return None, 0
    with x.device:
        kept = cupy.cuda.alloc(count)
    return kept, kept.ptr


def stream(x):
    return cupy.cuda.get_current_stream(x.device.id).ptr


def is_capturing(x):
    return cupy.cuda.get_current_stream(x.device.id).is_capturing()


def transform(call, x):
    if not isinstance(x, cupy.ndarray):
        x = cupy.asarray(x)
    if x.dtype == cupy.float16:  # SciPy's rule; 16-bit arrays as they are: skipper.Plan
        x = x.astype(cupy.float32)
    return _exchange.transform(_this, call, x)


def call_plan(plan, x, out, given):
    if not isinstance(x, cupy.ndarray):
        x = cupy.asarray(x)
    return _exchange.call_plan(_this, plan, x, out, given)

