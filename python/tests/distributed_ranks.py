"""What every rank does under mpirun; test_distributed.py starts it. Exits with 0 where all was right on this rank."""
import os
import signal
import sys
import threading
import time
import traceback

import numpy as np
from mpi4py import MPI

import skipper
from skipper import distributed


def noise(shape, dtype):
    rng = np.random.default_rng(1)  # the same array on every rank
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def assert_close(found, expected, precision):
    assert found.shape == expected.shape
    if found.size:
        assert np.abs(found - expected).max() < (1e-4 if precision == "f32" else 1e-11) * np.abs(expected).max()


def check_c2c(comm):
    for dtype in ("complex64", "complex128"):
        x = noise((12, 10, 14), dtype)
        expected = np.fft.fftn(x)
        for exchange in ("automatic", "messages"):
            plan = distributed.Plan(x.shape, comm, dtype, exchange=exchange)
            part = np.ascontiguousarray(x[plan.in_slices])
            assert part.shape == plan.in_shape
            for _ in range(3):
                assert_close(plan(part), expected[plan.out_slices], "f32" if dtype == "complex64" else "f64")


def check_real(comm):
    x = noise((9, 16, 11), "float64")
    plan = distributed.Plan(x.shape, comm, x.dtype, "r2c", any_output=True)
    spectrum = plan(np.ascontiguousarray(x[plan.in_slices]))
    assert_close(spectrum, np.fft.rfftn(x)[plan.out_slices], "f64")
    boxes = [plan.out_box(r) for r in range(comm.size)]
    back = distributed.Plan(x.shape, comm, x.dtype, "c2r", in_boxes=boxes)
    assert_close(back(spectrum), x[back.out_slices], "f64")


def check_batch_and_boxes(comm):
    shared = distributed.Communicator(comm)
    x = noise((5, 8, 12, 6), "complex128")
    into = distributed.pencils(x.shape, comm.size, 1)
    plan = distributed.Plan(x.shape, shared, x.dtype, axes=(1, 2, 3), in_boxes=into, out_boxes=distributed.slabs(x.shape, comm.size, 2))
    assert_close(plan(np.ascontiguousarray(x[plan.in_slices])), np.fft.fftn(x, axes=(1, 2, 3))[plan.out_slices], "f64")
    again = distributed.Plan((16, 16), shared, "float32", "dct2", norm="ortho")
    assert again.exchanges >= (comm.size > 1)
    again(np.ones(again.in_shape, "float32"))


def check_permuted(comm):
    n = 1 << 10
    x = noise((n,), "complex128")
    plan = distributed.Plan((n,), comm, x.dtype, out_order="permuted")
    places = [plan.in_index(i) for i in range(int(np.prod(plan.in_shape)))]
    spectrum = plan(x[places].reshape(plan.in_shape))
    places = [plan.out_index(i) for i in range(spectrum.size)]
    assert_close(spectrum.ravel(), np.fft.fft(x)[places], "f64")
    if plan.out_order == "permuted":
        try:
            plan.out_slices
            raise AssertionError("a permuted output has slices")
        except skipper.Error as e:
            assert "out_index" in str(e)


def check_failures(comm):
    """Ranks that disagree, and one that gives a bad array: all get an Error, nobody waits for ever."""
    if comm.size == 1:
        return
    try:
        distributed.Plan((8, 8 + comm.rank), comm)
        raise AssertionError("ranks disagreed and nobody said so")
    except skipper.Error as e:
        assert "rank" in str(e), e
    plan = distributed.Plan((8, 8), comm, timeout=60)
    x = np.ones(plan.in_shape, "complex64")
    try:
        plan(x if comm.rank else x[:, :3])
        raise AssertionError("a rank failed and nobody said so")
    except skipper.Error as e:
        assert ("rank 0 failed: x: " in str(e)) == (comm.rank > 0), e
    try:
        plan(x)
        raise AssertionError("a communicator that failed went on")
    except skipper.Error:
        pass


def check_null(comm):
    try:
        distributed.Plan((8, 8), MPI.COMM_NULL)
        raise AssertionError("COMM_NULL was taken")
    except skipper.Error as e:
        assert e.argument == "comm"


def check_ctrl_c(comm):
    """Rank 0 waits for the others and is interrupted: it gets KeyboardInterrupt, and the others are told."""
    if comm.size == 1:
        return
    plan = distributed.Plan((8, 8), comm, timeout=60)
    x = np.ones(plan.in_shape, "complex64")
    comm.Barrier()
    try:
        if comm.rank == 0:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            time.sleep(1.0)
        plan(x)
        raise AssertionError("nothing was interrupted")
    except KeyboardInterrupt:
        assert comm.rank == 0
    except skipper.Error as e:
        assert comm.rank > 0 and "rank 0 failed" in str(e) and "KeyboardInterrupt" in str(e), e


def main():
    comm = MPI.COMM_WORLD
    for check in (check_c2c, check_real, check_batch_and_boxes, check_permuted, check_failures, check_null, check_ctrl_c):
        check(comm)
    sub = comm.Split(comm.rank % 2)
    check_c2c(sub)
    print("rank", comm.rank, "of", comm.size, "is done", flush=True)


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)
