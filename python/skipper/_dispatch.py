"""Arrays that _core does not take as they are: other element types, other libraries, lists."""

import numpy as np

from skipper import _core


def _numpy(function, many, x, type, size, axis, norm, overwrite_x, workers, orthogonalize):
    """Anything that NumPy makes an array of, in a type that is computed with; SciPy's rules."""
    x = np.asarray(x)
    if x.dtype.kind == "c" and x.dtype.itemsize > 16 or x.dtype.kind == "f" and x.dtype.itemsize > 8:
        wide = x.dtype
        x = x.astype(np.complex128 if wide.kind == "c" else np.float64)
        y = _core.transform(function, many, x, type, size, axis, norm, True, workers, orthogonalize, None)
        return y.astype(np.clongdouble if y.dtype.kind == "c" else np.longdouble)
    if x.dtype.kind in "fc":
        kind = np.result_type(x.dtype.newbyteorder("="), np.float32)
    elif x.dtype.kind in "biu":
        kind = np.float64
    else:
        raise TypeError(f"x: an array of {x.dtype} is not computed with; convert it to a real or complex type")
    x = np.array(x, dtype=kind, order="C")
    return _core.transform(function, many, x, type, size, axis, norm, True, workers, orthogonalize, None)


def transform(function, many, x, type, size, axis, norm, overwrite_x, workers, orthogonalize):
    return _numpy(function, many, x, type, size, axis, norm, overwrite_x, workers, orthogonalize)


_core.set_other_arrays(transform)
