"""How tests start ranks: mpirun, and what it needs to run more ranks than there are cores."""
import shutil
import subprocess
import sys

import pytest


def mpirun():
    pytest.importorskip("mpi4py")
    program = shutil.which("mpirun")
    if not program:
        pytest.skip("mpirun is not installed")
    tried = subprocess.run([sys.executable, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"],
                           capture_output=True, text=True, timeout=60)
    if tried.returncode:
        pytest.skip("mpi4py finds no MPI: " + tried.stderr.strip().splitlines()[-1])
    is_open_mpi = "Open MPI" in tried.stdout
    return [program] + (["--oversubscribe", "--allow-run-as-root"] if is_open_mpi else [])
