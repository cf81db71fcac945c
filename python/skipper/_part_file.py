"""Output files that appear whole or not at all, by the rules of the command line.

A file is written beside its target under a name of its own, and then renamed. A program that is killed outright leaves
it, with a lock that ends with the program; whoever writes the same target next finds and removes it.
"""
import fcntl
import os
import re
import secrets
import stat

import numpy as np

from ._problem import error
from ._workspace import take_space

_MARK, _DIGITS, _LONGEST_NAME = ".skipper-part-", 16, 255


class PartFile:
    """To be used in a `with`, at whose end the file goes unless it was put in place. Symbolic links stay."""

    def __init__(self, argument, name):
        self._argument, self._name = argument, os.fsdecode(name)
        self._target, self._before = self._target_of()
        folder, base = os.path.split(self._target)
        self._beginning = base[:_LONGEST_NAME - len(_MARK) - _DIGITS] + _MARK
        self._remove_left_overs(folder)
        self._path, self._file = self._created(folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._path and os.path.lexists(self._path):
            os.unlink(self._path)
        os.close(self._file)

    def map(self, dtype, shape):
        """The file as a .npy array of this type and shape, for which the disk's space is taken."""
        made = np.lib.format.open_memmap(self._path, "w+", dtype=dtype, shape=shape)
        take_space(self._file, os.fstat(self._file).st_size, self._argument)
        return made

    def put_in_place(self, array):
        """Brings map()'s array to the disk, and the file to its name with the owner and mode of the one before."""
        array.flush()
        if self._before:
            _copy_attributes(self._target, self._file)
            _copy_owner_and_mode(self._before, self._file)
        try:
            os.fsync(self._file)
            os.rename(self._path, self._target)
        except OSError as e:
            raise self._failure("cannot be replaced", e) from e
        self._path = None
        array.filename = self._target

    def _failure(self, what, e=None):
        return error(self._argument, f"{self._name} {what}" + (f": {e.strerror}" if e else ""))

    def _target_of(self):
        """The path at the end of all links, and the facts of the file there; None where none is."""
        if not self._name:
            raise error(self._argument, "is an empty name; give that of a file")
        absolute = os.path.abspath(self._name)
        if absolute.startswith(("/proc/", "/dev/fd/")) or absolute in ("/dev/stdin", "/dev/stdout", "/dev/stderr"):
            raise self._failure("is an open file of a program, which cannot be replaced; give the name of a file")
        target = os.path.realpath(absolute)
        try:
            before = os.stat(self._name)  # the system itself follows the links: it knows whose it does not
        except FileNotFoundError:
            before = None
        except OSError as e:
            raise self._failure("cannot be written", e) from e
        if self._name.endswith("/") or (before and stat.S_ISDIR(before.st_mode)):
            raise self._failure("is a folder; give the name of a file in it")
        if before and not stat.S_ISREG(before.st_mode):
            raise self._failure("is no regular file, and others cannot be mapped; give the name of one")
        if before and not os.access(target, os.W_OK):
            raise self._failure("is protected and stays as it is; give another name")
        if not os.access(os.path.dirname(target), os.W_OK | os.X_OK):
            raise self._failure("lies in a folder that is missing or where nothing can be written; give another name")
        return target, before

    def _remove_left_overs(self, folder):
        pattern = re.compile(re.escape(self._beginning) + f"[0-9a-f]{{{_DIGITS}}}")
        for name in filter(pattern.fullmatch, os.listdir(folder)):
            _remove_unless_locked(os.path.join(folder, name))

    def _created(self, folder):
        """Its path and its open file, locked. Another is made where a program takes it for a left-over before."""
        for _ in range(100):
            path = os.path.join(folder, self._beginning + secrets.token_hex(_DIGITS // 2))
            mode = 0o600 if self._before else 0o666  # nobody else reads it until it has the mode of the other
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            except OSError as e:
                raise self._failure("cannot be written", e) from e
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
            except OSError:  # a file system without locks: left-overs stay there
                return path, file
            if os.fstat(file).st_nlink:
                return path, file
            os.close(file)
        raise self._failure("cannot be written: its temporary file is removed again and again")


def _remove_unless_locked(path):
    try:
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if stat.S_ISREG(os.fstat(file).st_mode):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), os.lstat(path)):
                os.unlink(path)
    except OSError:  # someone writes it, or has removed it
        pass
    finally:
        os.close(file)


def _copy_attributes(source, file):
    """Users' attributes and access lists; what the system does not let us copy stays away."""
    try:
        names = os.listxattr(source)
    except OSError:
        return
    for name in names:
        if name.startswith("user.") or name == "system.posix_acl_access":
            try:
                os.setxattr(file, name, os.getxattr(source, name))
            except OSError:
                pass


def _copy_owner_and_mode(before, file):
    """A user who may not give files away keeps the mode, but nobody gets a right that he had not before."""
    mode = stat.S_IMODE(before.st_mode)
    try:
        os.fchown(file, before.st_uid, before.st_gid)
    except OSError:
        mode &= 0o777
        try:
            os.fchown(file, -1, before.st_gid)
        except OSError:
            mode &= ~0o070 | (mode & 7) << 3
    os.fchmod(file, mode)
