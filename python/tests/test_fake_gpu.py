"""The path of GPU arrays without a GPU: a stand-in for CuPy on the fake CUDA driver, whose kernels the emulator runs."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

HERE = pathlib.Path(__file__).parent
FAKE = os.environ.get("SKIPPER_FAKE_DRIVER", "")
pytestmark = pytest.mark.skipif(not os.path.exists(FAKE), reason="the fake driver is not built")


def on_the_fake(text, tmp_path):
    environment = {**os.environ, "SKIPPER_CUDA_DRIVER": FAKE, "SKIPPER_NVRTC": FAKE, "SKIPPER_CACHE": str(tmp_path),
                   "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))}
    head = """
        import fake_cupy
        cupy = fake_cupy.install()
        import numpy as np, scipy.fft, skipper
        rng = np.random.default_rng(1)
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(text)], env=environment, cwd="/",
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_functions_run_in_the_current_stream(tmp_path):
    on_the_fake("""
        x = rng.standard_normal((4, 32)) + 1j * rng.standard_normal((4, 32))
        stream = fake_cupy.Stream()
        with stream:
            y = skipper.fft.fft(cupy.asarray(x))
            assert isinstance(y, cupy.ndarray) and y.shape == (4, 32)
            assert not np.allclose(y.get(), scipy.fft.fft(x)), "the call waited for its stream"
        stream.synchronize()
        np.testing.assert_allclose(y.get(), scipy.fft.fft(x), atol=1e-12)
        """, tmp_path)


def test_real_transforms_views_and_sizes(tmp_path):
    on_the_fake("""
        stream = fake_cupy.Stream()
        with stream:
            r = rng.standard_normal((8, 12)).astype("f4")
            x = cupy.asarray(r)
            cases = [(skipper.fft.rfft(x), scipy.fft.rfft(r)), (skipper.fft.rfft(x, n=10), scipy.fft.rfft(r, n=10)),
                     (skipper.fft.rfft(x.transposed()), scipy.fft.rfft(r.T)), (skipper.fft.dct(x), scipy.fft.dct(r))]
        stream.synchronize()
        for got, want in cases:
            assert got.shape == want.shape and got.dtype == want.dtype
            np.testing.assert_allclose(got.get(), want, atol=1e-4)
        assert skipper.fft.fft(cupy.asarray(np.zeros((0, 4), "c8"))).shape == (0, 4)
        """, tmp_path)


def test_plans(tmp_path):
    on_the_fake("""
        plan = skipper.Plan((8, 16), "complex64", device="cuda:0")
        z = (rng.standard_normal((8, 16)) + 1j * rng.standard_normal((8, 16))).astype("c8")
        stream = fake_cupy.Stream()
        out = cupy.empty((8, 16), "c8")
        assert plan(cupy.asarray(z), out, stream.ptr) is out
        stream.synchronize()
        np.testing.assert_allclose(out.get(), scipy.fft.fft2(z), atol=1e-4)
        for wrong in (lambda: plan(cupy.asarray(z.astype("c16"))), lambda: plan(z),
                      lambda: skipper.Plan((8, 16), "complex64")(cupy.asarray(z))):
            try:
                wrong()
            except skipper.Error as e:
                print(e)
            else:
                raise AssertionError("not refused")
        """, tmp_path)


def test_filters(tmp_path):
    on_the_fake("""
        x, kernel = rng.standard_normal((2, 12, 16)).astype("f4"), rng.standard_normal((3, 3)).astype("f4")
        stream = fake_cupy.Stream()
        for kernels in (kernel, np.stack([kernel, 2 * kernel])):
            plan = skipper.FilterPlan(x.shape, cupy.asarray(kernels), (1, 2), device="cuda:0")
            out = cupy.empty(x.shape, "f4")
            with stream:
                assert plan(cupy.asarray(x), out) is out
                assert not np.allclose(out.get(), skipper.FilterPlan(x.shape, kernels, (1, 2))(x)), "the call waited for its stream"
            stream.synchronize()
            np.testing.assert_allclose(out.get(), skipper.FilterPlan(x.shape, kernels, (1, 2))(x), atol=1e-4)
        try:
            plan(x)
            raise AssertionError("a host array on a GPU's plan")
        except skipper.Error as e:
            assert e.argument == "x" and "lies on cpu" in str(e)
        """, tmp_path)


@pytest.mark.slow
def test_poisson(tmp_path):
    on_the_fake("""
        f = rng.standard_normal((8, 16)).astype("f4")
        stream = fake_cupy.Stream()
        for problem in (dict(), dict(bc=["periodic", ("dirichlet", "neumann")], values={1: (1.0, None)}),
                        dict(bc="neumann", tridiagonal=0)):
            with stream:
                phi = skipper.poisson.solve(cupy.asarray(f), **problem)
            stream.synchronize()
            assert isinstance(phi, cupy.ndarray)
            np.testing.assert_allclose(phi.get(), skipper.poisson.solve(f, **problem), atol=1e-4)
        """, tmp_path)


@pytest.mark.slow
def test_ranks(tmp_path):
    on_the_fake("""
        import threading
        from skipper import distributed
        x = (rng.standard_normal((8, 8, 4)) + 1j * rng.standard_normal((8, 8, 4))).astype("c8")
        found, failed = np.zeros_like(x), []

        def work(communicator):
            try:
                fake_cupy._call("cuCtxPushCurrent_v2", fake_cupy._context)  # of this thread
                plan = distributed.Plan(x.shape, communicator, x.dtype, device="cuda")
                y = plan(cupy.asarray(x[plan.in_slices]))
                fake_cupy._call("cuCtxSynchronize")
                found[plan.out_slices] = y.get()
            except Exception as e:
                failed.append(e)

        ranks = [threading.Thread(target=work, args=(c,)) for c in distributed.thread_communicators(2)]
        [rank.start() for rank in ranks], [rank.join() for rank in ranks]
        assert not failed, failed
        np.testing.assert_allclose(found, np.fft.fftn(x), atol=1e-4)
        """, tmp_path)


@pytest.mark.slow
def test_streamed_arrays(tmp_path):
    on_the_fake("""
        x = (rng.standard_normal((32, 16, 16)) + 1j * rng.standard_normal((32, 16, 16))).astype("c8")
        for strategy in ("host_and_device", "device_only"):
            seen = []
            y = skipper.stream.transform(x, memory_limit=1 << 15, device="cuda:0", strategy=strategy,
                                         progress=lambda done, total: seen.append(done))
            np.testing.assert_allclose(y, np.fft.fftn(x), atol=1e-4)
            assert seen == list(range(1, len(seen) + 1)) and len(seen) > 1
        """, tmp_path)
