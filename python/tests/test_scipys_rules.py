"""The functions against scipy.fft where arguments are odd or wrong: results, their types, and exceptions.

One argument at a time is odd: which of two errors is raised first is nobody's concern.
"""

import copy

import numpy as np
import pytest
import scipy.fft

import skipper

LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
REAL_KINDS = ("dct", "idct", "dst", "idst")

REALS = np.random.default_rng(1).standard_normal((3, 4))
ARRAYS = {
    "reals": REALS, "complex": REALS + 1j, "volume": np.ones((2, 3, 4)),
    "one": np.ones(1), "one row": np.ones((1, 1)), "one column": np.ones((3, 1)),
    "f32": REALS.astype("f4"), "f16": REALS.astype("f2"), "c64": (REALS + 1j).astype("c8"), "long": REALS.astype("g"),
    "swapped": REALS.astype(">f8"), "backwards": REALS[::-1], "repeated": np.broadcast_to(REALS[0], (3, 4)),
    "bool": REALS > 0, "int": np.arange(4), "byte": np.arange(4, dtype="u1"),
    "list": [1.0, 2.0, 3.0], "nested": [[1, 2], [3, 4]], "ragged": [[1, 2], [3]], "range": range(4),
    "objects": np.array([1, 2.5], object), "dates": np.array(["2020-01-01"], "M8[D]"),
    "fields": np.zeros(3, [("a", "f8")]),
    "masked": np.ma.masked_array(REALS, REALS > 1), "masked complex": np.ma.masked_array(REALS + 1j, REALS > 1),
    "matrix": REALS.view(np.matrix), "text": "abc", "texts": np.array(["a"]),
    "nothing": None, "nothings": np.array([None, 1]),
    "0-d": np.array(3.0), "number": 5, "complex number": 3j,
    "empty": np.zeros(0), "no lines": np.zeros((0, 3)), "no points": np.zeros((3, 0)), "empty list": [],
}
AXIS = [0, -1, 1, -2, 2, -3, 5, 2**70, None, 1.0, "a", (0,), (), True, np.int64(0), np.array(0), np.array([0, 1])]
LENGTH = [None, 1, 2, 7, 0, -1, -5, 2.0, "a", (3,), np.int32(3), np.array(3)]
AXES = [None, (), 0, -1, (0,), (0, 1), (1, 0), (0, 0), (0, -2), (0, 2), (-3,), 5, 1.5, (0.5,), "ab", [1],
        np.array([0, 1]), {0}, range(2), ((0,),), (0, 1, 2), True]
SHAPE = [None, (), 2, 0, -1, (2,), (3, 4), (7, 2), (0, 3), (3, 0), (-1, 3), (-2, 3), (2, 2, 2), (2.0, 3), "ab", [3, 2],
         np.array([3, 2]), (1, 3)]
NORM = ["backward", "ortho", "forward", None, "other", "", 1, b"ortho", "ORTHO"]
WORKERS = [None, 1, 2, -1, 0, -1000, 1.5, "a", np.int64(1)]
TYPE = [1, 2, 3, 4, 0, 5, -1, "2", None, np.int64(2)]


def outcome(module, name, x, options):
    x = copy.copy(x) if "overwrite_x" in options else x
    try:
        return getattr(module, name)(x, **options)
    except Exception as e:
        return e


def difference(name, x, options):
    """What differs, in words; empty where nothing does."""
    theirs, ours = (outcome(module, name, x, options) for module in (scipy.fft, skipper.fft))
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        return "" if isinstance(ours, type(theirs)) else f"{theirs!r} but {ours!r}"
    if (type(theirs), theirs.shape, theirs.dtype) != (type(ours), ours.shape, ours.dtype):
        return f"{type(theirs)} {theirs.dtype} {theirs.shape} but {type(ours)} {ours.dtype} {ours.shape}"
    if theirs.dtype.kind not in "fc":  # what is given back as it is
        return "" if repr(theirs) == repr(ours) else f"{theirs} but {ours}"
    error = 1e-4 if theirs.dtype.itemsize <= (8 if theirs.dtype.kind == "c" else 4) else 1e-11
    return "" if np.allclose(theirs, ours, error, error, equal_nan=True) else f"{theirs} but {ours}"


def cases(name):
    """(the word of an array, options)."""
    many, real = name[-1] in "n2", name.rstrip("n2") in REAL_KINDS
    for word in ARRAYS:
        yield word, {}
        yield word, {"overwrite_x": True}
        for axes in AXES if many else AXIS:
            yield word, {"axes" if many else "axis": axes}
    takes_complex = not name.startswith(("rfft", "ihfft"))
    for word in ("reals", "one", "volume", "list", *(["complex"] if takes_complex else [])):
        for size in SHAPE if many else LENGTH:
            yield word, {"s" if many else "n": size}
        for norm in NORM:
            yield word, {"norm": norm}
        for overwrite in (0, 1, None):
            yield word, {"overwrite_x": overwrite}
        for kind in TYPE if real else ():
            yield word, {"type": kind}
    for workers in WORKERS:
        yield "reals", {"workers": workers}
    for size in SHAPE if many else ():
        for axes in ((0,), 1, (1, 0), (0, 1)):
            yield "reals", {"s": size, "axes": axes}
    for kind in (1, 2, 3, 4) if real else ():
        for norm in NORM[:4]:
            for orthogonalize in (None, True, False):
                yield "reals", {"type": kind, "norm": norm, "orthogonalize": orthogonalize}
        for size in (1, 2):
            yield "reals", {"type": kind, "s": (size, size)} if many else {"type": kind, "n": size}


NAMES = [n + m for n in LINES for m in ("", "2", "n")] + [n + m for n in REAL_KINDS for m in ("", "n")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_arguments_mean_what_they_mean_to_scipy(name):
    differences = [f"{name}({word}, {options}): {found}" for word, options in cases(name)
                   if (found := difference(name, ARRAYS[word], options))]
    assert not differences, "\n".join(differences)
