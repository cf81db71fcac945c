"""The wheel in a bare environment: a new virtual environment with NumPy, no compiler on PATH, nothing of this checkout."""

import os
import subprocess
import sys
import zipfile

import pytest

WHEEL = os.environ.get("SKIPPER_WHEEL", "")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not os.path.exists(WHEEL), reason="SKIPPER_WHEEL names no wheel")]


def test_wheel_contains_what_it_should():
    names = zipfile.ZipFile(WHEEL).namelist()
    assert sum(name.startswith("skipper/_core.") and name.endswith(".so") for name in names) == 1
    for name in ("skipper/__init__.py", "skipper/py.typed", "skipper/fft.pyi", "skipper/scipy.py"):
        assert name in names
    assert not [name for name in names if name.endswith((".a", ".h", ".cpp"))]


def test_wheel_in_a_bare_environment(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    environment = {"PATH": str(tmp_path / "venv" / "bin"), "HOME": str(tmp_path)}
    environment.update((k, v) for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_")) or k.lower().endswith("_proxy"))
    python = str(tmp_path / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    done = subprocess.run([*pip, "numpy", WHEEL], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = "import numpy, skipper; assert abs(skipper.fft.fft(numpy.ones(1000))[0] - 1000) < 1e-9; print(skipper.devices()[-1]['name'])"
    done = subprocess.run([python, "-c", text], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "cpu", done.stderr
