"""Types of skipper.stream."""
import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from skipper._core import Error

_Kind = str | Sequence[str]
_Norm = Literal["backward", "ortho", "forward"] | None
_Progress = bool | Callable[[int, int], Any] | None
_Strategy = Literal["automatic", "host_and_device", "device_only"]

__all__: list[str]

class Cancelled(Error): ...

class Plan:
    in_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    in_dtype: np.dtype[Any]
    out_dtype: np.dtype[Any]
    def __init__(self, shape: Sequence[int], dtype: DTypeLike = ..., kind: _Kind = ..., axes: int | Sequence[int] | None = ...,
                 inverse: bool = ..., norm: _Norm = ..., device: str = ..., memory_limit: float | None = ..., threads: int = ...,
                 strategy: _Strategy = ..., in_strides: Sequence[int] | None = ..., out_strides: Sequence[int] | None = ...,
                 in_place: bool = ...) -> None: ...
    def __call__(self, x: NDArray[Any], out: NDArray[Any] | None = ..., progress: _Progress = ...,
                 workspace: NDArray[Any] | str | os.PathLike[str] | None = ...) -> NDArray[Any]: ...
    def describe(self) -> str: ...
    @property
    def problem(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def device_bytes(self) -> int: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def trips(self) -> int: ...

def transform(x: NDArray[Any] | str | os.PathLike[str], out: NDArray[Any] | str | os.PathLike[str] | None = ..., *,
              memory_limit: float | None = ..., kind: _Kind | None = ..., axes: int | Sequence[int] | None = ...,
              inverse: bool = ..., norm: _Norm = ..., device: str = ..., threads: int = ..., strategy: _Strategy = ...,
              progress: _Progress = ...,
              workspace: NDArray[Any] | str | os.PathLike[str] | None = ...) -> NDArray[Any]: ...
