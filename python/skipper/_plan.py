"""Arguments of skipper.Plan, looked through: what _core.make_plan takes."""

import operator

import numpy as np

from ._problem import REAL_KINDS, error, round_trip_factor

SCALARS = ["float16", "bfloat16", "float32", "float64", "complex32", "complex_bfloat16", "complex64", "complex128"]


def scalar_number(dtype):
    """The number of an element type: by a name, a NumPy type, or a type of another library that prints as one."""
    name = dtype if isinstance(dtype, str) else str(dtype).rpartition(".")[2]
    if name not in SCALARS:
        try:
            name = np.dtype(dtype).name
        except TypeError:
            pass
    if name not in SCALARS:
        raise error("dtype", f"{dtype!r} is not computed with; give one of {', '.join(SCALARS)}")
    return SCALARS.index(name)


def _kinds(kind, is_complex, count):
    """The kind of the whole problem and those of its axes."""
    if kind is None:
        kind = "c2c" if is_complex else "r2c"
    if isinstance(kind, str):
        if kind in REAL_KINDS:
            return ("c2c" if is_complex else "r2r"), [kind] * count
        if kind not in ("c2c", "r2c", "c2r"):
            raise error("kind", f"{kind!r} is none; give c2c, r2c, c2r, {', '.join(REAL_KINDS)}, or one for each axis")
        return kind, ["fourier"] * count
    kinds = [str(k) for k in kind]
    if len(kinds) != count:
        raise error("kind", f"{len(kinds)} kinds for {count} axes; give one for each axis, or one for all")
    if is_complex:
        return "c2c", kinds
    return ("r2c" if "fourier" in kinds else "r2r"), kinds


def arguments(shape, dtype="complex128", kind=None, axes=None, *, inverse=False, norm="backward", scale=1.0, threads=0,
              device="cpu"):
    """What _core.make_plan takes, as a dict."""
    shape = [operator.index(n) for n in (shape if hasattr(shape, "__iter__") else (shape,))]
    rank = len(shape)
    if axes is None:
        axes = range(rank)
    axes = [operator.index(a) for a in (axes if hasattr(axes, "__iter__") else (axes,))]
    for axis in axes:
        if not -rank <= axis < rank:
            raise error("axes", f"{axis} is beyond the {rank} dimensions of shape; use {-rank} to {rank - 1}")
    axes = [axis % rank for axis in axes]
    if len(set(axes)) != len(axes):
        raise error("axes", "one is named twice; name each once")
    scalar = scalar_number(dtype)
    whole, kinds = _kinds(kind, scalar >= 4, len(axes))
    if whole == "r2c" and scalar >= 4:
        raise error("dtype", f"r2c takes real arrays, not {SCALARS[scalar]}; give a real type, as float64")
    if norm not in ("backward", "ortho", "forward", None):
        raise error("norm", f"{norm!r} is none; give 'backward', 'ortho' or 'forward'")
    backward = inverse or whole == "c2r"
    if inverse and whole not in ("c2c", "c2r"):
        raise error("inverse", f"{whole} has one direction; make the plan and take its inverse()")
    if norm != "ortho" and backward != (norm == "forward") and (backward or norm == "forward"):
        scale = scale / round_trip_factor([shape[a] for a in axes], kinds)
    return dict(kind=whole, scalar=scalar, shape=shape, axes=axes, kinds=kinds, inverse=backward and whole == "c2c",
                ortho=norm == "ortho", scale=float(scale), threads=operator.index(threads), device=str(device))
