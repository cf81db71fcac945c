"""The functions of scipy.fft, with their signatures and meaning, on arrays of NumPy, CuPy, PyTorch and JAX.

The result is an array of the caller's library on the caller's device. What `scipy.fft` says about arguments holds here:

n, s          lengths to transform: the input is cropped or filled up with zeros, without a copy
axis, axes    what to transform along
norm          "backward" (None is the same): scales the inverse by 1/N; "forward": the forward transform; "ortho": both by 1/sqrt(N)
overwrite_x   the result may take the place of the input
workers       threads of the CPU; None: those of set_workers(), at first one; negative: counted from the number of cores
plan          functions take none: NotImplementedError. Make a skipper.Plan for that
"""

from skipper import _core
from skipper._helper import fftfreq, fftshift, get_workers, ifftshift, next_fast_len, prev_fast_len, rfftfreq, set_workers

_transform = _core.transform

def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Complex Fourier transform, along one axis."""
    return _transform(0, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse complex Fourier transform, along one axis."""
    return _transform(1, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Fourier transform of reals: the n//2 + 1 complex numbers that are not conjugates of others, along one axis."""
    return _transform(2, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of rfft; n is the length of the output, 2 (m - 1) for m inputs unless given, along one axis."""
    return _transform(3, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Fourier transform of a signal with Hermitian symmetry, of which one half is given: a real spectrum, along one axis."""
    return _transform(4, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of hfft: one half of a signal with Hermitian symmetry, along one axis."""
    return _transform(5, False, x, None, n, axis, norm, overwrite_x, workers, None, plan)

def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As fftn, along the last two axes unless told otherwise."""
    return _transform(0, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Complex Fourier transform, along several axes."""
    return _transform(0, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As ifftn, along the last two axes unless told otherwise."""
    return _transform(1, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse complex Fourier transform, along several axes."""
    return _transform(1, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As rfftn, along the last two axes unless told otherwise."""
    return _transform(2, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Fourier transform of reals, along several axes; the last of them is the one that rfft transforms."""
    return _transform(2, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As irfftn, along the last two axes unless told otherwise."""
    return _transform(3, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of rfftn, along several axes; the last of them is the one that irfft transforms."""
    return _transform(3, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As hfftn, along the last two axes unless told otherwise."""
    return _transform(4, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Fourier transform of a signal with Hermitian symmetry, along several axes; of the last of them one half is given."""
    return _transform(4, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    """As ihfftn, along the last two axes unless told otherwise."""
    return _transform(5, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    """Inverse of hfftn, along several axes; the last of them is the one that ihfft transforms."""
    return _transform(5, True, x, None, s, axes, norm, overwrite_x, workers, None, plan)

def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Cosine transform of type 1 to 4, along one axis. `orthogonalize` makes its matrix orthogonal up to a factor."""
    return _transform(6, False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, None)


def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """Cosine transform of type 1 to 4, along several axes."""
    return _transform(6, True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, None)

def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse cosine transform of type 1 to 4, along one axis. `orthogonalize` makes its matrix orthogonal up to a factor."""
    return _transform(7, False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, None)


def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse cosine transform of type 1 to 4, along several axes."""
    return _transform(7, True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, None)

def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Sine transform of type 1 to 4, along one axis. `orthogonalize` makes its matrix orthogonal up to a factor."""
    return _transform(8, False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, None)


def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Sine transform of type 1 to 4, along several axes."""
    return _transform(8, True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, None)

def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse sine transform of type 1 to 4, along one axis. `orthogonalize` makes its matrix orthogonal up to a factor."""
    return _transform(9, False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, None)


def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """Inverse sine transform of type 1 to 4, along several axes."""
    return _transform(9, True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, None)

__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2",
    "fftfreq", "fftn", "fftshift", "get_workers", "hfft", "hfft2",
    "hfftn", "idct", "idctn", "idst", "idstn", "ifft",
    "ifft2", "ifftn", "ifftshift", "ihfft", "ihfft2", "ihfftn",
    "irfft", "irfft2", "irfftn", "next_fast_len", "prev_fast_len", "rfft",
    "rfft2", "rfftfreq", "rfftn", "set_workers",
]
