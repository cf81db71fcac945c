"""A stand-in for CuPy on the fake CUDA driver of the project's tests: as much of it as skipper/_cupy.py uses. Work on its streams
waits until something synchronises, so that results which do not come in stream order are wrong."""

import ctypes
import os
import sys
import types

import numpy as np

_driver = ctypes.CDLL(os.environ["SKIPPER_CUDA_DRIVER"])
_pointer = ctypes.c_uint64


def _call(name, *arguments):
    status = getattr(_driver, name)(*arguments)
    assert status == 0, (name, status)


_call("cuInit", 0)
_context = ctypes.c_void_p()
_call("cuDevicePrimaryCtxRetain", ctypes.byref(_context), 0)
_call("cuCtxPushCurrent_v2", _context)


class Memory:
    """As from a pool: what is let go stays allocated, and nobody waits."""

    def __init__(self, count):
        made = _pointer()
        _call("cuMemAlloc_v2", ctypes.byref(made), ctypes.c_size_t(max(count, 1)))
        self.ptr = made.value


class Stream:
    current = None

    def __init__(self):
        made = ctypes.c_void_p()
        _call("cuStreamCreate", ctypes.byref(made), 1)
        self.ptr = made.value

    def __enter__(self):
        self.before, Stream.current = Stream.current, self

    def __exit__(self, *_):
        Stream.current = self.before

    def is_capturing(self):
        return False

    def synchronize(self):
        _call("cuStreamSynchronize", ctypes.c_void_p(self.ptr))


class _Default:
    ptr = 0
    is_capturing = staticmethod(lambda: False)


class Device:
    id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class ndarray:
    """A dense array, or a view of one by strides."""

    device = Device()

    def __init__(self, shape, dtype, strides=None, data=None):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.itemsize = self.dtype.itemsize
        self.strides = strides or np.empty(self.shape, self.dtype).strides
        self.data = data or Memory(int(np.prod(self.shape)) * self.itemsize)
        self.ndim = len(self.shape)
        self.flags = types.SimpleNamespace(c_contiguous=self.strides == np.empty(self.shape, self.dtype).strides)

    def get(self):
        """To the host, without waiting for streams."""
        raw = (ctypes.c_char * (int(np.prod(self.shape)) * self.itemsize)).from_address(self.data.ptr)
        return np.frombuffer(raw, self.dtype).reshape(self.shape).copy()

    def astype(self, dtype):
        return asarray(self.get().astype(dtype))

    def transposed(self):
        return ndarray(self.shape[::-1], self.dtype, self.strides[::-1], self.data)


def asarray(x):
    x = np.ascontiguousarray(x)
    made = ndarray(x.shape, x.dtype)
    ctypes.memmove(made.data.ptr, x.ctypes.data, x.nbytes)
    return made


def install():
    """Makes it `cupy`, and its arrays ones that skipper takes for CuPy's."""
    module = types.ModuleType("cupy")
    cuda = types.ModuleType("cupy.cuda")
    cuda.alloc = Memory
    cuda.get_current_stream = lambda device=0: Stream.current or _Default
    module.cuda, module.ndarray, module.dtype, module.asarray = cuda, ndarray, np.dtype, asarray
    module.float16, module.float32 = np.float16, np.float32
    module.empty = lambda shape, dtype: ndarray(shape, dtype)
    module.zeros = lambda shape, dtype: asarray(np.zeros(shape, dtype))
    module.conjugate = lambda x: asarray(x.get().conj())
    ndarray.__module__ = "cupy"
    sys.modules["cupy"] = module
    return module
