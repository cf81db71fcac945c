"""Types of skipper.convolution. Arrays are those of NumPy, CuPy, PyTorch or JAX; results are of the library that came in."""
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import DTypeLike

_Array = TypeVar("_Array")
_Mode = Literal["full", "same", "valid", "circular"]

__all__: list[str]

class FilterPlan:
    shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    axes: tuple[int, ...]
    dtype: np.dtype[Any]
    def __init__(self, shape: int | Sequence[int], kernel: Any, axes: int | Sequence[int] | None = ..., *, mode: _Mode = ...,
                 dtype: DTypeLike | None = ..., correlate: bool = ..., scale: float = ..., device: str = ...,
                 threads: int = ...) -> None: ...
    def __call__(self, x: _Array, out: _Array | None = ...) -> _Array: ...
    def describe(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def workspace_bytes(self) -> int: ...

def convolve(a: _Array, v: Any, mode: _Mode = ..., axes: int | Sequence[int] | None = ..., *, threads: int = ...) -> _Array: ...
def correlate(a: _Array, v: Any, mode: _Mode = ..., axes: int | Sequence[int] | None = ..., *, threads: int = ...) -> _Array: ...
