"""The plans that the functions of skipper.fft keep, so that a second call of the same shape makes none.

The least recently used plan goes first. All threads share the cache.
"""

from typing import NamedTuple

from skipper import _core

__all__ = ["Info", "clear", "info", "set_limit"]


class Info(NamedTuple):
    """Calls that found their plan, calls that made one, plans dropped to stay within the limit, plans kept, the limit."""

    hits: int
    misses: int
    evictions: int
    size: int
    limit: int


def info() -> Info:
    """What the cache has done since the last clear()."""
    return Info(*_core.cache_info())


def clear() -> None:
    """Drop all plans and begin the statistics anew."""
    _core.cache_clear()


def set_limit(limit: int) -> None:
    """Keep at most this many plans; 0 keeps none."""
    _core.cache_set_limit(limit)
