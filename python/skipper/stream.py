"""Transforms of arrays that are larger than memory, or than the GPU's memory: slices go through the device one after the other.

    x = np.memmap("x.bin", dtype="complex64", mode="r", shape=(2048, 1024, 1024))
    y = np.memmap("y.bin", dtype="complex64", mode="w+", shape=x.shape)
    skipper.stream.transform(x, y, memory_limit=1e9, progress=True)
"""
import os

import numpy as np

from . import _core, _overlap
from ._part_file import PartFile
from ._problem import Transform, error, precision_of
from ._progress import reporter
from ._workspace import workspace as workspace_for

__all__ = ["Cancelled", "Plan", "transform"]


class Cancelled(_core.Error):
    """The progress function returned False. The output is incomplete."""

    argument = "progress"


def cancelled():
    return Cancelled("progress: returned False, so the work was stopped before its end; the output is incomplete")


def limit_of(memory_limit):
    """Bytes as an int; None is 0, which C++ takes for what is free."""
    if memory_limit is None:
        return 0
    try:
        limit = int(memory_limit)
    except (TypeError, ValueError, OverflowError):
        raise error("memory_limit", f"is {memory_limit!r} but must be a number of bytes, as 1e9, or None") from None
    if limit < 1:
        raise error("memory_limit", f"is {memory_limit!r} but must be at least 1 byte; None is what is free")
    return limit


def host_array(argument, array, writeable=False):
    """The argument as a NumPy array without a copy, and its strides in elements."""
    if not isinstance(array, np.ndarray):
        raise error(argument, f"is a {type(array).__name__} but must be a NumPy array or np.memmap; arrays of a GPU "
                              "are transformed by skipper.fft or skipper.Plan")
    if writeable and not array.flags.writeable:
        raise error(argument, "cannot be written to; open the file with mode='r+' or 'w+'")
    strides = []
    for size, stride in zip(array.shape, array.strides):
        count, rest = divmod(stride, array.itemsize)
        if size > 1 and (rest or count < 0):
            raise error(argument, "has a stride that is negative or no multiple of an element; use one that runs forwards")
        strides.append(count if size > 1 else 0)
    return array, strides


def _opened(argument, array):
    """Files in NumPy's format by their name; everything else as it is."""
    if not isinstance(array, (str, os.PathLike)):
        return array
    try:
        return np.load(array, mmap_mode="r")
    except (OSError, ValueError) as e:
        raise error(argument, f"cannot be opened as a .npy file: {e}") from e


def _kind_of(x, out):
    if x.dtype.kind == "c":
        return "c2r" if out is not None and out.dtype.kind == "f" else "c2c"
    if out is not None and out.dtype.kind == "f":
        raise error("kind", "must be given for reals to reals: 'dct2', 'dst1' and so on")
    return "r2c"


def _check_output(transform, given):
    dtype, shape = np.dtype(transform.dtype("out")), transform.out_shape
    if given.shape != shape or given.dtype != dtype:
        raise error("out", f"is {given.dtype} {given.shape} but the result is {dtype} {shape}")


class Plan:
    """A transform of host arrays within a limit of memory, made once and executed on many arrays.

    shape         of the array; for 'r2c' and 'c2r' that of the reals
    dtype         of the input or of the output: its precision counts
    kind          'c2c', 'r2c', 'c2r', a real kind as 'dct2', 'dst1' or 'dht', or a real kind for each axis
    axes          the transformed axes, all unless given; 'r2c' and 'c2r' halve the last of them
    inverse, norm as in scipy.fft: norm='backward' scales inverse transforms by one over the number of points
    device        'cpu', 'cuda:0' or 'best'
    memory_limit  bytes of the device's memory, or of all buffers on a CPU; None: what is free
    threads       of the host; 0: one a core
    strategy      'host_and_device', 'device_only', or 'automatic'
    in_strides, out_strides   in elements; dense and row-major unless given
    in_place      input and output are one array
    """

    def __init__(self, shape, dtype="complex64", kind="c2c", axes=None, inverse=False, norm=None, device="best",
                 memory_limit=None, threads=0, strategy="automatic", in_strides=None, out_strides=None, in_place=False):
        precision = precision_of("dtype", np.dtype(dtype))
        transform = Transform(shape, precision, kind, axes, inverse, norm)
        self.in_shape, self.out_shape = transform.in_shape, transform.out_shape
        self.in_dtype, self.out_dtype = np.dtype(transform.dtype("in")), np.dtype(transform.dtype("out"))
        self._strides = [_strides_of(in_strides, self.in_shape), _strides_of(out_strides, self.out_shape)]
        self._in_place = bool(in_place)
        text = transform.text(*self._strides, in_place=in_place)
        self._limit = limit_of(memory_limit)
        self._plan = _core.StreamPlan(text, device, int(threads), self._limit, strategy)

    def __call__(self, x, out=None, progress=None, workspace=None):
        """Transforms x into out, which is made in memory where it is not given, and returns it.

        `progress` is True for a bar on standard error, or a function of (slices done, slices) that may return False to stop.
        Ctrl-C stops it with KeyboardInterrupt; the output is then incomplete.

        `workspace` is for what stands between two passes, workspace_bytes of host memory: an array to use, or the folder of a
        temporary file. Without it that is memory, but where it exceeds memory_limit on a CPU a temporary file beside out.
        """
        if out is None:
            out = x if self._in_place else np.empty(self.out_shape, self.out_dtype)
        self._check("x", x, self.in_shape, self.in_dtype, self._strides[0])
        self._check("out", out, self.out_shape, self.out_dtype, self._strides[1], writeable=True)
        same = x.__array_interface__["data"][0] == out.__array_interface__["data"][0]
        if not (same and self._in_place) and _overlap.share(x, out):
            raise error("out", "overlaps x; give another array, or make the plan with in_place=True and give x itself")
        if self._in_place and not same:
            raise error("out", "is not x, but the plan is in place; leave out away")
        kept, address = workspace_for(self.workspace_bytes, self._limit, self.device, workspace, x, out)
        report = reporter(progress, "transform")
        try:
            finished = self._plan.execute(x.ctypes.data, out.ctypes.data, address, report)
        finally:
            if report is not None:
                report.close()
        if not finished:
            raise cancelled()
        return out

    def _check(self, argument, array, shape, dtype, strides, writeable=False):
        _, found = host_array(argument, array, writeable)
        if array.shape != shape or array.dtype != dtype:
            raise error(argument, f"is {array.dtype} {array.shape} but must be {dtype} {shape}; make another plan for it")
        if found != [s if n > 1 else 0 for n, s in zip(shape, strides)]:
            raise error(argument, f"has the strides {found} in elements but must have {strides}; "
                                  "give them to the plan as in_strides and out_strides")

    def describe(self):
        """What is done, step by step, as text."""
        return self._plan.describe()

    problem = property(lambda self: self._plan.problem, doc="The problem as text.")
    device = property(lambda self: self._plan.device, doc="'cpu' or 'cuda:0'.")
    device_bytes = property(lambda self: self._plan.device_bytes, doc="Most of the device's memory at once.")
    workspace_bytes = property(lambda self: self._plan.workspace_bytes, doc="Host memory for an array between two passes.")
    trips = property(lambda self: self._plan.trips, doc="How often the data go to the device and back.")


def _strides_of(given, shape):
    if given is not None:
        return [int(s) for s in given]
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * shape[d + 1]
    return strides


def transform(x, out=None, *, memory_limit=None, kind=None, axes=None, inverse=False, norm=None, device="best", threads=0,
              strategy="automatic", progress=None, workspace=None):
    """Transforms x into out within a limit of memory, and returns out.

    x and out are NumPy arrays, np.memmap among them, of any strides, or names of .npy files. The file that out names appears whole
    or not at all, and may be that of x. Without out the result is a new array in memory. `kind` follows from the types where it
    can: complex to complex 'c2c', real to complex 'r2c', complex to real 'c2r'; the real kinds 'dct2' and so on are given. The
    other arguments are those of Plan.

    On a CPU memory_limit is for all buffers; pages of mapped files come on top, which the system drops when it needs to. Complex to
    real, and one long axis, need an array between two passes: a temporary file where it exceeds the limit, beside out or in the
    folder `workspace`.
    """
    x = _opened("x", x)
    host_array("x", x)
    is_named = isinstance(out, (str, os.PathLike))
    given = None if is_named else out
    if given is not None:
        host_array("out", given, writeable=True)
    kind = kind or _kind_of(x, given)
    shape = list(x.shape)
    if kind == "c2r":
        if given is None:
            raise error("out", "must be an array for 'c2r', since its shape says how long the halved axis is")
        shape = given.shape
    whole = dict(kind=kind, axes=axes, inverse=inverse, norm=norm)
    wanted = Transform(shape, precision_of("x", x.dtype), **whole)
    in_place, out_strides = False, None
    if given is not None:
        _check_output(wanted, given)
        in_place = x.ctypes.data == given.ctypes.data and x.strides == given.strides and x.dtype == given.dtype
        out_strides = host_array("out", given)[1]
    plan = Plan(shape, x.dtype, **whole, device=device, memory_limit=memory_limit, threads=threads, strategy=strategy,
                in_strides=host_array("x", x)[1], out_strides=out_strides, in_place=in_place)
    if not is_named:
        return plan(x, given, progress, workspace)
    with PartFile("out", out) as part:
        made = plan(x, part.map(plan.out_dtype, plan.out_shape), progress, workspace)
        part.put_in_place(made)
    return made
