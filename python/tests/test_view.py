"""Convolutions and Poisson solvers on arrays of PyTorch, JAX and CuPy: results are arrays of the same library and device."""
import numpy as np
import pytest

import skipper

RNG = np.random.default_rng(1)
A = RNG.standard_normal((20, 30))
V = RNG.standard_normal((5, 4))
BATCH = RNG.standard_normal((20, 3, 30)) + 1j * RNG.standard_normal((20, 3, 30))
KERNEL = RNG.standard_normal((5, 1, 4)) + 0j


def check_all(to, back, kind):
    """`to` makes an array of the library of a NumPy array, `back` the reverse."""
    def same(found, expected):
        assert isinstance(found, kind) and np.allclose(back(found), expected, rtol=0, atol=1e-11)

    for mode in ("full", "same", "valid"):
        same(skipper.convolve(to(A), to(V), mode), skipper.convolve(A, V, mode))
        same(skipper.correlate(to(A), to(V), mode), skipper.correlate(A, V, mode))
    same(skipper.correlate(to(V), to(A), "valid"), skipper.correlate(V, A, "valid"))
    same(skipper.convolve(to(A[None]), to(np.stack([V, V])), axes=(1, 2)), skipper.convolve(A[None], np.stack([V, V]), axes=(1, 2)))
    same(skipper.convolve(to(A), V), skipper.convolve(A, V))  # a kernel of NumPy
    where = getattr(to(A), "device", "cpu")
    device = "cuda:0" if "cuda" in str(where).lower() else "cpu"
    plan = skipper.FilterPlan(BATCH.shape, KERNEL, axes=(0, 2), device=device)
    expected = skipper.FilterPlan(BATCH.shape, KERNEL, axes=(0, 2))(BATCH)
    same(plan(to(BATCH)), expected)
    for problem in (dict(), dict(bc=["neumann", ("dirichlet", "neumann")], tridiagonal=1), dict(bc="dirichlet", values={0: (1.0, None)})):
        same(skipper.poisson.solve(to(A), **problem), skipper.poisson.solve(A, **problem))
    return plan


def check_outputs(to, back, plan):
    out = to(np.zeros(BATCH.shape, "complex128"))
    assert plan(to(BATCH), out) is out
    assert np.allclose(back(out), back(plan(to(BATCH))))
    f = to(A)
    solver = skipper.poisson.Solver(A.shape, "float64", device=plan.device)
    expected = back(solver(f))
    assert solver(f, f) is f and np.allclose(back(f), expected)


def test_torch_on_the_cpu():
    torch = pytest.importorskip("torch")
    to, back = (lambda a: torch.from_numpy(a.copy())), (lambda t: t.numpy().copy())
    plan = check_all(to, back, torch.Tensor)
    check_outputs(to, back, plan)
    lazy = torch.from_numpy(BATCH).conj()
    assert np.allclose(plan(lazy).numpy(), plan(BATCH.conj()))
    with pytest.raises(skipper.Error, match="detach"):
        plan(to(BATCH).requires_grad_())
    a, v = to(A).requires_grad_(), to(V).requires_grad_()
    for mode in ("full", "same", "valid", "circular"):
        for function in (skipper.convolve, skipper.correlate):
            assert torch.autograd.gradcheck(lambda a, v: function(a, v, mode), (a[:6, :7], v), fast_mode=True)


def test_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    check_all(jax.numpy.asarray, np.asarray, jax.Array)
    compiled = jax.jit(lambda a, v: skipper.convolve(a, v, "same"))
    assert np.allclose(compiled(A, V), skipper.convolve(A, V, "same"))
    with pytest.raises(skipper.Error, match="out: .*written"):
        skipper.convolution.FilterPlan((4,), np.ones(2))(np.ones(4), jax.numpy.ones(4))


def test_torch_on_a_gpu():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    to, back = (lambda a: torch.from_numpy(a.copy()).cuda()), (lambda t: t.cpu().numpy())
    plan = check_all(to, back, torch.Tensor)
    check_outputs(to, back, plan)
    with torch.cuda.stream(torch.cuda.Stream()):
        assert np.allclose(back(plan(to(BATCH))), back(plan(to(BATCH))))
    with pytest.raises(skipper.Error, match="x: lies on cpu"):
        plan(BATCH)


def test_cupy():
    cupy = pytest.importorskip("cupy")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        pytest.skip("no GPU")
    plan = check_all(cupy.asarray, cupy.asnumpy, cupy.ndarray)
    check_outputs(cupy.asarray, cupy.asnumpy, plan)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        found = plan(cupy.asarray(BATCH))
        stream.synchronize()
        assert np.allclose(cupy.asnumpy(found), skipper.FilterPlan(BATCH.shape, KERNEL, axes=(0, 2))(BATCH))


def test_best_device_takes_host_arrays():
    assert np.allclose(skipper.FilterPlan(A.shape, V, device="best")(A), skipper.FilterPlan(A.shape, V)(A))
    assert np.allclose(skipper.poisson.solve(A, device="best"), skipper.poisson.solve(A))


def test_streams_through_a_gpu():
    if not any(device["name"].startswith("cuda") for device in skipper.devices()):
        pytest.skip("no GPU")
    x = (RNG.standard_normal((96, 80, 64)) + 0j).astype("complex64")
    for strategy in ("host_and_device", "device_only"):
        found = skipper.stream.transform(x, memory_limit=1 << 20, device="cuda:0", strategy=strategy)
        assert np.abs(found - np.fft.fftn(x)).max() < 1e-2
