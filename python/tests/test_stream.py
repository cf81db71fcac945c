"""skipper.stream on arrays and mapped files, its progress, and Ctrl-C."""
import os
import signal
import subprocess
import sys
import tempfile
import textwrap

import numpy as np
import pytest

import skipper
from skipper import _workspace, stream

fft = pytest.importorskip("scipy.fft")


def noise(shape, dtype, seed=1):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def mapped(path, values):
    made = np.memmap(path, dtype=values.dtype, mode="w+", shape=values.shape)
    made[...] = values
    return made


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("axes", [None, (0,), (1, 2), (-1,), (2, 0)])
def test_memmaps(tmp_path, dtype, axes):
    x = mapped(tmp_path / "x", noise((24, 20, 30), dtype))
    y = np.memmap(tmp_path / "y", dtype=dtype, mode="w+", shape=x.shape)
    assert stream.transform(x, y, memory_limit=1 << 19, axes=axes) is y
    expected = fft.fftn(np.asarray(x), axes=axes)
    assert np.abs(y - expected).max() < (1e-4 if dtype == "complex64" else 1e-11) * np.abs(expected).max()
    back = stream.transform(y, memory_limit=1 << 19, axes=axes, inverse=True)
    assert np.abs(back - x).max() < (1e-5 if dtype == "complex64" else 1e-13)


def test_real_kinds_and_norms():
    x = noise((16, 20, 18), "float64")
    spectrum = stream.transform(x, memory_limit=1 << 18)
    assert np.allclose(spectrum, fft.rfftn(x)) and spectrum.dtype == np.complex128
    back = np.empty_like(x)
    assert np.allclose(stream.transform(spectrum, back, memory_limit=1 << 18), x)
    odd = np.empty((16, 20, 19))
    assert np.allclose(stream.transform(fft.rfftn(noise((16, 20, 19), "float64")), odd), noise((16, 20, 19), "float64"))
    for norm in ["backward", "ortho", "forward"]:
        assert np.allclose(stream.transform(x, norm=norm), fft.rfftn(x, norm=norm))
        assert np.allclose(stream.transform(spectrum, inverse=True, norm=norm), fft.ifftn(spectrum, norm=norm))
        for kind in ["dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"]:
            family, inverse_of = (fft.dctn, fft.idctn) if kind.startswith("dct") else (fft.dstn, fft.idstn)
            assert np.allclose(stream.transform(x, kind=kind, norm=norm), family(x, int(kind[3]), norm=norm)), (kind, norm)
            assert np.allclose(stream.transform(x, kind=kind, norm=norm, inverse=True), inverse_of(x, int(kind[3]), norm=norm))
    mixed = stream.transform(x, kind=["dct2", "dst3"], axes=(0, 2))
    assert np.allclose(mixed, fft.dst(fft.dct(x, 2, axis=0), 3, axis=2))


def test_strides_and_in_place():
    base = noise((20, 16, 24), "complex64")
    x = base.transpose(2, 0, 1)[::2]
    out = np.zeros((16, 12, 20), "complex64").transpose(1, 2, 0)
    stream.transform(x, out)
    assert np.abs(out - fft.fftn(x)).max() < 1e-3
    here = np.ascontiguousarray(x)
    expected = fft.fftn(here)
    stream.transform(here, here)
    assert np.abs(here - expected).max() < 1e-3


def test_files_by_name(tmp_path):
    x = noise((8, 32, 32), "float32")
    np.save(tmp_path / "x.npy", x)
    y = stream.transform(tmp_path / "x.npy", str(tmp_path / "y.npy"), memory_limit=1 << 18, progress=False)
    y.flush()
    assert np.abs(np.load(tmp_path / "y.npy") - fft.rfftn(x)).max() < 1e-3


def test_progress(capfd, monkeypatch):
    x = noise((64, 64, 16), "complex64")
    seen = []
    plan = stream.Plan(x.shape, x.dtype, memory_limit=1 << 18, device="cpu")
    assert plan.device_bytes <= 1 << 18 and plan.trips >= 1 and plan.workspace_bytes >= 0 and plan.describe()
    plan(x, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1)) and seen[-1][0] == seen[-1][1] > 2
    with pytest.raises(stream.Cancelled) as raised:
        plan(x, progress=lambda done, total: done < 2)
    assert isinstance(raised.value, skipper.Error) and raised.value.argument == "progress"

    def fails(done, total):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        plan(x, progress=fails)
    plan(x, progress=True)
    assert "transform" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm", None)  # as where it is not installed
    plan(x, progress=True)
    assert "100 % [########################################]" in capfd.readouterr().err


def test_ctrl_c_ends_it_cleanly(tmp_path):
    code = textwrap.dedent("""
        import numpy as np, os, signal, skipper
        x = np.ones((64, 64, 64), "complex64")
        plan = skipper.stream.Plan(x.shape, x.dtype, memory_limit=1 << 18, device="cpu")
        slices = []
        def press(done, total):
            slices.append(done)
            if done == 2:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            plan(x, progress=press)
        except KeyboardInterrupt:
            print("interrupted", len(slices))
        print(abs(plan(x)[0, 0, 0] - 64**3) < 1)
    """)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    words = ended.stdout.split()
    assert words[0] == "interrupted" and 2 <= int(words[1]) <= 4 and words[2] == "True"


@pytest.mark.slow
def test_ctrl_c_from_outside(tmp_path):
    code = textwrap.dedent("""
        import numpy as np, sys, skipper
        x = np.ones((512, 512, 64), "complex64")
        plan = skipper.stream.Plan(x.shape, x.dtype, memory_limit=1 << 22, device="cpu", threads=1)
        out = np.empty_like(x)
        try:
            for _ in range(1000):
                plan(x, out, progress=lambda done, total: print("slice", flush=True))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(7)
    """)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 7 and rest.split()[-1] == "interrupted"


def test_other_threads_run_meanwhile():
    import threading
    x = noise((128, 128, 64), "complex64")
    counted, done = 0, threading.Event()

    def work():
        stream.transform(x, memory_limit=1 << 20)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 100


@pytest.mark.parametrize("call, argument", [
    (lambda x: stream.transform(x.tolist()), "x"),
    (lambda x: stream.transform("nowhere.npy"), "x"),
    (lambda x: stream.transform(x.real.astype("int32")), "x"),
    (lambda x: stream.transform(x[::-1]), "x"),
    (lambda x: stream.transform(x, np.empty((3, 3), "complex64")), "out"),
    (lambda x: stream.transform(x, x[:]. view("complex64").T), "out"),
    (lambda x: stream.transform(x, np.empty(x.shape, "complex128")), "out"),
    (lambda x: stream.transform(x.real.copy(), np.empty(x.shape, "float32")), "kind"),
    (lambda x: stream.transform(x, kind="fft"), "kind"),
    (lambda x: stream.transform(x, kind=["dct2"]), "kind"),
    (lambda x: stream.transform(x, kind="c2r"), "out"),
    (lambda x: stream.transform(x, axes=(0, 0)), "axes"),
    (lambda x: stream.transform(x, axes=2), "axes"),
    (lambda x: stream.transform(x, norm="unit"), "norm"),
    (lambda x: stream.transform(x.real.copy(), kind="r2c", inverse=True), "inverse"),
    (lambda x: stream.transform(x, memory_limit="much"), "memory_limit"),
    (lambda x: stream.transform(x, memory_limit=8), "memory_limit"),
    (lambda x: stream.transform(x, strategy="fast"), "strategy"),
    (lambda x: stream.transform(x, device="tpu"), "device"),
    (lambda x: stream.Plan(x.shape, x.dtype)(x.T.copy().T), "x"),
    (lambda x: stream.transform(x.real.astype("float16")), "dtype"),
    (lambda x: stream.Plan(x.shape, "float16", "c2c"), "dtype"),
    (lambda x: stream.Plan(x.shape, "int32"), "dtype"),
])
def test_refusals_name_the_argument(call, argument):
    with pytest.raises(skipper.Error) as raised:
        call(np.ones((16, 16), "complex64"))
    assert raised.value.argument.split("[")[0] == argument and str(raised.value).startswith(raised.value.argument)


def test_workspace_is_a_file_beyond_the_limit(tmp_path, monkeypatch):
    x = noise((32, 32, 32), "float64")
    spectrum = fft.rfftn(x)
    plan = stream.Plan(x.shape, "float64", "c2r", memory_limit=1 << 17, device="cpu")
    assert plan.workspace_bytes > 1 << 17
    made = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda dir: made.append(str(dir)) or real(dir=dir))
    out = np.memmap(tmp_path / "out", dtype="float64", mode="w+", shape=x.shape)
    assert np.allclose(plan(spectrum, out), x) and made == [str(tmp_path)]
    assert np.allclose(plan(spectrum, workspace="/tmp"), x) and made == [str(tmp_path), "/tmp"]
    own = np.memmap(tmp_path / "own", dtype="uint8", mode="w+", shape=plan.workspace_bytes)
    assert np.allclose(plan(spectrum, workspace=own), x) and own.any() and len(made) == 2
    with pytest.raises(skipper.Error, match="workspace: must have"):
        plan(spectrum, workspace=own[:100])
    assert stream.Plan(x.shape, "float64", "c2r", device="cpu")(spectrum).shape == x.shape and len(made) == 2
    with pytest.raises(skipper.Error, match="workspace: is no folder"):
        plan(spectrum, workspace=tmp_path / "nowhere")


def test_a_full_disk_is_an_error(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_workspace.os, "posix_fallocate", full)
    with pytest.raises(skipper.Error, match="out: needs .* GB of disk: No space left"):
        stream.transform(noise((8, 8), "complex64"), tmp_path / "y.npy")


def test_a_read_only_output_is_refused(tmp_path):
    x = mapped(tmp_path / "x", noise((8, 8), "complex64"))
    out = np.memmap(tmp_path / "x", dtype="complex64", mode="r", shape=(8, 8))
    with pytest.raises(skipper.Error, match="mode='r\\+'"):
        stream.transform(x, out)
