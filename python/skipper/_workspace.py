"""Host memory for an array between two passes of a streamed execution. Where a limit of memory is set it is a temporary file."""
import mmap
import os
import tempfile

import numpy as np

from . import _overlap
from ._problem import error


def take_space(file, count, argument):
    """Takes the disk's space for a file now: a page that is missing later would end the process by a signal."""
    try:
        os.posix_fallocate(file, 0, count)
    except OSError as e:
        raise error(argument, f"needs {count / 1e9:.3g} GB of disk: {e.strerror}; free some, or name another folder") from e


def workspace(needed, limit, device, given, x, out):
    """What keeps so many bytes, and their address; 0 where C++ takes memory itself.

    given  None, an array to use, or the folder of a temporary file
    limit  of memory, 0 for none; on a GPU it is that of the device, and host memory is taken
    x, out the arrays of the execution; a temporary file is made beside the file of out
    """
    if isinstance(given, np.ndarray):
        if given.nbytes < needed or not given.flags.c_contiguous or not given.flags.writeable or given.ctypes.data % 64:
            raise error("workspace", f"must have {needed} bytes that can be written to, contiguous and aligned to 64; "
                                     "np.memmap of a file is")
        if _overlap.share(x, given) or _overlap.share(out, given):
            raise error("workspace", "overlaps the input or the output; give an array of its own")
        return given, given.ctypes.data
    is_file = given is not None or (limit and needed > limit and device == "cpu")
    if not needed or not is_file:
        return None, 0
    name = getattr(out, "filename", None)
    folder = given or (os.path.dirname(os.path.abspath(name)) if name else tempfile.gettempdir())
    try:
        file = tempfile.TemporaryFile(dir=folder)
    except (OSError, TypeError) as e:
        raise error("workspace", f"is no folder for a temporary file: {e}") from e
    with file:
        take_space(file.fileno(), needed, "workspace")
        mapped = np.frombuffer(mmap.mmap(file.fileno(), needed), np.uint8)
    return mapped, mapped.ctypes.data
