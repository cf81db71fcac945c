"""skipper.convolve, correlate and FilterPlan against scipy.signal, and what they refuse."""
import threading

import numpy as np
import pytest

import skipper

signal = pytest.importorskip("scipy.signal")

TYPES = ["float32", "float64", "complex64", "complex128"]


def noise(rng, shape, dtype):
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def assert_close(found, expected, dtype):
    assert found.shape == expected.shape
    limit = 3e-5 if np.dtype(dtype).itemsize // (2 if np.dtype(dtype).kind == "c" else 1) == 4 else 1e-12
    assert np.abs(found - expected).max() <= limit * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolve_is_fftconvolve(mode, dtype):
    rng = np.random.default_rng(1)
    for a_shape, v_shape in [((37,), (5,)), ((5,), (37,)), ((30, 41), (7, 4)), ((9, 10, 11), (3, 4, 5)), ((8,), (8,)), ((1,), (1,))]:
        a, v = noise(rng, a_shape, dtype), noise(rng, v_shape, dtype)
        found = skipper.convolve(a, v, mode)
        assert found.dtype == dtype
        assert_close(found, signal.fftconvolve(a, v, mode), dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_correlate_is_scipys(mode, dtype):
    rng = np.random.default_rng(2)
    for a_shape, v_shape in [((37,), (5,)), ((37,), (6,)), ((5,), (37,)), ((30, 41), (7, 4)), ((7, 4), (30, 41))]:
        a, v = noise(rng, a_shape, dtype), noise(rng, v_shape, dtype)
        assert_close(skipper.correlate(a, v, mode), signal.correlate(a, v, mode, method="direct"), dtype)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_axes_and_broadcast(mode):
    rng = np.random.default_rng(3)
    for a_shape, v_shape, axes in [((4, 30, 20), (4, 5, 6), (1, 2)), ((4, 30, 20), (1, 5, 6), (1, 2)), ((1, 30, 20), (4, 5, 6), (1, 2)),
                                   ((30, 4, 20), (5, 1, 6), (0, -1)), ((30, 20), (5, 20), 0), ((30, 3, 2), (7, 3, 1), [0])]:
        a, v = noise(rng, a_shape, "float64"), noise(rng, v_shape, "float64")
        expected = signal.fftconvolve(a, v, mode, axes)
        if mode == "same" and a_shape[0] < v_shape[0]:  # SciPy keeps only the middle one of four
            expected = signal.fftconvolve(np.broadcast_to(a, (4, 30, 20)), v, mode, axes)
        assert_close(skipper.convolve(a, v, mode, axes), expected, "float64")


def test_circular_is_the_product_of_spectra():
    rng = np.random.default_rng(4)
    a, v = rng.standard_normal((12, 67)), rng.standard_normal((5, 9))
    padded = np.zeros_like(a)
    padded[:5, :9] = v
    expected = np.fft.ifft2(np.fft.fft2(a) * np.fft.fft2(padded)).real
    assert_close(skipper.convolve(a, v, "circular"), expected, "float64")


def test_types_mix_as_in_scipy():
    rng = np.random.default_rng(5)
    a, v = rng.standard_normal(20).astype("float32"), rng.standard_normal(4)
    assert skipper.convolve(a, v).dtype == np.float64
    assert skipper.convolve(a, v.astype("complex64")).dtype == np.complex64
    found = skipper.convolve([1, 2, 3], [0, 1, 0.5])
    assert_close(found, np.array([0, 1, 2.5, 4, 1.5]), "float64")
    assert skipper.convolve(np.arange(4, dtype="float16"), np.ones(2, "float16")).dtype == np.float32
    assert skipper.convolve(np.zeros((0, 3)), np.zeros((2, 3))).size == 0
    assert skipper.convolve(np.array(3.0), np.array(2.0)) == 6.0


def test_strided_input():
    rng = np.random.default_rng(6)
    a = rng.standard_normal((40, 60))[::2, ::-3].T
    v = rng.standard_normal((3, 3))[:, ::-1]
    assert_close(skipper.convolve(a, v), signal.fftconvolve(a, v), "float64")


def test_filter_plan_on_many_arrays():
    rng = np.random.default_rng(7)
    kernel = rng.standard_normal((5, 5)).astype("float32")
    plan = skipper.FilterPlan((3, 48, 64), kernel)
    assert plan.axes == (1, 2) and plan.out_shape == (3, 48, 64) and plan.dtype == np.float32
    for _ in range(3):
        x = rng.standard_normal((3, 48, 64)).astype("float32")
        assert_close(plan(x), signal.fftconvolve(x, kernel[None], "same", axes=(1, 2)), "float32")
    out = np.empty_like(x)
    assert plan(x, out) is out
    assert plan.workspace_bytes >= 0 and plan.device == "cpu" and plan.describe()


def test_filter_plan_with_a_kernel_for_each():
    rng = np.random.default_rng(8)
    x, kernels = rng.standard_normal((20, 4, 30)), rng.standard_normal((3, 4, 5))
    plan = skipper.FilterPlan(x.shape, kernels, axes=(0, 2), mode="full", scale=2.0)
    expected = 2 * signal.fftconvolve(x, kernels, "full", axes=(0, 2))
    assert_close(plan(x), expected, "float64")
    out = np.zeros(plan.out_shape)
    assert plan(x, out=out) is out
    assert_close(out, expected, "float64")
    correlating = skipper.FilterPlan((50,), x[:7, 0, 0], correlate=True, mode="valid")
    assert_close(correlating(x[:, :, :10].ravel()[:50].copy()),
                 signal.correlate(x[:, :, :10].ravel()[:50], x[:7, 0, 0], "valid"), "float64")


def test_threads_share_a_plan():
    rng = np.random.default_rng(9)
    kernel, x = rng.standard_normal((9, 9)), rng.standard_normal((200, 200))
    plan = skipper.FilterPlan(x.shape, kernel)
    expected, results = plan(x), [None] * 8

    def work(i):
        results[i] = plan(x)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, expected) for result in results)


@pytest.mark.parametrize("call, argument", [
    (lambda: skipper.convolve(np.ones(4), np.ones((2, 2))), "v"),
    (lambda: skipper.convolve(np.ones(4), np.ones(2), mode="wide"), "mode"),
    (lambda: skipper.convolve(np.ones((4, 2)), np.ones((2, 3)), "valid"), "mode"),
    (lambda: skipper.convolve(np.ones((4, 2)), np.ones((2, 3)), axes=0), "v"),
    (lambda: skipper.convolve(np.ones(4), np.ones(2), axes=1), "axes"),
    (lambda: skipper.FilterPlan((4, 4), np.ones((2, 2, 2))), "kernel"),
    (lambda: skipper.FilterPlan((4, 4), np.ones(2) * 1j, dtype="float32"), "dtype"),
    (lambda: skipper.FilterPlan((4, 4), np.ones((3, 2)), axes=1), "kernel"),
    (lambda: skipper.FilterPlan((4, 4), np.ones(2))(np.ones((4, 5))), "x"),
    (lambda: skipper.FilterPlan((4, 4), np.ones(2))(np.ones((4, 4), "float32")), "x"),
    (lambda: skipper.FilterPlan((4, 4), np.ones(2))(np.ones((4, 4)), np.ones((4, 5))), "out"),
    (lambda: skipper.FilterPlan((4, 4), np.ones(2), device="tpu"), "device"),
])
def test_refusals_name_the_argument(call, argument):
    with pytest.raises(skipper.Error, match=argument) as raised:
        call()
    assert raised.value.argument.split("[")[0] == argument


def test_an_output_that_overlaps_is_refused():
    x = np.ones((4, 4))
    with pytest.raises(skipper.Error, match="overlaps"):
        skipper.FilterPlan((4, 4), np.ones(2))(x, out=x)


@pytest.mark.slow
def test_random_shapes_against_scipy():
    rng = np.random.default_rng(10)
    for _ in range(1000):
        rank = rng.integers(1, 4)
        high = {1: 300, 2: 40, 3: 14}[int(rank)]
        a_shape, v_shape = rng.integers(1, high, rank), rng.integers(1, high, rank)
        mode = rng.choice(["full", "same", "valid"])
        if mode == "valid":
            v_shape = np.minimum(a_shape, v_shape)
            if rng.random() < 0.5:
                a_shape, v_shape = v_shape, a_shape
        axes = tuple(int(d) for d in rng.permutation(rank)[: rng.integers(1, rank + 1)])
        for d in set(range(rank)) - set(axes):
            v_shape[d] = a_shape[d] if rng.random() < 0.5 else 1
        dtype = rng.choice(TYPES)
        a, v = noise(rng, a_shape, dtype), noise(rng, v_shape, dtype)
        assert_close(skipper.convolve(a, v, mode, axes), signal.fftconvolve(a, v, mode, axes), dtype)
        if len(axes) == rank:
            assert_close(skipper.correlate(a, v, mode), signal.correlate(a, v, mode, method="fft"), dtype)
