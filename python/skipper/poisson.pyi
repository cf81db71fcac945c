"""Types of skipper.poisson."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

_Array = TypeVar("_Array")
_Boundary = Literal["periodic", "neumann", "dirichlet"]
_Boundaries = _Boundary | Sequence[_Boundary | tuple[_Boundary, _Boundary]]
_Centring = Literal["cell", "node"]
_Values = Mapping[int, tuple[ArrayLike | None, ArrayLike | None]]
_Progress = bool | Callable[[int, int], Any] | None

__all__: list[str]

class Solver:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    defect: float
    is_singular: bool
    is_streamed: bool
    axes: list[Any]
    def __init__(self, shape: int | Sequence[int], dtype: DTypeLike = ..., bc: _Boundaries = ...,
                 box: float | Sequence[float] | None = ..., *, centring: _Centring | Sequence[_Centring] = ..., shift: float = ...,
                 symbols: Literal["second_order", "spectral"] = ..., tridiagonal: int | None = ...,
                 coordinates: Mapping[int, ArrayLike] | None = ..., zero_mode: Literal["zero_mean", "pin", "error"] = ...,
                 device: str = ..., threads: int = ..., memory_limit: float | None = ...,
                 strategy: Literal["automatic", "host_and_device", "device_only"] = ...) -> None: ...
    def __call__(self, f: _Array, out: _Array | None = ..., *, values: _Values | None = ..., progress: _Progress = ...,
                 workspace: Any = ...) -> _Array: ...
    def points(self) -> tuple[NDArray[np.float64], ...]: ...
    def describe(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def device_bytes(self) -> int: ...
    @property
    def trips(self) -> int: ...

def points(shape: int | Sequence[int], bc: _Boundaries = ..., box: float | Sequence[float] | None = ...,
           centring: _Centring | Sequence[_Centring] = ...,
           coordinates: Mapping[int, ArrayLike] | None = ...) -> tuple[NDArray[np.float64], ...]: ...
def solve(f: _Array, bc: _Boundaries = ..., box: float | Sequence[float] | None = ..., *, values: _Values | None = ...,
          out: _Array | None = ..., progress: _Progress = ..., workspace: Any = ..., device: str | None = ..., **problem: Any) -> _Array: ...
