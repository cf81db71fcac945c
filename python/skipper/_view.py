"""Arrays as the classes of this package see them: address, shape, type, device and stream, whichever library they belong to."""
import contextlib

import numpy as np

from ._problem import error


class Array:
    """An array of a user. `given` is the array itself; methods return new ones and copy only where they say so."""

    def __init__(self, argument, given, dtype=None):
        self.argument = argument
        if not isinstance(given, np.ndarray):
            raise error(argument, f"is a {type(given).__name__} but must be a NumPy array")
        self.given = given
        self.shape = tuple(given.shape)
        self.dtype = given.dtype
        self.device = "cpu"
        self.is_numpy = True
        if dtype is not None and self.dtype != dtype:
            raise error(argument, f"has elements of {self.dtype} but must have {dtype}; convert it, or make another plan")

    @classmethod
    def any(cls, argument, given):
        """The same of what need not be an array yet."""
        return cls(argument, np.asarray(given))

    @staticmethod
    def host_of(argument, given):
        """A NumPy array of the same values."""
        return np.asarray(given)

    def check(self, shape, device, is_host=False, is_dense=True):
        if self.shape != tuple(shape):
            raise error(self.argument, f"has the shape {self.shape} but must have {tuple(shape)}; make another plan for it")
        if is_dense and not self.given.flags.c_contiguous:
            self.given = np.ascontiguousarray(self.given)

    @property
    def address(self):
        return self.given.ctypes.data

    @contextlib.contextmanager
    def stream(self):
        yield 0

    def empty(self, shape, dtype):
        return Array("out", np.empty(shape, dtype))

    def dense(self):
        return Array(self.argument, np.ascontiguousarray(self.given))

    def transposed(self, order):
        return Array(self.argument, self.given.transpose(order))

    def cast(self, dtype):
        return Array(self.argument, self.given.astype(dtype, copy=False))

    def broadcast(self, shape):
        return Array(self.argument, np.broadcast_to(self.given, shape))

    def flipped(self, axes):
        return Array(self.argument, np.flip(self.given, axes))

    def conjugated(self):
        return Array(self.argument, self.given.conj())

    def copied_into(self, out):
        out[...] = self.given
        return out

    def returned(self):
        return self.given


def checked_out(x, out, shape, dtype, apart=False):
    """Where results go: a new array like x, or out, which must be one that they can be written to."""
    if out is None:
        return x.empty(shape, dtype)
    result = Array("out", out, dtype)
    if result.shape != tuple(shape):
        raise error("out", f"has the shape {result.shape} but the result has {tuple(shape)}")
    if not out.flags.writeable:
        raise error("out", "cannot be written to; give another array")
    if not out.flags.c_contiguous:
        raise error("out", "is not contiguous; give a row-major array")
    if apart and np.may_share_memory(x.given, out):
        raise error("out", "overlaps the input; give another array")
    return result
