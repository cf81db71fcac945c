"""Whether two arrays share memory, as one piece of memory or as two mappings of one part of a file."""
import mmap
import os

import numpy as np

_MOST_WORK = 10**4  # some milliseconds; whether strided arrays meet can take for ever to find out


class _Memory:
    """What NumPy makes an array of. Nothing is read, so the address may be a GPU's."""

    def __init__(self, address, shape, strides, bytes_):
        self.__array_interface__ = dict(version=3, data=(address, True), shape=shape, strides=strides,
                                        typestr=f"|V{bytes_}")


def at(address, shape, strides, bytes_):
    """An array to compare with others; strides count bytes, as do the elements."""
    return np.asarray(_Memory(address, tuple(shape), tuple(strides), bytes_))


def share_at(a, b):
    """Whether arrays that are described as for at() have an element in common."""
    return _share(at(*a), at(*b))


def share(x, out):
    """Whether what is written to the array `out` changes x. What would take too long to find out counts as yes."""
    return _share(x, out) or are_one_file(x, out)


def _share(a, b):
    try:
        return np.shares_memory(a, b, max_work=_MOST_WORK)
    except np.exceptions.TooHardError:
        return True


def are_one_file(x, out):
    """Whether both are mapped from one part of a file, and what is written to `out` gets into the file."""
    if not (_is_mapped(x) and _is_mapped(out)):
        return False
    return any(file == other and first < last_of_other and first_of_other < last
               for file, first, last, is_shared in _mapped_parts(out) if is_shared
               for other, first_of_other, last_of_other, _ in _mapped_parts(x))


def _is_mapped(array):
    owner = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    return isinstance(owner.obj if isinstance(owner, memoryview) else owner, mmap.mmap)


def _span(array):
    """The addresses of the first byte and behind the last one."""
    steps = [(n - 1) * stride for n, stride in zip(array.shape, array.strides)]
    first = array.__array_interface__["data"][0]
    return first + sum(min(s, 0) for s in steps), first + sum(max(s, 0) for s in steps) + array.itemsize


def _mapped_parts(array):
    """(device and inode, first byte, end, whether writing gets into the file) of what the array spans."""
    if array.size == 0:
        return
    first, end = _span(array)
    with open(f"/proc/{os.getpid()}/maps") as maps:
        for line in maps:
            addresses, rights, offset, device, inode = line.split(maxsplit=5)[:5]
            low, high = (int(a, 16) for a in addresses.split("-"))
            if inode != "0" and low < end and first < high:
                begin = int(offset, 16) - low
                yield (device, inode), begin + max(first, low), begin + min(end, high), rights[3] == "s"
