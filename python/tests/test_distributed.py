"""skipper.distributed over threads, and over processes with mpi4py where that and an mpirun are installed."""
import pathlib
import threading

import numpy as np
import pytest

import skipper
from skipper import distributed

from mpi_launcher import run_ranks


def on_ranks(count, work, timeout=60.0):
    """work(communicator) on so many threads; returns what each returned, or the exception."""
    results = [None] * count

    def run(r, communicator):
        try:
            results[r] = work(communicator)
        except Exception as e:
            results[r] = e

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(distributed.thread_communicators(count, timeout))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_over_threads(ranks):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((10, 12, 8)) + 1j * rng.standard_normal((10, 12, 8))
    found, expected = np.zeros_like(x), np.fft.fftn(x)

    def work(communicator):
        plan = distributed.Plan(x.shape, communicator, x.dtype)
        assert (plan.comm.rank, plan.comm.size) == (communicator.rank, ranks)
        found[plan.out_slices] = plan(np.ascontiguousarray(x[plan.in_slices]))
        return plan.describe(), plan.exchanges, plan.sent_bytes, plan.memory_bytes, plan.problem

    for result in on_ranks(ranks, work):
        assert isinstance(result, tuple), result
        assert result[4] == "c2c f64 forward 10x12x8" and result[1] >= (ranks > 1)
    assert np.allclose(found, expected)


def test_there_and_back_with_any_output():
    x = np.random.default_rng(2).standard_normal((8, 6, 10)).astype("float32")

    def work(communicator):
        there = distributed.Plan(x.shape, communicator, x.dtype, "r2c", any_output=True)
        boxes = [there.out_box(r) for r in range(2)]
        back = distributed.Plan(x.shape, communicator, x.dtype, "c2r", in_boxes=boxes)
        part = np.ascontiguousarray(x[there.in_slices])
        return np.abs(back(there(part)) - x[back.out_slices]).max()

    results = on_ranks(2, work)
    assert all(isinstance(result, np.float32) and result < 1e-5 for result in results), results


def test_a_rank_that_fails_is_told_to_the_others():
    def work(communicator):
        plan = distributed.Plan((8, 8), communicator)
        plan(np.ones((3 if communicator.rank == 1 else plan.in_shape[0], 8), "complex64"))

    results = on_ranks(2, work)
    assert all(isinstance(result, skipper.Error) for result in results), results
    assert "rank 1 failed: x: has the shape (3, 8)" in str(results[0])


def test_boxes():
    assert distributed.slabs((5, 4), 2) == [([0, 0], [3, 4]), ([3, 0], [2, 4])]
    assert distributed.bricks((4, 4), (2, 2), 4)[3] == ([2, 2], [2, 2])
    assert distributed.pencils((4, 4, 4), 4, -1)[1] == ([0, 2, 0], [2, 2, 4])


@pytest.mark.parametrize("call, argument", [
    (lambda comm: distributed.Plan((8, 8), 3), "comm"),
    (lambda comm: distributed.Plan((8, 8), comm, "int32"), "dtype"),
    (lambda comm: distributed.Plan((8, 8), comm, axes=0), "axes"),
    (lambda comm: distributed.Plan((8, 8), comm, in_boxes=[3]), "in_boxes"),
    (lambda comm: distributed.Plan((8, 8), comm, exchange="pigeon"), "exchange"),
    (lambda comm: distributed.Plan((8, 8), comm, out_order="random"), "out_order"),
    (lambda comm: distributed.Plan((8, 8), comm)(np.ones((8, 8), "complex128")), "x"),
    (lambda comm: distributed.Plan((8, 8), comm)(np.ones((8, 8), "complex64"), np.ones((8, 8), "complex64").T), "out"),
    (lambda comm: distributed.thread_communicators(0), "ranks"),
    (lambda comm: distributed.slabs((8, 8), 0), "ranks"),
])
def test_refusals_name_the_argument(call, argument):
    with pytest.raises(skipper.Error) as raised:
        call(distributed.thread_communicators(1)[0])
    assert raised.value.argument.split("[")[0] == argument


@pytest.mark.parametrize("ranks", [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(4, marks=pytest.mark.slow)])
def test_over_processes(ranks, tmp_path):
    ended = run_ranks(ranks, pathlib.Path(__file__).with_name("distributed_ranks.py"), tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("is done") == ranks
