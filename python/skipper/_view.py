"""Arrays as the classes of this package see them: address, shape, type, device and stream, whichever library they belong to.

NumPy arrays are taken as they are. Those of CuPy and PyTorch go through the modules of their libraries (_exchange.py says what
these have): results are arrays of the same library on the same device, in its current stream. JAX arrays are copied to NumPy and back.
"""
import numpy as np

from . import _dispatch, _overlap
from ._problem import error

_SCALARS = ["float16", "bfloat16", "float32", "float64", "complex32", "complex_bfloat16", "complex64", "complex128"]  # as in _core


def of(argument, given):
    """The argument as one of the classes below. Lists and numbers become NumPy arrays."""
    if isinstance(given, NumpyArray):
        return given
    library = None if isinstance(given, np.ndarray) else _dispatch._library(given)
    if library is None:
        return NumpyArray(argument, np.asarray(given))
    if library.__name__ == "skipper._jax":
        return NumpyArray(argument, np.asarray(given), library.jnp.asarray)
    if library.__name__ == "skipper._cupy" and not isinstance(given, library.cupy.ndarray):
        given = library.cupy.asarray(given)
    return LibraryArray(argument, given, library)


def host_of(argument, given):
    """A NumPy array of the same values; arrays of a GPU are copied."""
    return of(argument, given).to_host()


class NumpyArray:
    """`given` is the array itself; methods return new ones and copy only where they must. `wrap` makes the user's array of a result."""

    device = "cpu"

    def __init__(self, argument, given, wrap=None):
        self.argument, self.given, self._wrap = argument, given, wrap
        self.shape, self.dtype = given.shape, given.dtype

    def _new(self, given):
        return NumpyArray(self.argument, given, self._wrap)

    def check(self, shape, dtype, device, is_best=False):
        """Whether a plan for this shape, type and device takes it. The best device also takes host arrays, which it stages."""
        if self.dtype != dtype:
            raise error(self.argument, f"has elements of {self.dtype} but must have {dtype}; convert it, or make another plan")
        if tuple(self.shape) != tuple(shape):
            raise error(self.argument, f"has the shape {tuple(self.shape)} but must have {tuple(shape)}; make another plan for it")
        if self.device != device and not (is_best and self.device == "cpu"):
            raise error(self.argument, f"lies on {self.device} and the plan is for {device}; make one with device={self.device!r}, "
                                       "or move the array")

    def check_output(self):
        if not self.given.flags.writeable:
            raise error("out", "cannot be written to; give another array")
        if not self.given.flags.c_contiguous:
            raise error("out", "is not contiguous; give a row-major array")

    def memory(self):
        """A NumPy array of the same addresses, which are compared and not read."""
        return self.given

    def pointer(self):
        """Address of a dense array."""
        return self.given.__array_interface__["data"][0]

    def stream(self):
        return 0

    def workspace(self, count):
        """What keeps so many bytes beside the array, and their address; 0: C++ takes what it needs."""
        return None, 0

    def empty(self, shape, dtype):
        return NumpyArray("out", np.empty(shape, dtype), self._wrap)

    def dense(self):
        return self if self.given.flags.c_contiguous else self._new(np.ascontiguousarray(self.given))

    def transposed(self, order):
        return self._new(self.given.transpose(order))

    def cast(self, dtype):
        return self._new(self.given.astype(dtype, copy=False))

    def copy_to(self, out):
        out.given[...] = self.given

    def returned(self):
        """The array for the user, of the library that it came from."""
        return self._wrap(self.given) if self._wrap else self.given

    def to_host(self):
        return self.given


class LibraryArray(NumpyArray):
    """An array of CuPy or PyTorch. What both have under one name is called by it; `permute` tells PyTorch."""

    def __init__(self, argument, given, library):
        self.argument, self.given, self._library = argument, given, library
        scalar = library.scalar(given)
        self.shape = tuple(given.shape)
        self.dtype = np.dtype(str(given.dtype).rpartition(".")[2]) if scalar is None else _dtype(argument, _SCALARS[scalar])
        index = given.get_device() if hasattr(given, "permute") else given.device.id
        self.device = "cpu" if index < 0 else f"cuda:{index}"

    def _new(self, given):
        return LibraryArray(self.argument, given, self._library)

    def check(self, shape, dtype, device, is_best=False):
        super().check(shape, dtype, device, is_best)
        if getattr(self.given, "requires_grad", False) and self._library.torch.is_grad_enabled():
            raise error(self.argument, "requires a gradient, which plans have none of; give detach() of it, or use skipper.convolve "
                                       "or skipper.fft")

    def check_output(self):
        if not self._is_dense():
            raise error("out", "is not contiguous; give a row-major array")

    def _is_dense(self):
        given = self.given
        return given.is_contiguous() if hasattr(given, "permute") else given.flags.c_contiguous

    def memory(self):
        given = self.given
        bytes_ = given.element_size() if hasattr(given, "permute") else given.itemsize
        strides = [s * bytes_ for s in given.stride()] if hasattr(given, "permute") else given.strides
        return _overlap.at(self.pointer(), self.shape, strides, bytes_)

    def pointer(self):
        return self._library.pointer(self.given)

    def stream(self):
        return self._library.stream(self.given) if self.device != "cpu" else 0

    def workspace(self, count):
        return (None, 0) if self.device == "cpu" else self._library.workspace(self.given, count)

    def empty(self, shape, dtype):
        return LibraryArray("out", self._library.empty(self.given, tuple(shape), _SCALARS.index(str(dtype))), self._library)

    def dense(self):
        """Dense, without conjugations to come, and where kernels can load pairs."""
        given = self._library.described(self.given)[0]
        return self._new(given.contiguous() if hasattr(given, "permute") else given if given.flags.c_contiguous else given.copy("C"))

    def transposed(self, order):
        return self._new(self.given.permute(*order) if hasattr(self.given, "permute") else self.given.transpose(order))

    def cast(self, dtype):
        return self._new(self._library.converted(self.given, _SCALARS.index(str(dtype))))

    def copy_to(self, out):
        out.given[...] = self.given

    def to_host(self):
        given = self.given
        return given.detach().resolve_conj().cpu().numpy() if hasattr(given, "permute") else given.get()

    def returned(self):
        return self.given


def _dtype(argument, name):
    if name in ("bfloat16", "complex32", "complex_bfloat16"):
        raise error(argument, f"has elements of {name}; convert it to float32, float64, complex64 or complex128")
    return np.dtype(name)


def output(x, out, shape, dtype, apart=False):
    """Where results go: a new array like x, or out, which must be one that they can be written to. apart: not x itself."""
    if out is None:
        return x.empty(shape, dtype)
    result = NumpyArray("out", out) if isinstance(out, np.ndarray) else of("out", out)
    if result.given is not out:
        raise error("out", f"is a {type(out).__name__} but must be an array that can be written to, of the library of the input")
    if result.device != x.device:
        raise error("out", f"lies on {result.device} and the input on {x.device}; give one beside it")
    result.check(shape, dtype, x.device)
    result.check_output()
    if (apart or result.pointer() != x.pointer()) and _overlap.share(x.memory(), result.memory()):
        raise error("out", "overlaps the input; give another array" + ("" if apart else ", or the input itself"))
    return result
