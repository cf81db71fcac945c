"""Convolution and correlation by transforms.

    skipper.convolve(a, v, mode="same")             # as scipy.signal.fftconvolve
    blur = skipper.FilterPlan((480, 640), kernel)   # the kernel's spectrum is made once; transforms and product are one call
    blurred = blur(image)
"""
import math

import numpy as np

from . import _core, _operands, _view, fft
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
        self._is_ordered = self._order == tuple(range(rank))
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
        x.check(self.shape, self.dtype, self.device, self._is_best)
        is_ordered = self._is_ordered
        data = (x if is_ordered else x.transposed(self._order)).dense()
        given = None if out is None else _view.output(x, out, self.out_shape, self.dtype, apart=True)
        result = given if given and is_ordered else data.empty([self.out_shape[d] for d in self._order], self.dtype)
        kept, workspace = data.workspace(self.workspace_bytes)
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


def _convolved(a, v, mode, axes, correlate, threads):
    """By three transforms, of which plans are kept: for one kernel and one array that is faster than making a FilterPlan."""
    _check_mode(mode)
    ops, a, v = _operands.of(a, v)
    dtype = np.result_type(_computed(ops.dtype("a", a)), _computed(ops.dtype("v", v)))
    if dtype.itemsize > (16 if dtype.kind == "c" else 8):
        raise TypeError(f"arrays of {dtype} are not computed with; convert them to float64 or complex128")
    a, v = ops.cast(a, dtype), ops.cast(v, dtype)
    rank = a.ndim
    if v.ndim != rank:
        raise error("v", f"has {v.ndim} dimensions and a has {rank}; give both as many")
    if 0 in a.shape or 0 in v.shape:
        return ops.dense(a.reshape(-1)[:0])
    if rank == 0:
        return a * (ops.conj(v) if correlate else v)
    axes = tuple(sorted(axes_of(axes, rank)))
    _check_others(a.shape, v.shape, axes)
    _check_valid(a.shape, v.shape, mode, axes)
    if correlate and mode != "circular":
        v = ops.flip(ops.conj(v), axes)
    spans = [_span(mode, a.shape[d], v.shape[d]) for d in axes]
    is_real = dtype.kind == "f"
    sizes = [n if mode == "circular" else fft.next_fast_len(n, is_real) for n, _, _ in spans]
    workers = threads or _workers(ops, math.prod(a.shape))
    there, back = (fft.rfftn, fft.irfftn) if is_real else (fft.fftn, fft.ifftn)
    kernel = there(v, sizes, axes, workers=workers)
    product = there(a, sizes, axes, workers=workers) * (ops.conj(kernel) if correlate and mode == "circular" else kernel)
    result = back(product, sizes, axes, workers=workers)
    kept = [slice(None)] * rank
    for d, (_, first, count) in zip(axes, spans):
        kept[d] = slice(first, first + count)
    return ops.dense(result[tuple(kept)])


def _workers(ops, elements):
    """All cores for NumPy arrays that are worth it; what other libraries have set for theirs."""
    return None if not ops.has_workers else -1 if elements >= 1 << 15 else 1


def _check_others(a, v, axes):
    """Sizes of the axes that are not convolved."""
    for d in range(len(a)):
        if d not in axes and a[d] != v[d] and 1 not in (a[d], v[d]):
            raise error("v", f"has the size {v[d]} along axis {d} and a has {a[d]}; sizes of axes that are not convolved are equal, "
                             "or one of them is 1")


def _span(mode, n, k):
    """The least length of the transform, and the first and the number of the outputs: what wraps round is in none of these."""
    if mode == "circular":
        if k > n:
            raise error("v", f"has {k} elements along an axis and a has {n}; a circular convolution takes at most as many")
        return n, 0, n
    if mode == "same":
        return max(n + k // 2, k), (k - 1) // 2, n
    if mode == "valid":
        return max(n, k), min(n, k) - 1, abs(n - k) + 1
    return n + k - 1, 0, n + k - 1


def _check_valid(a, v, mode, axes):
    if mode == "valid" and not (all(a[d] >= v[d] for d in axes) or all(v[d] >= a[d] for d in axes)):
        raise error("mode", f"is 'valid', but of the shapes {tuple(a)} and {tuple(v)} neither is at least as large along every axis; "
                            "use 'full' or 'same'")


def convolve(a, v, mode="full", axes=None, *, threads=0):
    """The convolution of two arrays, with the meaning of scipy.signal.fftconvolve(a, v, mode, axes).

    mode  'full', 'same' (centred, of a's shape), 'valid' (what no padding enters), or 'circular': a repeats
    axes  along which is convolved, all unless given; along the others sizes are equal or 1, and the result has the larger
          (of which SciPy's 'same' keeps only the middle one)

    The result is an array of the library and on the device of a, with derivatives where skipper.fft has them. Integers are computed
    as float64, float16 as float32. For many arrays and one kernel a FilterPlan takes less than half the time.
    """
    return _convolved(a, v, mode, axes, False, threads)


def correlate(a, v, mode="full", axes=None, *, threads=0):
    """The cross-correlation of two arrays, with the meaning of scipy.signal.correlate(a, v, mode): sums of a times conjugated v.

    mode and axes as those of convolve(). Integers give float64, not integers.
    """
    return _convolved(a, v, mode, axes, True, threads)
