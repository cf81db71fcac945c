"""Arrays that _core does not take as they are: other element types, other libraries, lists."""

import importlib

import numpy as np

from skipper import _core
from skipper._call import HALVES, Call
from skipper._problem import error

_MODULES = {"torch": "skipper._torch", "cupy": "skipper._cupy", "jax": "skipper._jax", "jaxlib": "skipper._jax"}


_known = {}  # the module of a type that was seen before


def _library(x):
    """The module for arrays of this type; None where NumPy is to make an array of it."""
    module = _known.get(type(x))
    if module is None:
        name = _MODULES.get(type(x).__module__.partition(".")[0])
        if name is None and hasattr(x, "__cuda_array_interface__"):
            name = _MODULES["cupy"]
        if name is not None:
            module = _known[type(x)] = importlib.import_module(name)
    return module


def _numpy(call, x):
    """Anything that NumPy makes an array of, in a type that is computed with; SciPy's rules."""
    wide = x.dtype.kind in "fc" and x.dtype.itemsize > (16 if x.dtype.kind == "c" else 8)
    if wide:
        kind = np.complex128 if x.dtype.kind == "c" else np.float64
    elif x.dtype.kind in "fc":
        kind = np.result_type(x.dtype.newbyteorder("="), np.float32)
    else:
        kind = np.float64
    converted = np.array(x, dtype=kind, order="C")
    if call.many and call.function not in HALVES and not _core.resolved_axes(
            call.function, call.many, x.shape, call.type, call.size, call.axis)[0]:
        return np.asarray(x)
    y = _core.transform(call.function, call.many, converted, call.type, call.size, call.axis, call.norm, True, call.workers,
                        call.orthogonalize, None)
    # Long doubles are computed in float64; the result has their type, as SciPy's has.
    return y.astype(np.clongdouble if y.dtype.kind == "c" else np.longdouble) if wide else y


def _array_api(call, x):
    """Arrays of a library with the array API, through DLPack; the result is one of its own."""
    namespace = x.__array_namespace__()
    try:
        host = np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError):
        raise _core.Error(f"x: NumPy cannot read {type(x)} on {getattr(x, 'device', 'its device')} by DLPack; "
                          "move it to the CPU, or hand in an array of NumPy, CuPy, PyTorch or JAX") from None
    y = _core.transform(call.function, call.many, host, call.type, call.size, call.axis, call.norm, False, call.workers,
                        call.orthogonalize, None)
    return namespace.asarray(y, device=x.device)


def transform(function, many, x, type, size, axis, norm, overwrite_x, workers, orthogonalize):
    call = Call(function, many, type, size, axis, norm, workers, orthogonalize)
    if not isinstance(x, np.ndarray):
        library = _library(x)
        if library is not None:
            return library.transform(call, x)
        if hasattr(x, "__array_namespace__") and hasattr(x, "__dlpack__"):
            return _array_api(call, x)
        x = np.asarray(x)
    return _numpy(call, x)


def call_plan(plan, x, out, stream):
    """plan(x, out, stream) where not all are arrays of NumPy."""
    library = _library(x)
    if hasattr(library, "call_plan"):
        return library.call_plan(plan, x, out, stream)
    if stream is not None:
        raise _core.Error(f"stream: {type(x)} lies in the host's memory, where there are no streams; leave it out")
    if out is None:
        return plan(np.asarray(x))
    written = np.asarray(out)
    if written is not out and written.base is None:  # a copy
        raise error("out", f"is a {type(out).__name__} but must be an array that can be written to")
    plan(np.asarray(x), written)
    return out


_core.set_other_arrays(transform)
_core.set_other_plan_call(call_plan)
