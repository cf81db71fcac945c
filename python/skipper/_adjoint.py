"""The adjoint of every function of skipper.fft, made of these functions again: what reverse-mode differentiation asks for.

Fourier transforms have the inverse as their adjoint, with the other norm. rfft keeps one of two conjugate numbers, so that
its adjoint is irfft of halved numbers, and that of irfft is rfft, doubled. DCT and DST of types 2 and 3 are each other's
transpose up to the weight of an end point, types 1 and 4 their own (type 1 of the cosine up to both end points);
orthogonalized they are exactly that.
"""

from skipper import _core
from skipper._call import DCT, FFT, HFFT, IDCT, IDST, IFFT, IHFFT, IRFFT, RFFT

_INVERSES = {FFT: IFFT, IFFT: FFT, RFFT: IRFFT, IRFFT: RFFT, HFFT: IHFFT, IHFFT: HFFT}
_OTHER_NORM = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}
_TRANSPOSED = {1: 1, 2: 3, 3: 2, 4: 4}


def adjoint(ops, call, gradient, shape, is_complex):
    """The adjoint applied to a gradient; `shape` and `is_complex` are those of the function's input. `ops` is the library."""
    axes, sizes = _core.resolved_axes(call.function, call.many, shape, call.type, call.size, call.axis)
    if not axes:
        return gradient if is_complex else ops.real(gradient)
    if call.function in _INVERSES:
        result = _fourier(ops, call, gradient, axes, sizes)
    else:
        result = _trigonometric(ops, call, gradient, axes, sizes)
    result = _fitted(ops, result, shape)
    return result if is_complex else ops.real(result)


def _fourier(ops, call, gradient, axes, sizes):
    inverse = call._replace(function=_INVERSES[call.function], many=True, size=tuple(sizes), axis=tuple(axes),
                            norm=_OTHER_NORM[call.norm])
    n, last = sizes[-1], axes[-1]
    inner = (n + 1) // 2 - 1  # numbers of the half that stand for two
    if call.function in (RFFT, IHFFT):
        gradient = _weighed(ops, gradient, [1.0] + [0.5] * inner + [1.0] * (n // 2 - inner), last)
        return ops.transform(inverse, gradient)
    result = ops.transform(inverse, gradient)
    if call.function in (IRFFT, HFFT):
        result = _weighed(ops, result, [1.0] + [2.0] * inner + [1.0] * (n // 2 - inner), last)
    return result


def _trigonometric(ops, call, gradient, axes, sizes):
    computed = int(call.type)
    if call.function in (IDCT, IDST):
        computed = _TRANSPOSED[computed]
    transposed = call._replace(type=_TRANSPOSED[int(call.type)], many=True, size=tuple(sizes), axis=tuple(axes))
    ortho = call.norm == "ortho" if call.orthogonalize is None else bool(call.orthogonalize)
    transposed = transposed._replace(orthogonalize=ortho)
    if ortho:
        return ops.transform(transposed, gradient)
    cosine = call.function in (DCT, IDCT)
    for axis, n in zip(axes, sizes):
        before = _end_weights(cosine, computed, n)[0]
        gradient = _weighed(ops, gradient, before, axis)
    result = ops.transform(transposed, gradient)
    for axis, n in zip(axes, sizes):
        after = _end_weights(cosine, computed, n)[1]
        result = _weighed(ops, result, after, axis)
    return result


def _end_weights(cosine, computed, n):
    """By what the input and the output of the transposed kind are to be multiplied; None for ones."""
    def at_end(value):
        ones = [1.0] * (n - 1)
        return [value] + ones if cosine else ones + [value]

    if computed == 1 and cosine:
        inner = [1.0] * (n - 2)
        return [1.0] + [0.5 * w for w in inner] + [1.0], [1.0] + [2.0 * w for w in inner] + [1.0]
    if computed == 2:
        return at_end(2.0), None
    if computed == 3:
        return None, at_end(0.5)
    return None, None


def _weighed(ops, x, values, axis):
    if values is None:
        return x
    weights = ops.weights(values, x)
    return x * weights.reshape([len(values) if a == axis else 1 for a in range(len(x.shape))])


def _fitted(ops, x, shape):
    """Cropped or filled up with zeros to a shape."""
    cropped = x[tuple(slice(0, min(have, want)) for have, want in zip(x.shape, shape))]
    if tuple(cropped.shape) == tuple(shape):
        return cropped
    return ops.padded(cropped, shape)
