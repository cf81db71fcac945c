"""Arrays of JAX on the CPU: results, jit, gradients and tangents against jax.numpy.fft."""

import numpy as np
import pytest
import scipy.fft

import skipper

jax = pytest.importorskip("jax")
jnp = jax.numpy


@pytest.fixture(autouse=True)
def in_double():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


FUNCTIONS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def array(rng, shape, is_complex):
    x = rng.standard_normal(shape)
    return jnp.asarray(x + 1j * rng.standard_normal(shape) if is_complex else x)


def is_real(name):
    return name in ("rfft", "ihfft")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_arrays_of_jax(rng, name):
    x = array(rng, (3, 10), not is_real(name))
    y = getattr(skipper.fft, name)(x)
    assert isinstance(y, jax.Array)
    np.testing.assert_allclose(y, getattr(jnp.fft, name)(x), atol=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_traces_and_derivatives(rng, name):
    ours, theirs = getattr(skipper.fft, name), getattr(jnp.fft, name)
    x, tangent = (array(rng, (2, 7), not is_real(name)) for _ in range(2))
    np.testing.assert_allclose(jax.jit(ours)(x), theirs(x), atol=1e-12)
    np.testing.assert_allclose(jax.jvp(ours, (x,), (tangent,))[1], theirs(tangent), atol=1e-12)
    loss = lambda f: lambda t: jnp.sum(jnp.abs(f(t)) ** 3)  # noqa: E731
    np.testing.assert_allclose(jax.grad(loss(ours))(x), jax.grad(loss(theirs))(x), atol=1e-9)
    y, pull = jax.vjp(ours, x)
    weight = array(rng, y.shape, jnp.iscomplexobj(y))
    np.testing.assert_allclose(pull(weight)[0], jax.vjp(theirs, x)[1](weight)[0], atol=1e-12)
    twice = lambda f: lambda t: jnp.sum(jnp.abs(jax.grad(loss(f))(t)) ** 2)  # noqa: E731
    np.testing.assert_allclose(jax.grad(twice(ours))(x), jax.grad(twice(theirs))(x), atol=1e-7)


def test_vmap(rng):
    x = array(rng, (4, 8), True)
    np.testing.assert_allclose(jax.vmap(skipper.fft.fft)(x), jnp.fft.fft(x), atol=1e-12)


def test_cosines(rng):
    x = array(rng, (9,), False)
    for type in (1, 2, 3, 4):
        np.testing.assert_allclose(skipper.fft.dct(x, type), scipy.fft.dct(np.asarray(x), type), atol=1e-12)
        gradient = jax.grad(lambda t: jnp.sum(skipper.fft.dct(t, type) * jnp.arange(9.0)))(x)
        matrix = scipy.fft.dct(np.eye(9), type, axis=0)
        np.testing.assert_allclose(gradient, matrix.T @ np.arange(9.0), atol=1e-12)


def test_plans_take_arrays_of_jax(rng):
    x = array(rng, (8,), True)
    y = skipper.Plan((8,), "complex128")(x)
    assert isinstance(y, jax.Array)
    np.testing.assert_allclose(y, jnp.fft.fft(x), atol=1e-12)
