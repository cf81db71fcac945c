"""The text of a problem, out of what Python users say: kind, shape, axes, strides, direction and norm.

The text is the one that C++ prints and reads (docs/problem-text.md), so a plan that misbehaves can be tried with the program
`skipper` as well.
"""
import math

from . import _core
from ._core import Error

_INVERSE = {kind: inverse for kind, inverse in _core.inverse_kinds.items() if kind != "fourier"}
REAL_KINDS = tuple(_INVERSE)
_PRECISIONS = {"float16": "f16", "float32": "f32", "float64": "f64", "complex64": "f32", "complex128": "f64"}
_COMPLEX = {"f32": "complex64", "f64": "complex128"}
_REAL = {"f16": "float16", "f32": "float32", "f64": "float64"}
KINDS = ("c2c", "r2c", "c2r", *REAL_KINDS)


def precision_of(argument, dtype):
    """'f32' for float32 and complex64, and so on."""
    name = str(dtype)
    if name not in _PRECISIONS:
        raise error(argument, f"has elements of {name}; use float32, float64, complex64 or complex128, or float16 for real "
                              "kinds, in the byte order of this machine")
    return _PRECISIONS[name]


def error(argument, message):
    """An Error that names its argument, as those from C++ do."""
    made = Error(f"{argument}: {message}")
    made.argument = argument
    return made


def axes_of(axes, rank):
    """Axes as a tuple of numbers from 0; None: all of them."""
    if axes is None:
        return tuple(range(rank))
    given = (axes,) if isinstance(axes, int) else tuple(axes)
    found = tuple(a + rank if a < 0 else a for a in given)
    for axis, a in zip(given, found):
        if not 0 <= a < rank:
            raise error("axes", f"has {axis}, but the array has {rank} dimensions; use {-rank} to {rank - 1}")
    if len(set(found)) != len(found):
        raise error("axes", f"{given} names an axis twice; a transform along an axis is done once")
    if not found:
        raise error("axes", "is empty; name at least one axis, or leave it out for all")
    return found


def round_trip_factor(sizes, kinds):
    """What a transform and its inverse, both without a scale, multiply by."""
    return math.prod(_core.round_trip_factor(kind, n) for n, kind in zip(sizes, kinds))


def kinds_of(kind, count):
    """(c2c, r2c, c2r or r2r; the kind of each axis, None for Fourier axes)."""
    if isinstance(kind, str):
        if kind not in KINDS:
            raise error("kind", f"is {kind!r} but must be one of {', '.join(KINDS)}, or a sequence of the real kinds")
        return (kind, None) if kind in ("c2c", "r2c", "c2r") else ("r2r", (kind,) * count)
    kinds = tuple(kind)
    if len(kinds) != count:
        raise error("kind", f"has {len(kinds)} entries for {count} axes; give one for each")
    for word in kinds:
        if word not in REAL_KINDS:
            raise error("kind", f"has {word!r} but a sequence takes {', '.join(REAL_KINDS)}")
    return "r2r", kinds


class Transform:
    """What is transformed and how. `shape` has the logical sizes: of the reals for r2c and c2r."""

    def __init__(self, shape, precision, kind="c2c", axes=None, inverse=False, norm=None):
        self.shape = tuple(int(n) for n in shape)
        self.precision = precision
        self.axes = axes_of(axes, len(self.shape))
        self.kind, self.kinds = kinds_of(kind, len(self.axes))
        if self.kind != "r2r" and precision not in _COMPLEX:
            raise error("dtype", f"is {_REAL[precision]}, for which NumPy has no complex type; use float32, or a real kind such as "
                                 "'dct2'")
        if norm not in (None, "backward", "ortho", "forward"):
            raise error("norm", f"is {norm!r} but must be 'backward', 'ortho' or 'forward'")
        if self.kind == "r2c" and inverse:
            raise error("inverse", "is not for r2c, whose way back is kind='c2r'")
        self.norm = norm or "backward"
        self.inverse = bool(inverse) or self.kind == "c2r"
        if self.kinds and self.inverse:
            self.kinds = tuple(_INVERSE[k] for k in self.kinds)
        halved = list(self.shape)
        halved[self.axes[-1]] = halved[self.axes[-1]] // 2 + 1
        self.in_shape = tuple(halved) if self.kind == "c2r" else self.shape
        self.out_shape = tuple(halved) if self.kind == "r2c" else self.shape

    def dtype(self, side):
        """Of the 'in' or 'out' array, as a word."""
        is_real = self.kind == "r2r" or self.kind == ("r2c" if side == "in" else "c2r")
        return (_REAL if is_real else _COMPLEX)[self.precision]

    def scale(self):
        """Of the outputs; 'ortho' has a word of its own."""
        if self.norm == "ortho" or (self.norm == "backward") != self.inverse:
            return 1.0
        return 1.0 / round_trip_factor([self.shape[a] for a in self.axes], self.kinds or ["fourier"] * len(self.axes))

    def text(self, in_strides=None, out_strides=None, in_place=False):
        """The problem; strides count elements of their side and are dense unless given."""
        batch = [d for d in range(len(self.shape)) if d not in self.axes]

        def sizes(dims):
            return "x".join(str(self.shape[d]) for d in dims)

        def strides(all_of_them):
            groups = [",".join(str(all_of_them[d]) for d in dims) for dims in (self.axes, batch) if dims]
            return "/".join(groups)

        direction = "inverse" if self.inverse and not self.kinds else "forward"
        words = [self.kind, self.precision, direction, sizes(self.axes)]
        if self.kinds:
            words += ["kinds", ",".join(self.kinds)]
        if batch:
            words += ["batch", sizes(batch)]
        if in_strides:
            words += ["in", strides(in_strides)]
        if out_strides:
            words += ["out", strides(out_strides)]
        if self.scale() != 1.0:
            words += ["scale", repr(self.scale())]
        if self.norm == "ortho":
            words += ["norm", "ortho"]
        if in_place:
            words += ["in-place"]
        return " ".join(words)
