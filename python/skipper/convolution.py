"""Convolution and correlation by fused transforms: forward, product with the kernel's spectrum and inverse in one call.

    skipper.convolve(a, v, mode="same")             # as scipy.signal.fftconvolve
    blur = skipper.FilterPlan((480, 640), kernel)   # the kernel's spectrum is made once
    blurred = blur(image)
"""
import math

import numpy as np

from . import _core, _view
from ._problem import axes_of, error, precision_of

__all__ = ["FilterPlan", "convolve", "correlate"]

_MODES = ("full", "same", "valid", "circular")


def _check_mode(mode):
    if mode not in _MODES:
        raise error("mode", f"is {mode!r} but must be one of {', '.join(map(repr, _MODES))}")


class FilterPlan:
    """A convolution with one kernel, or with one for each array of a batch, made ready for arrays of one shape.

    shape     of the data
    kernel    along `axes` it has the kernel's sizes; along the others 1, or the data's size for a kernel of each. A kernel
              with as many dimensions as there are axes is the same for all
    axes      along which is convolved; the last kernel.ndim ones unless given
    mode      'same' (the default here), 'full' and 'valid' as in scipy.signal.fftconvolve, or 'circular', where the data repeat
    dtype     of data and result; that of the kernel unless given
    correlate sums of data times conjugated kernel at growing offsets, as scipy.signal.correlate
    scale     of the results
    device    'cpu', 'cuda:0' or 'best', which also takes arrays of the host where it is a GPU
    threads   of a CPU; 0: one a core
    """

    def __init__(self, shape, kernel, axes=None, *, mode="same", dtype=None, correlate=False, scale=1.0, device="cpu",
                 threads=0):
        _check_mode(mode)
        self._is_best = device == "best"
        self.shape = (int(shape),) if np.isscalar(shape) else tuple(int(n) for n in shape)
        kernel = _view.host_of("kernel", kernel)
        self.dtype = np.dtype(dtype) if dtype is not None else _computed(kernel.dtype)
        rank = len(self.shape)
        if axes is None and kernel.ndim > rank:
            raise error("kernel", f"has {kernel.ndim} dimensions and the data {rank}; give at most as many")
        self.axes = tuple(sorted(axes_of(range(rank - kernel.ndim, rank) if axes is None else axes, rank)))
        self._batch = tuple(d for d in range(rank) if d not in self.axes)
        if kernel.ndim == len(self.axes) != rank:
            kernel = kernel.reshape([kernel.shape[self.axes.index(d)] if d in self.axes else 1 for d in range(rank)])
        if kernel.ndim != rank:
            raise error("kernel", f"has {kernel.ndim} dimensions; give {rank} as the data have, or {len(self.axes)} as axes are")
        if kernel.dtype.kind == "c" and self.dtype.kind != "c":
            raise error("dtype", f"is {self.dtype} but the kernel is complex; give complex64 or complex128")
        counts = [kernel.shape[d] for d in self._batch]
        batch = [self.shape[d] for d in self._batch]
        for d, count in zip(self._batch, counts):
            if count not in (1, self.shape[d]):
                raise error("kernel", f"has the size {count} along axis {d}, which is not convolved; give 1, or "
                                      f"{self.shape[d]} for a kernel of each")
        self._order = self._batch + self.axes
        own = [kernel.shape[d] for d in self.axes]
        kernel = kernel.transpose(self._order)
        if any(count > 1 for count in counts):
            kernel = np.broadcast_to(kernel, batch + own)
        kernel = np.ascontiguousarray(kernel, dtype=self.dtype)
        sizes = [self.shape[d] for d in self.axes]
        if 0 in self.shape or 0 in own:
            raise error("shape" if 0 in self.shape else "kernel", "has an axis of size 0; give at least 1")
        self._plan = _core.Convolution(sizes, own, kernel.ctypes.data, mode, bool(correlate), self.dtype.kind == "c",
                                       precision_of("dtype", self.dtype), math.prod(batch),
                                       math.prod(batch) if any(count > 1 for count in counts) else 1, float(scale), device,
                                       int(threads))
        self._bytes = 2 * math.prod(self.shape) * self.dtype.itemsize if self._plan.device == "cpu" else 0
        out_sizes = iter(self._plan.out_shape)
        self.out_shape = tuple(next(out_sizes) if d in self.axes else self.shape[d] for d in range(rank))

    def __call__(self, x, out=None):
        """Filters x and returns the result, in out where it is given; on the device and of the library of x."""
        x = _view.of("x", x)
        x.check(self.shape, self.dtype, self._plan.device, self._is_best)
        is_ordered = self._order == tuple(range(len(self.shape)))
        data = (x if is_ordered else x.transposed(self._order)).dense()
        given = None if out is None else _view.output(x, out, self.out_shape, self.dtype, apart=True)
        result = given if given and is_ordered else data.empty([self.out_shape[d] for d in self._order], self.dtype)
        kept, workspace = data.workspace(self._plan.workspace_bytes)
        self._plan.execute(data.pointer(), result.pointer(), data.stream(), workspace, self._bytes, (data.given, result.given))
        del kept  # allocators of GPU memory order its next use behind this stream
        if not is_ordered:
            result = result.transposed([self._order.index(d) for d in range(len(self._order))])
            if given:
                result.copy_to(given)
        return (given or result).returned()

    def describe(self):
        """What is done, step by step, as text."""
        return self._plan.describe()

    device = property(lambda self: self._plan.device, doc="'cpu' or 'cuda:0'.")
    workspace_bytes = property(lambda self: self._plan.workspace_bytes, doc="Memory that a call needs beyond its arrays.")


def _computed(dtype):
    """The type that a type is computed in: integers as float64."""
    if dtype.kind in "biu":
        return np.dtype(np.float64)
    if dtype.kind not in "fc":
        raise TypeError(f"arrays of {dtype} are not computed with; convert them to a real or complex type")
    return np.result_type(dtype.newbyteorder("="), np.float32)


def _result_type(a, v):
    dtype = np.result_type(_computed(a.dtype), _computed(v.dtype))
    if dtype.itemsize > (16 if dtype.kind == "c" else 8):
        raise TypeError(f"arrays of {dtype} are not computed with; convert them to float64 or complex128")
    return dtype


def _swaps(a, v, axes, mode):
    """Whether the first is the kernel: where only outputs without padding are wanted and the second is the larger one."""
    if mode != "valid":
        return False
    larger = all(a.shape[d] >= v.shape[d] for d in axes)
    if not larger and not all(v.shape[d] >= a.shape[d] for d in axes):
        raise error("mode", f"is 'valid', but of the shapes {a.shape} and {v.shape} neither is at least as large along every "
                            "axis; use 'full' or 'same'")
    return not larger


def _convolved(a, v, mode, axes, correlate, threads):
    _check_mode(mode)
    a, v = _view.of("a", a), _view.of("v", v)
    rank = len(a.shape)
    if len(v.shape) != rank:
        raise error("v", f"has {len(v.shape)} dimensions and a has {rank}; give both as many")
    dtype = _result_type(a, v)
    if 0 in a.shape or 0 in v.shape:
        return a.empty((0,), dtype).returned()
    if rank == 0:
        return a.given * (v.conjugated() if correlate else v).given
    axes = tuple(sorted(axes_of(axes, rank)))
    swapped = _swaps(a, v, axes, mode)
    data, kernel = (v, a) if swapped else (a, v)
    shape = list(data.shape)
    for d in range(rank):
        if d not in axes:
            if data.shape[d] != kernel.shape[d] and 1 not in (data.shape[d], kernel.shape[d]):
                raise error("v", f"has the size {v.shape[d]} along axis {d} and a has {a.shape[d]}; sizes of axes that are not "
                                 "convolved are equal, or one of them is 1")
            shape[d] = max(data.shape[d], kernel.shape[d])
    plan = FilterPlan(shape, kernel, axes, mode=mode, dtype=dtype, correlate=correlate, device=data.device,
                      threads=threads)
    x = data.cast(dtype)
    if tuple(shape) != tuple(x.shape):
        x = x.broadcast(shape)
    result = _view.of("result", plan(x))
    if swapped and correlate:  # sums at falling offsets instead of growing ones, and the other one conjugated
        result = result.flipped(axes).conjugated()
    return result.returned()


def convolve(a, v, mode="full", axes=None, *, threads=0):
    """The convolution of two arrays, with the meaning of scipy.signal.fftconvolve(a, v, mode, axes).

    mode  'full', 'same' (centred, of a's shape), 'valid' (what no padding enters), or 'circular': a repeats
    axes  along which is convolved, all unless given; along the others sizes are equal or 1, and the result has the larger
          (of which SciPy's 'same' keeps only the middle one)

    The result is an array of the library and on the device of a. Integers are computed as float64, float16 as float32. For many
    arrays and one kernel, FilterPlan spares the kernel's transform.
    """
    return _convolved(a, v, mode, axes, False, threads)


def correlate(a, v, mode="full", axes=None, *, threads=0):
    """The cross-correlation of two arrays, with the meaning of scipy.signal.correlate(a, v, mode): sums of a times conjugated v.

    mode and axes as those of convolve(). Integers give float64, not integers.
    """
    return _convolved(a, v, mode, axes, True, threads)
