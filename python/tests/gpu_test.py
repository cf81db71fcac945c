"""On a machine with a GPU: arrays of CuPy and PyTorch, streams, graphs, derivatives. `pytest python/tests/gpu_test.py`.

Not among the tests that `make test-python` finds by itself: without a GPU all of it is skipped.
"""

import numpy as np
import pytest
import scipy.fft

import skipper

if not any(device["name"].startswith("cuda") for device in skipper.devices()):
    pytest.skip("; ".join(skipper.missing_for_gpu()) or "no GPU", allow_module_level=True)


def host_array(rng, shape, is_complex, dtype=None):
    x = rng.standard_normal(shape)
    x = x + 1j * rng.standard_normal(shape) if is_complex else x
    return x if dtype is None else x.astype(dtype)


FUNCTIONS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def is_real(name):
    return name.startswith(("rfft", "ihfft"))


class Cupy:
    def __init__(self):
        self.module = pytest.importorskip("cupy")

    def put(self, x):
        return self.module.asarray(x)

    def get(self, y):
        assert isinstance(y, self.module.ndarray)
        return self.module.asnumpy(y)


class Torch:
    def __init__(self):
        self.module = pytest.importorskip("torch")

    def put(self, x):
        return self.module.from_numpy(np.ascontiguousarray(x)).cuda()

    def get(self, y):
        assert y.is_cuda
        return y.cpu().numpy()


@pytest.fixture(params=[Cupy, Torch], ids=["cupy", "torch"])
def library(request):
    return request.param()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("precision", ["single", "double"])
def test_functions(library, rng, name, precision):
    dtype = {"single": ["c8", "f4"], "double": ["c16", "f8"]}[precision][is_real(name)]
    x = host_array(rng, (6, 40), not is_real(name), dtype)
    for named in ({}, {"n": 33}, {"n": 90}, {"axis": 0, "norm": "ortho"}):
        got = library.get(getattr(skipper.fft, name)(library.put(x), **named))
        want = getattr(scipy.fft, name)(x.astype("c16" if dtype[0] == "c" else "f8"), **named)
        assert got.dtype.itemsize == (want.dtype.itemsize if precision == "double" else want.dtype.itemsize // 2)
        tolerance = 1e-12 if precision == "double" else 1e-5
        np.testing.assert_allclose(got, want, atol=tolerance * np.abs(want).max())


@pytest.mark.parametrize("name", ["fftn", "rfftn", "irfftn", "dctn", "dstn", "idctn"])
def test_grids(library, rng, name):
    x = host_array(rng, (4, 12, 10), name in ("fftn", "irfftn"))
    for named in ({}, {"axes": (0, 2)}, {"s": (9, 16)}):
        got = library.get(getattr(skipper.fft, name)(library.put(x), **named))
        want = getattr(scipy.fft, name)(x, **named)
        np.testing.assert_allclose(got, want, atol=1e-12 * np.abs(want).max())


def test_views(library, rng):
    x = library.put(host_array(rng, (12, 30), True))
    for view in (x[::2], x[:, 1:], x.T, x[:, ::3], x[3:, 5:]):
        np.testing.assert_allclose(library.get(skipper.fft.fft(view)), scipy.fft.fft(library.get(view)), atol=1e-12)
    real = library.put(host_array(rng, (6, 31), False, "f4"))
    for view in (real[:, 1:], real[1:], real[:, ::2]):
        np.testing.assert_allclose(library.get(skipper.fft.rfft(view)), scipy.fft.rfft(library.get(view)), atol=1e-4)


def test_plans(library, rng):
    plan = skipper.Plan((16, 32), "complex64", device="cuda:0")
    x = library.put(host_array(rng, (16, 32), True, "c8"))
    y = plan(x)
    np.testing.assert_allclose(library.get(y), scipy.fft.fft2(library.get(x)), atol=1e-4)
    out = library.put(np.zeros((16, 32), "c8"))
    assert plan(x, out=out) is out
    np.testing.assert_array_equal(library.get(out), library.get(y))
    np.testing.assert_allclose(library.get(plan.inverse()(y)), library.get(x), atol=1e-5)
    with pytest.raises(skipper.Error, match="cpu"):
        skipper.Plan((16, 32), "complex64")(x)


def test_numpy_arrays_through_the_best_device(rng):
    x = host_array(rng, (64, 64), True)
    np.testing.assert_allclose(skipper.Plan((64, 64), "complex128", device="best")(x), scipy.fft.fft2(x), atol=1e-11)


def test_the_current_stream_of_cupy_is_used(rng):
    cupy = pytest.importorskip("cupy")
    x = cupy.asarray(host_array(rng, (64, 1024), True))
    skipper.fft.fft(x)
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    cupy.cuda.Device().synchronize()
    results = []
    for round_ in range(20):
        for i, stream in enumerate(streams):
            with stream:
                y = x * (i + 1 + round_)
                results.append((i + 1 + round_, skipper.fft.ifft(skipper.fft.fft(y)) / (i + 1 + round_)))
    cupy.cuda.Device().synchronize()
    for _, y in results:
        cupy.testing.assert_allclose(y, x, atol=1e-12)


def test_the_current_stream_of_torch_is_used(rng):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(host_array(rng, (64, 1024), True)).cuda()
    want = torch.fft.fft(x)
    skipper.fft.fft(x)
    streams = [torch.cuda.Stream() for _ in range(2)]
    torch.cuda.synchronize()
    results = []
    for _ in range(20):
        for i, stream in enumerate(streams):
            with torch.cuda.stream(stream):
                torch.cuda._sleep(100000)  # work that the transform must wait for
                results.append(skipper.fft.fft(x * (i + 1)) / (i + 1))
    torch.cuda.synchronize()
    for y in results:
        torch.testing.assert_close(y, want)


def test_calls_do_not_wait():
    """The call returns while the stream is still busy with what came before."""
    torch = pytest.importorskip("torch")
    x = torch.ones(1 << 16, dtype=torch.complex64, device="cuda")
    skipper.fft.fft(x)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(1 << 31)  # about a second
        y = skipper.fft.fft(x)
        busy = not stream.query()
    stream.synchronize()
    assert busy and y[0].item() == 1 << 16


def test_graph_of_torch(rng):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(host_array(rng, (32, 256), True)).cuda()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        skipper.fft.ifft(skipper.fft.fft(x))
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = skipper.fft.fft(x) * 2
    skipper.cache.clear()  # captured plans stay
    for _ in range(3):
        x.copy_(torch.from_numpy(host_array(rng, (32, 256), True)))
        graph.replay()
        torch.cuda.synchronize()
        torch.testing.assert_close(y, 2 * torch.fft.fft(x))


def test_graph_of_cupy(rng):
    cupy = pytest.importorskip("cupy")
    plan = skipper.Plan((32, 256), "complex64", axes=1, device="cuda:0")
    x = cupy.asarray(host_array(rng, (32, 256), True, "c8"))
    out = cupy.empty_like(x)
    plan(x, out=out)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        plan(x, out=out)
        graph = stream.end_capture()
        for _ in range(3):
            x[...] = cupy.asarray(host_array(rng, (32, 256), True, "c8"))
            graph.launch(stream)
            stream.synchronize()
            cupy.testing.assert_allclose(out, cupy.fft.fft(x), atol=1e-3)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_those_of_torch(rng, name):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(host_array(rng, (3, 14), not is_real(name))).cuda().requires_grad_()
    for n in (None, 9, 20):
        ours, theirs = getattr(skipper.fft, name)(x, n), getattr(torch.fft, name)(x, n)
        weight = torch.randn_like(ours)
        (got,) = torch.autograd.grad(ours, x, weight)
        (want,) = torch.autograd.grad(theirs, x, weight)
        torch.testing.assert_close(got, want)


def test_second_derivatives(rng):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(host_array(rng, (6,), False)).cuda().requires_grad_()
    assert torch.autograd.gradgradcheck(skipper.fft.rfft, (x,), nondet_tol=1e-12)
    assert torch.autograd.gradcheck(lambda t: skipper.fft.dct(t, 2), (x,), nondet_tol=1e-12)


def test_half_precision_of_torch(rng):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(host_array(rng, (4, 64), False, "f2")).cuda()
    y = skipper.fft.rfft(x)
    assert y.dtype == torch.complex32
    want = scipy.fft.rfft(x.cpu().numpy().astype("f8"))
    np.testing.assert_allclose(y.to(torch.complex64).cpu().numpy(), want, atol=5e-2)


def test_arrays_of_jax(rng):
    jax = pytest.importorskip("jax")
    x = jax.numpy.asarray(host_array(rng, (4, 32), True, "c8"))
    y = skipper.fft.fft(x)
    assert y.devices() == x.devices()
    np.testing.assert_allclose(np.asarray(y), scipy.fft.fft(np.asarray(x)), atol=1e-4)
