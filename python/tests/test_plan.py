"""Plans as objects: kinds, layouts, norms, 16-bit storage, errors; and the cache of the functions."""

import numpy as np
import pytest
import scipy.fft

import skipper
from skipper._problem import REAL_KINDS


def complex_array(rng, shape, dtype=np.complex128):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


def test_forward_and_back(rng):
    plan = skipper.Plan((6, 10), np.complex128)
    x = complex_array(rng, (6, 10))
    y = plan(x)
    np.testing.assert_allclose(y, scipy.fft.fft2(x), atol=1e-13)
    np.testing.assert_allclose(plan.inverse()(y), x, atol=1e-15)
    assert plan.problem == "c2c f64 forward 6x10" and plan.device == "cpu"
    assert "sweep" in plan.describe()


def test_kinds_follow_from_the_type(rng):
    x = rng.standard_normal((4, 9))
    np.testing.assert_allclose(skipper.Plan((4, 9), "float64")(x), scipy.fft.rfft2(x), atol=1e-13)
    back = skipper.Plan((4, 9), "float64", kind="c2r")
    np.testing.assert_allclose(back(scipy.fft.rfft2(x)), x, atol=1e-14)
    dct = skipper.Plan((4, 9), "float64", kind="dct2", axes=1)
    np.testing.assert_allclose(dct(x), scipy.fft.dct(x), atol=1e-13)
    np.testing.assert_allclose(dct.inverse()(dct(x)), x, atol=1e-14)
    mixed = skipper.Plan((4, 9), "float64", kind=["dst1", "dct3"])
    np.testing.assert_allclose(mixed(x), scipy.fft.dct(scipy.fft.dst(x, 1, axis=0), 3), atol=1e-13)
    beside = skipper.Plan((4, 9), "float64", kind=["dct2", "fourier"])
    np.testing.assert_allclose(beside(x), scipy.fft.rfft(scipy.fft.dct(x, axis=0)), atol=1e-13)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_norms(rng, norm):
    x = complex_array(rng, (3, 8))
    for inverse, name in ((False, "fft"), (True, "ifft")):
        plan = skipper.Plan((3, 8), "complex128", axes=-1, norm=norm, inverse=inverse)
        np.testing.assert_allclose(plan(x), getattr(scipy.fft, name)(x, norm=norm), atol=1e-14)
    twice = skipper.Plan((3, 8), "complex128", axes=1, scale=2.0)
    np.testing.assert_allclose(twice(x), 2 * scipy.fft.fft(x), atol=1e-13)


def test_every_kind_of_the_library_has_its_way_back(rng):
    assert {"dct1", "dst4", "dht"} < set(REAL_KINDS) and "fourier" not in REAL_KINDS
    x = rng.standard_normal(9)
    for kind in REAL_KINDS:
        plan = skipper.Plan(9, "float64", kind)
        np.testing.assert_allclose(plan.inverse()(plan(x)), x, atol=1e-14, err_msg=kind)
        spectrum = skipper.stream.transform(x, kind=kind)
        np.testing.assert_allclose(spectrum, plan(x), atol=1e-13, err_msg=kind)
        np.testing.assert_allclose(skipper.stream.transform(spectrum, kind=kind, inverse=True), x, atol=1e-14, err_msg=kind)
    with pytest.raises(skipper.Error, match=f"give c2c, r2c, c2r, {', '.join(REAL_KINDS)}, or"):
        skipper.Plan(9, "float64", "dct5")
    with pytest.raises(skipper.Error, match=f"give c2c, r2c, c2r, {', '.join(REAL_KINDS)}, or"):
        skipper.Plan((9, 9), "float64", ["dct5", "dct2"])


def test_out_in_place_and_strides(rng):
    plan = skipper.Plan((5, 8), "complex128", axes=0, threads=1)
    x = complex_array(rng, (5, 8))
    want = scipy.fft.fft(x, axis=0)
    out = np.empty((5, 16), complex)[:, ::2]
    assert plan(x, out=out) is out
    np.testing.assert_allclose(out, want, atol=1e-13)
    np.testing.assert_allclose(plan(np.asfortranarray(x)), want, atol=1e-13)
    y = x.copy()
    assert plan(y, out=y) is y
    np.testing.assert_allclose(y, want, atol=1e-13)


def test_sixteen_bits(rng):
    x = rng.standard_normal((8, 16, 2)).astype(np.float16)
    y = skipper.Plan((8, 16), "complex32", axes=1)(x)
    assert y.dtype == np.float16 and y.shape == (8, 16, 2)
    want = scipy.fft.fft(x[..., 0].astype(float) + 1j * x[..., 1])
    np.testing.assert_allclose(y[..., 0] + 1j * y[..., 1], want, atol=2e-2)
    real = x[..., 0].copy()
    np.testing.assert_allclose(skipper.Plan((8, 16), "float16", "dct2", 1)(real), scipy.fft.dct(real.astype(float)), atol=3e-2)


def test_errors_name_the_argument(rng):
    with pytest.raises(skipper.Error, match="axes") as caught:
        skipper.Plan((4, 0))
    assert caught.value.argument == "axes[1].size"
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, RuntimeError)
    plan = skipper.Plan((4, 4), "complex64")
    x = complex_array(rng, (4, 4), "c8")
    frozen = np.empty_like(x)
    frozen.flags.writeable = False
    for wrong, out in ((x.astype("c16"), None), (x[:2], None), (x[::-1], None), (x, np.empty((4, 5), "c8")), (x, frozen)):
        with pytest.raises(skipper.Error):
            plan(wrong, out=out)
    with pytest.raises(skipper.Error, match="stream"):
        plan([[1j] * 4] * 4, stream=7)


@pytest.mark.parametrize("wrong, argument", [
    (dict(dtype="int32"), "dtype"), (dict(kind="r2c", dtype="complex64"), "dtype"),
    (dict(kind="fft"), "kind"), (dict(kind=["dct2"] * 3), "kind"), (dict(kind=["dct2", "fft"]), "kind"),
    (dict(axes=5), "axes"), (dict(axes=(0, 0)), "axes"), (dict(norm="none"), "norm"),
    (dict(kind="dct2", dtype="float64", inverse=True), "inverse"), (dict(device="cuda:99"), "device"),
    (dict(threads=-1), "cpu.threads"),
])
def test_refused_arguments_are_errors_that_name_them(wrong, argument):
    with pytest.raises(skipper.Error) as caught:
        skipper.Plan((4, 4), **wrong)
    assert caught.value.argument == argument and str(caught.value).startswith(argument + ": ")


def test_arguments_of_a_call(rng):
    plan = skipper.Plan((8,), "complex128")
    x, out = complex_array(rng, (8,)), np.empty(8, complex)
    assert plan(x, out) is out and plan(x, out=out) is out and plan(out=out, x=x, stream=None) is out
    for wrong in (lambda: plan(), lambda: plan(out=out), lambda: plan(x, out, out=out), lambda: plan(x, other=1),
                  lambda: plan(x, out, None, None)):
        with pytest.raises(TypeError):
            wrong()
    assert "stream" in skipper.Plan.__doc__


def test_devices_are_listed():
    names = [device["name"] for device in skipper.devices()]
    assert "cpu" in names
    assert all(isinstance(sentence, str) for sentence in skipper.missing_for_gpu())


@pytest.fixture
def fresh_cache():
    limit = skipper.cache.info().limit
    skipper.cache.clear()
    yield
    skipper.cache.set_limit(limit)
    skipper.cache.clear()


def test_cache_counts_and_is_bounded(fresh_cache):
    for _ in range(3):
        skipper.fft.fft(np.ones(12))
    assert skipper.cache.info()[:4] == (2, 1, 0, 1)
    skipper.cache.set_limit(4)
    for n in range(1, 11):
        skipper.fft.fft(np.ones(n))
    info = skipper.cache.info()
    assert info.size == 4 and info.limit == 4 and info.evictions == 7
    skipper.fft.fft(np.ones(7))  # still there, and now the most recent
    for n in (21, 22, 23):
        skipper.fft.fft(np.ones(n))
    hits = skipper.cache.info().hits
    skipper.fft.fft(np.ones(7))
    assert skipper.cache.info().hits == hits + 1
    skipper.cache.set_limit(0)
    assert skipper.cache.info().size == 0
    skipper.fft.fft(np.ones(7))
    assert skipper.cache.info().size == 0
    with pytest.raises(skipper.Error, match="limit"):
        skipper.cache.set_limit(-1)
