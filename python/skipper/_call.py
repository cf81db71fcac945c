"""What a function of skipper.fft was asked for, as one value; the arrays of all libraries go through it."""

from typing import Any, NamedTuple

FFT, IFFT, RFFT, IRFFT, HFFT, IHFFT, DCT, IDCT, DST, IDST = range(10)
HALVES = (RFFT, IRFFT, HFFT, IHFFT)  # functions whose input or output is one half of an array with Hermitian symmetry

# Numbers of element types, as _core has them.
FLOAT16, BFLOAT16, FLOAT32, FLOAT64, COMPLEX32, COMPLEX_BFLOAT16, COMPLEX64, COMPLEX128 = range(8)


class Call(NamedTuple):
    """`many`: size and axis are s and axes of an n-dimensional form."""

    function: int
    many: bool
    type: Any
    size: Any
    axis: Any
    norm: Any
    workers: Any
    orthogonalize: Any


def is_complex(scalar):
    return scalar >= COMPLEX32


def input_scalar(function, scalar):
    """The element type that a function takes, for an array of this one."""
    if function in (RFFT, IHFFT) and is_complex(scalar):
        raise TypeError("x must be a real sequence")
    if function in (FFT, IFFT, IRFFT, HFFT) and not is_complex(scalar):
        # There is no array of complex bfloat16 in any library.
        return COMPLEX64 if scalar == BFLOAT16 else scalar + 4
    if function in (RFFT, IHFFT) and scalar == BFLOAT16:
        return FLOAT32
    return scalar
