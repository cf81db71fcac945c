"""What convolutions do with arrays of each library beside transforms, by functions that the library can differentiate."""
import numpy as np

from . import _dispatch
from ._problem import error


def of(a, v):
    """The operations of a's library, and both as arrays of it on a's device. Lists and numbers become NumPy arrays."""
    library = None if isinstance(a, np.ndarray) else _dispatch._library(a)
    if library is None:
        other = None if isinstance(v, np.ndarray) else _dispatch._library(v)
        if other is not None:
            raise error("v", f"is a {type(v).__name__} and a is none; give both of one library")
        return _Operations(np), np.asarray(a), np.asarray(v)
    if library.__name__ == "skipper._torch":
        return _TorchOperations(library.torch), a, library.torch.as_tensor(v, device=a.device)
    xp = library.jnp if library.__name__ == "skipper._jax" else library.cupy
    return _Operations(xp), xp.asarray(a), xp.asarray(v)


class _Operations:
    """Of NumPy, CuPy and JAX, whose names are the same."""

    def __init__(self, xp):
        self._xp = xp
        self.has_workers = xp is np

    def dtype(self, argument, x):
        try:
            return np.dtype(str(x.dtype).rpartition(".")[2])
        except TypeError:
            raise error(argument, f"has elements of {x.dtype}; convert it to float32, float64, complex64 or complex128") from None

    def cast(self, x, dtype):
        return x.astype(dtype, copy=False)

    def flip(self, x, axes):
        return self._xp.flip(x, axes)

    def conj(self, x):
        return self._xp.conj(x)

    def dense(self, x):
        return self._xp.ascontiguousarray(x) if hasattr(self._xp, "ascontiguousarray") else x


class _TorchOperations(_Operations):
    """Transforms of tensors have as many threads as PyTorch unless others are named."""

    def cast(self, x, dtype):
        return x.to(getattr(self._xp, str(dtype)))

    def flip(self, x, axes):
        return x.flip(tuple(axes))

    def conj(self, x):
        return x.conj().resolve_conj()

    def dense(self, x):
        return x.contiguous()
