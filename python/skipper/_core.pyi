"""Types of what the compiled module shows to users: skipper.Plan, skipper.Error and the list of devices."""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

Array = Any
version: str

class Error(ValueError, RuntimeError):
    argument: str

class Plan:
    def __init__(
        self,
        shape: SupportsIndex | Sequence[SupportsIndex],
        dtype: Any = "complex128",
        kind: str | Sequence[str] | None = None,
        axes: SupportsIndex | Sequence[SupportsIndex] | None = None,
        *,
        inverse: bool = False,
        norm: Literal["backward", "ortho", "forward"] | None = "backward",
        scale: float = 1.0,
        threads: SupportsIndex = 0,
        device: str = "cpu",
    ) -> None: ...
    def __call__(self, x: Array, out: Array | None = None, stream: int | None = None) -> Array: ...
    def inverse(self) -> Plan: ...
    def describe(self) -> str: ...
    @property
    def problem(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def workspace_bytes(self) -> int: ...

def devices() -> list[dict[str, Any]]: ...
def missing_for_gpu() -> list[str]: ...
def __getattr__(name: str) -> Any: ...
