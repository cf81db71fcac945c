"""Outputs that lie on their input are refused by whatever takes an `out`; arrays that lie between are not."""
import numpy as np
import pytest
import scipy.fft

import skipper
import skipper.numpy
from skipper import _overlap


@pytest.fixture
def room(rng):
    return rng.standard_normal((16, 12)) + 0j


OVERLAPS = {  # x and out, 8 x 6 each, out of 16 x 12
    "rows": lambda a: (a[:8, :6], a[4:12, :6]),
    "every second row": lambda a: (a[::2, :6], a[4:12, :6]),
    "columns": lambda a: (a[:8, ::2], a[:8, 2:8]),
    "dense": lambda a: (a.reshape(-1)[:48].reshape(8, 6), a.reshape(-1)[47:95].reshape(8, 6)),
    "transposed": lambda a: (a.reshape(-1)[:48].reshape(8, 6), a.reshape(-1)[1:49].reshape(6, 8).T),
}
BETWEEN = {
    "columns": lambda a: (a[:8, ::2], a[:8, 1::2]),
    "rows": lambda a: (a[::2, :6], a[1::2, :6]),
    "halves": lambda a: (a[:8, :6], a[:8, 6:]),
}


def refused(call, *arguments, **named):
    with pytest.raises(skipper.Error, match="out.*overlaps") as raised:
        call(*arguments, **named)
    return raised.value.argument == "out"


@pytest.mark.parametrize("word", OVERLAPS)
def test_what_overlaps_is_refused(room, word):
    before = room.copy()
    x, out = OVERLAPS[word](room)
    assert refused(skipper.Plan(x.shape), x, out) and refused(skipper.stream.transform, x, out)
    if out.flags.c_contiguous:
        assert refused(skipper.FilterPlan(x.shape, np.ones((2, 2)), dtype=complex), x, out)
    assert np.array_equal(room, before)


@pytest.mark.parametrize("word", BETWEEN)
def test_what_lies_between_is_not(room, word):
    x, out = BETWEEN[word](room)
    want = scipy.fft.fft2(x)
    assert skipper.Plan(x.shape)(x, out) is out
    np.testing.assert_allclose(out, want, atol=1e-12)
    want = scipy.fft.fft2(x)
    assert skipper.stream.transform(x, out) is out
    np.testing.assert_allclose(out, want, atol=1e-12)


def test_one_array_is_in_place(room):
    x = room[::2, :6]
    want = scipy.fft.fft2(x)
    assert np.shares_memory(skipper.Plan(x.shape)(x, room[::2, :6]), x)
    np.testing.assert_allclose(x, want, atol=1e-12)
    with pytest.raises(skipper.Error, match="in place"):
        skipper.Plan((6, 6))(room[:6, :6], room[:6, :6].T)


def test_poisson():
    memory = np.random.default_rng(1).standard_normal(72)
    f, phi = memory[:64].reshape(8, 8), memory[8:].reshape(8, 8)
    assert refused(skipper.poisson.solve, f, out=phi)
    assert refused(skipper.poisson.solve, f, out=phi, memory_limit=1 << 20)
    want = skipper.poisson.solve(f)
    assert skipper.poisson.solve(f, out=f) is f
    np.testing.assert_allclose(f, want, atol=1e-14)


def test_ranks():
    memory = np.zeros(96, "complex64")
    communicator, = skipper.distributed.thread_communicators(1)
    plan = skipper.distributed.Plan((8, 8), communicator)
    assert refused(plan, memory[:64].reshape(8, 8), memory[32:].reshape(8, 8))


def test_workspaces():
    x = np.ones((32, 17), complex)
    plan = skipper.stream.Plan((32, 32), "float64", "c2r", memory_limit=1 << 12, device="cpu")
    assert plan.workspace_bytes
    memory = np.zeros(plan.workspace_bytes + (1 << 14), "u1")
    memory = memory[-memory.ctypes.data % 64:]
    workspace = memory[:(plan.workspace_bytes + 63) // 64 * 64]
    out = memory[64:64 + 8 * 1024].view("float64").reshape(32, 32)
    with pytest.raises(skipper.Error, match="workspace: overlaps"):
        plan(x, out, workspace=workspace)
    np.testing.assert_allclose(plan(x, workspace=workspace), scipy.fft.irfft2(x), atol=1e-14)


def test_tensors():
    torch = pytest.importorskip("torch")
    room = torch.zeros(16, 12, dtype=torch.complex128)
    plan, blur = skipper.Plan((8, 6)), skipper.FilterPlan((4, 12), np.ones((2, 2)), dtype=complex)
    assert refused(plan, room[::2, :6], room[4:12, :6]) and refused(blur, room[:4], room[1:5])
    assert refused(blur, room[:4], room.numpy()[1:5]) and refused(blur, room.numpy()[:4], room[1:5])
    assert plan(room[:8, ::2], room[:8, 1::2]).sum() == 0


def test_outputs_that_are_no_arrays_are_refused():
    with pytest.raises(skipper.Error, match="out: is a list"):
        skipper.Plan(2)([1, 2j], [0, 0])
    with skipper.numpy.installed(), pytest.raises(TypeError):
        np.fft.fft(np.ones(2), out=[0, 0])
    with skipper.numpy.installed(), pytest.raises(TypeError):
        np.fft.fft(np.ones(2), out=np.zeros(2))


def test_what_takes_too_long_to_find_out_counts_as_overlap():
    rng = np.random.default_rng(1)
    first, second = (tuple(rng.integers(10**11, 2 * 10**11, 16).tolist()) for _ in range(2))
    at = 1 << 30
    x, out = (at, (2,) * 16, first, 1), (at + 10**11, (2,) * 16, second, 1)
    with pytest.raises(np.exceptions.TooHardError):
        np.shares_memory(_overlap.at(*x), _overlap.at(*out), max_work=10**4)
    assert _overlap.share_at(x, out)
    assert not _overlap.share_at((at, (8,), (16,), 8), (at + 8, (8,), (16,), 8))
