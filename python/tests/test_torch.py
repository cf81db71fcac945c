"""Tensors of PyTorch on the CPU: results, types, gradients of first and second order, forward mode."""

import warnings

import numpy as np
import pytest
import scipy.fft

import skipper

try:  # a PyTorch whose CUDA libraries are missing raises ImportError or OSError
    import torch
except (ImportError, OSError):
    pytest.skip("PyTorch is not here", allow_module_level=True)

FUNCTIONS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def tensor(rng, shape, dtype, **named):
    x = torch.from_numpy(rng.standard_normal(shape))
    if dtype.is_complex:
        x = x + 1j * torch.from_numpy(rng.standard_normal(shape))
    return x.to(dtype).requires_grad_(named.get("requires_grad", False))


def takes(name):
    return torch.float64 if name.startswith(("rfft", "ihfft")) else torch.complex128


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_lines_agree_with_torch(rng, name, norm):
    x = tensor(rng, (3, 20), takes(name))
    for n in (None, 15, 31):
        for view in (x, x[:, ::2], x.t()):
            got = getattr(skipper.fft, name)(view, n, norm=norm)
            want = getattr(torch.fft, name)(view, n, norm=norm)
            assert isinstance(got, torch.Tensor) and got.dtype == want.dtype
            torch.testing.assert_close(got, want)


@pytest.mark.parametrize("name", [f + "n" for f in FUNCTIONS])
def test_grids_agree_with_torch(rng, name):
    x = tensor(rng, (4, 6, 8), takes(name))
    torch.testing.assert_close(getattr(skipper.fft, name)(x, axes=(0, 2)), getattr(torch.fft, name)(x, dim=(0, 2)))
    torch.testing.assert_close(getattr(skipper.fft, name)(x, s=(5, 9)), getattr(torch.fft, name)(x, s=(5, 9), dim=(1, 2)))


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_cosines_and_sines_agree_with_scipy(rng, name, type):
    x = tensor(rng, (3, 12), torch.float64)
    got = getattr(skipper.fft, name)(x, type)
    np.testing.assert_allclose(got.numpy(), getattr(scipy.fft, name)(x.numpy(), type), atol=1e-13)


def test_types():
    assert skipper.fft.fft(torch.ones(8, dtype=torch.int32)).dtype == torch.complex64
    assert skipper.fft.rfft(torch.ones(8, dtype=torch.float32)).dtype == torch.complex64
    assert skipper.fft.dct(torch.ones(8, dtype=torch.bfloat16)).dtype == torch.bfloat16
    assert skipper.fft.rfft(torch.ones(8, dtype=torch.bfloat16)).dtype == torch.complex64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch says that its complex32 is experimental
        half = skipper.fft.rfft(torch.ones(8, dtype=torch.float16))
    assert half.dtype == torch.complex32 and abs(half[0].item() - 8) < 1e-2
    with pytest.raises(TypeError, match="real"):
        skipper.fft.rfft(torch.ones(8, dtype=torch.complex64))


def test_lazy_conjugates_are_resolved(rng):
    x = tensor(rng, (16,), torch.complex128)
    torch.testing.assert_close(skipper.fft.fft(x.conj()), torch.fft.fft(x.conj()))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("n", [None, 5, 6, 9, 12])
def test_gradients_of_lines(rng, name, n):
    x = tensor(rng, (2, 7), takes(name), requires_grad=True)
    for norm in ("backward", "ortho", "forward"):
        function = lambda t: getattr(skipper.fft, name)(t, n, norm=norm)  # noqa: E731
        y, want = function(x), getattr(torch.fft, name)(x, n, norm=norm)
        weight = tensor(rng, tuple(y.shape), y.dtype)
        (got,) = torch.autograd.grad(y, x, weight)
        (expected,) = torch.autograd.grad(want, x, weight)
        torch.testing.assert_close(got, expected)
    assert torch.autograd.gradcheck(function, (x,))
    assert torch.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize("name", [f + "n" for f in FUNCTIONS])
def test_gradients_of_grids(rng, name):
    x = tensor(rng, (3, 4, 5), takes(name), requires_grad=True)
    for named in ({"axes": (0, 2)}, {"s": (5, 4)}, {}):
        if named.get("s") and name.startswith(("irfft", "hfft")):
            named = {"s": (5, 9)}
        function = lambda t: getattr(skipper.fft, name)(t, **named)  # noqa: E731
        assert torch.autograd.gradcheck(function, (x,))


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_gradients_of_cosines_and_sines(rng, name, type):
    x = tensor(rng, (2, 6), torch.float64, requires_grad=True)
    for named in ({}, {"norm": "ortho"}, {"norm": "forward"}, {"orthogonalize": True}, {"n": 4}, {"n": 9}):
        function = lambda t: getattr(skipper.fft, name)(t, type, **named)  # noqa: E731
        assert torch.autograd.gradcheck(function, (x,)), named
    assert torch.autograd.gradgradcheck(function, (x,))
    many = lambda t: getattr(skipper.fft, name + "n")(t, type)  # noqa: E731
    assert torch.autograd.gradcheck(many, (x,))


def test_real_input_of_a_complex_transform_gets_a_real_gradient(rng):
    x = tensor(rng, (8,), torch.float64, requires_grad=True)
    (got,) = torch.autograd.grad(skipper.fft.fft(x).abs().sum(), x)
    (want,) = torch.autograd.grad(torch.fft.fft(x).abs().sum(), x)
    torch.testing.assert_close(got, want)


def test_forward_mode(rng):
    x, tangent = tensor(rng, (8,), torch.float64), tensor(rng, (8,), torch.float64)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, tangent)
        y = torch.autograd.forward_ad.unpack_dual(skipper.fft.rfft(dual))
    torch.testing.assert_close(y.tangent, torch.fft.rfft(tangent))


def test_plans_take_tensors(rng):
    plan = skipper.Plan((4, 6), "complex64")
    x = tensor(rng, (4, 6), torch.complex64)
    out = torch.empty_like(x)
    assert plan(x, out=out) is out
    torch.testing.assert_close(out, torch.fft.fft2(x))
    torch.testing.assert_close(plan(x.t().contiguous().t()), out)
    torch.testing.assert_close(plan.inverse()(out), x)
    with pytest.raises(skipper.Error, match="the plan takes"):
        plan(x.to(torch.complex128))
