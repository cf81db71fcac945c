"""Outputs of skipper.stream that are files: they appear whole or not at all, and never lie on their input."""
import fcntl
import os
import stat

import numpy as np
import pytest

import skipper
from skipper import _workspace, stream

fft = pytest.importorskip("scipy.fft")


@pytest.fixture
def x(rng):
    return (rng.standard_normal((12, 16)) + 1j * rng.standard_normal((12, 16))).astype("complex64")


@pytest.fixture
def name(tmp_path, x):
    """Of a file that has x."""
    np.save(tmp_path / "x.npy", x)
    return tmp_path / "x.npy"


def holds_spectrum(name, x):
    return np.allclose(np.load(name), fft.fftn(x), atol=1e-3)


def test_input_and_output_of_one_name(name, x):
    y = stream.transform(name, name)
    assert holds_spectrum(name, x) and np.allclose(y, fft.fftn(x), atol=1e-3)
    assert y.filename == str(name) and os.listdir(name.parent) == ["x.npy"]
    y[0, 0] = 7
    y.flush()
    assert np.load(name)[0, 0] == 7


def test_another_name_of_the_input_keeps_it(tmp_path, name, x):
    os.link(name, tmp_path / "hard.npy")
    stream.transform(name, tmp_path / "hard.npy")
    assert holds_spectrum(tmp_path / "hard.npy", x) and np.array_equal(np.load(name), x)


def test_a_symbolic_link_stays(tmp_path, name, x):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link.npy").symlink_to("../x.npy")
    stream.transform(tmp_path / "folder" / "link.npy", str(tmp_path / "folder" / "link.npy"))
    assert holds_spectrum(name, x) and (tmp_path / "folder" / "link.npy").is_symlink()
    (tmp_path / "new.npy").symlink_to("made.npy")
    stream.transform(x, tmp_path / "new.npy")
    assert holds_spectrum(tmp_path / "made.npy", x) and (tmp_path / "new.npy").is_symlink()


def test_a_mapped_input_keeps_its_values(name, x):
    mapped = np.load(name, mmap_mode="r")
    stream.transform(mapped, name)
    assert holds_spectrum(name, x) and np.array_equal(mapped, x)


def test_the_mode_stays(name, x):
    name.chmod(0o640)
    stream.transform(x, name)
    assert stat.S_IMODE(name.stat().st_mode) == 0o640


def full(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("wrong, message", [
    (dict(kind="fft"), "kind: "), (dict(axes=5), "axes: "), (dict(memory_limit=8), "memory_limit: "),
    (dict(device="tpu"), "device"), (dict(workspace=np.zeros(1, "u1")), "workspace: "),
    (dict(progress=lambda *_: False), "progress: "), ({}, "out: needs"),
])
def test_a_refused_call_changes_no_file(name, x, monkeypatch, wrong, message):
    before = name.read_bytes()
    if not wrong:
        monkeypatch.setattr(_workspace.os, "posix_fallocate", full)
    data = np.ones(1 << 16, "complex64") if "workspace" in wrong else x  # one long axis needs a workspace
    with pytest.raises(skipper.Error, match=message):
        stream.transform(data, name, **{"device": "cpu", "memory_limit": 1 << 16, **wrong})
    assert name.read_bytes() == before and os.listdir(name.parent) == ["x.npy"]


def test_an_interrupt_changes_no_file(name, x):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = name.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        stream.transform(name, name, progress=interrupt)
    assert name.read_bytes() == before and os.listdir(name.parent) == ["x.npy"]


def test_left_overs_go_unless_they_are_being_written(tmp_path, x):
    left, others = (tmp_path / f"y.npy.skipper-part-{digit * 16}" for digit in "0f")
    for file in (left, others, tmp_path / "y.npy.skipper-part-mine"):
        file.write_bytes(b"1")
    with open(others) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        stream.transform(x, tmp_path / "y.npy")
    assert sorted(os.listdir(tmp_path)) == ["y.npy", others.name, "y.npy.skipper-part-mine"]


def test_what_cannot_be_replaced_is_refused(tmp_path, x):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    for out, message in ((tmp_path, "is a folder"), (tmp_path / "fifo", "no regular file"),
                         ("/dev/null", "no regular file"), ("/dev/stdout", "open file"), ("", "empty name"),
                         (tmp_path / "none" / "y.npy", "folder that is missing"),
                         (tmp_path / "loop", "Too many levels"), (str(tmp_path / "y.npy") + "/", "is a folder")):
        with pytest.raises(skipper.Error, match=message) as raised:
            stream.transform(x, out)
        assert raised.value.argument == "out"
    assert sorted(os.listdir(tmp_path)) == ["fifo", "loop"]


def maps(path, mode, shape, offset=0):
    return np.memmap(path, "complex64", mode, offset, shape)


def test_one_file_mapped_twice(tmp_path, x):
    path = tmp_path / "x"
    x.tofile(path)
    both = maps(path, "r", x.shape), maps(path, "r+", x.shape)
    for source, out in (both, (np.asarray(both[0])[:], np.asarray(both[1]))):
        with pytest.raises(skipper.Error, match="out: overlaps"):
            stream.transform(source, out)
        with pytest.raises(skipper.Error, match="out: is mapped from the same part"):
            skipper.Plan(x.shape, x.dtype)(source, out)
        with pytest.raises(skipper.Error, match="out: overlaps"):
            skipper.FilterPlan(x.shape, np.ones((2, 2)), dtype=x.dtype)(source, out)
    assert np.array_equal(both[0], x)
    half = (6, 16)
    stream.transform(maps(path, "r", half), maps(path, "r+", half, x.nbytes // 2))
    assert np.allclose(both[0][6:], fft.fftn(x[:6]), atol=1e-3)
    private = maps(path, "c", x.shape)  # what is written there stays there
    assert np.allclose(stream.transform(both[0], private), fft.fftn(both[0]), atol=1e-2)
    assert stream.transform(both[1], both[1]) is both[1]
