"""Random shapes, axes, sizes, strides, norms and types against SciPy in double precision."""

import numpy as np
import pytest
import scipy.fft

import skipper

FOURIER_1D = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
FOURIER_ND = ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"]
TRIG_1D = ["dct", "idct", "dst", "idst"]
TRIG_ND = ["dctn", "idctn", "dstn", "idstn"]


def random_array(rng, shape, dtype):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    if np.dtype(dtype).kind in "iub":
        x = np.round(10 * np.abs(x))
    return x.astype(dtype)


def random_view(rng, shape, dtype):
    """An array of this shape: dense, a part of a larger one, transposed, backwards, or with repeated values."""
    way = rng.integers(6)
    if way == 0:
        return random_array(rng, shape, dtype)
    if way == 1:
        steps = rng.integers(1, 4, len(shape))
        whole = random_array(rng, [n * s + 1 for n, s in zip(shape, steps)], dtype)
        return whole[tuple(slice(1, None, s) for s in steps)]
    if way == 2:
        order = rng.permutation(len(shape))
        return random_array(rng, [shape[a] for a in order], dtype).transpose(np.argsort(order))
    if way == 3:
        flips = tuple(slice(None, None, -1 if rng.integers(2) else 1) for _ in shape)
        return random_array(rng, shape, dtype)[flips]
    if way == 4:
        thin = [n if rng.integers(2) else 1 for n in shape]
        return np.broadcast_to(random_array(rng, thin, dtype), shape)
    return np.asfortranarray(random_array(rng, shape, dtype))


def random_case(rng):
    """Name of a function, array, arguments."""
    rank = int(rng.integers(1, 5))
    largest = {1: 300, 2: 40, 3: 14, 4: 8}[rank]
    shape = tuple(int(n) for n in rng.integers(1, largest + 1, rank))
    names = [FOURIER_1D, FOURIER_ND, TRIG_1D, TRIG_ND][rng.integers(4)]
    name = names[rng.integers(len(names))]
    real = name.startswith(("rfft", "ihfft"))
    dtypes = ["f8"] * 4 + ["i4", "u1"] if real else ["c16"] * 4 + ["f8", "i8"]
    dtype = dtypes[rng.integers(len(dtypes))]
    named = {"norm": [None, "backward", "ortho", "forward"][rng.integers(4)]}
    if names in (TRIG_1D, TRIG_ND):
        named["type"] = int(rng.integers(1, 5))
        named["orthogonalize"] = [None, True, False][rng.integers(3)]
    x = random_view(rng, shape, dtype)
    axes = [int(a) for a in rng.permutation(rank)[: rng.integers(1, rank + 1)]]
    given = rng.integers(2)
    sizes = [max(1, int(shape[a] + rng.integers(-3, 4))) for a in axes]
    if name.endswith("n"):
        named["axes"] = [a - rank if rng.integers(2) else a for a in axes]
        if given:
            named["s"] = sizes
    else:
        named["axis"] = axes[0]
        if given:
            named["n"] = sizes[0]
    named["workers"] = int(rng.integers(1, 3))
    return name, x, named


def outcome(module, name, x, named):
    try:
        return getattr(module, name)(x, **named)
    except (ValueError, RuntimeError) as e:
        return e


def scipys(name, x, named):
    """SciPy's result. For complex arrays its cosine and sine transforms do not look at orthogonalize, so they go by parts."""
    if x.dtype.kind == "c" and name.startswith(("dct", "idct", "dst", "idst")):
        parts = [outcome(scipy.fft, name, part, named) for part in (x.real, x.imag)]
        return parts[0] if isinstance(parts[0], Exception) else parts[0] + 1j * parts[1]
    return outcome(scipy.fft, name, x, named)


def test_random_calls_agree_with_scipy(rng, is_quick):
    refused = 0
    for _ in range(600 if is_quick else 10000):
        name, x, named = random_case(rng)
        before = x.copy()
        want, got = scipys(name, x, named), outcome(skipper.fft, name, x, named)
        what = f"{name} of {x.shape} {x.dtype} strides {x.strides} {named}"
        if isinstance(want, Exception) or isinstance(got, Exception):
            assert isinstance(want, Exception) and isinstance(got, Exception), f"{what}: {want!r} {got!r}"
            refused += 1
            continue
        assert got.dtype == want.dtype and got.shape == want.shape, what
        scale = max(np.abs(want).max(initial=0), 1e-300)
        assert np.abs(got - want).max(initial=0) <= 1e-13 * scale, what
        np.testing.assert_array_equal(x, before, err_msg=what)
    assert refused < 600


@pytest.mark.parametrize("dtype", ["f4", "c8", "f2"])
def test_single_precision_stays_single(rng, dtype):
    x = random_array(rng, (12, 30), dtype)
    y = skipper.fft.fft2(x)
    assert y.dtype == np.complex64
    want = scipy.fft.fft2(x.astype("c16"))
    assert np.abs(y - want).max() <= 2e-6 * np.abs(want).max()


def test_wide_types_are_computed_in_double(rng):
    x = rng.standard_normal(24).astype(np.longdouble)
    y = skipper.fft.fft(x)
    assert y.dtype == np.clongdouble
    np.testing.assert_allclose(y.astype(complex), scipy.fft.fft(x.astype(float)), atol=1e-13)


def test_swapped_bytes_and_unaligned_arrays(rng):
    x = random_array(rng, (9,), "c16")
    np.testing.assert_array_equal(skipper.fft.fft(x.astype(">c16")), skipper.fft.fft(x))
    raw = np.zeros(9 * 16 + 3, dtype=np.uint8)
    odd = raw[3:].view("c16")
    odd[:] = x
    np.testing.assert_array_equal(skipper.fft.fft(odd), skipper.fft.fft(x))


def test_lists_scalars_and_nothing():
    np.testing.assert_allclose(skipper.fft.fft([1, 2, 3]), scipy.fft.fft([1, 2, 3]), atol=1e-15)
    assert skipper.fft.fft(np.zeros((0, 4))).shape == (0, 4)
    assert skipper.fft.rfft(np.zeros((3, 0, 6))).shape == (3, 0, 4)
    np.testing.assert_array_equal(skipper.fft.fft(np.zeros((2, 0)), n=3), np.zeros((2, 3)))
    with pytest.raises(IndexError):
        skipper.fft.fft(1.0)
    with pytest.raises(ValueError, match="data points"):
        skipper.fft.fft([])
    with pytest.raises(ValueError):
        skipper.fft.fft(["a", "b"])


def test_overwrite_x_computes_in_place_where_it_can(rng):
    x = random_array(rng, (16, 16), "c16")
    want = scipy.fft.fft2(x)
    y = skipper.fft.fft2(x, overwrite_x=True)
    assert y is x
    np.testing.assert_allclose(y, want, atol=1e-12)
    frozen = random_array(rng, (16,), "c16")
    frozen.flags.writeable = False
    assert skipper.fft.fft(frozen, overwrite_x=True) is not frozen
