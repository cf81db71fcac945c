"""How tests start ranks: mpirun, and what it needs to run more ranks than there are cores."""
import os
import shutil
import subprocess
import sys

import pytest


def run_ranks(ranks, script, folder):
    """Python's SCRIPT on so many ranks, in FOLDER. There Open MPI keeps its files too: launchers that start or end at the same
    time, as those of ctest do, would remove a folder that they shared under each other."""
    return subprocess.run([*mpirun(), "-n", str(ranks), sys.executable, str(script)], cwd=folder, capture_output=True, text=True,
                          timeout=300, env={**os.environ, "TMPDIR": str(folder)})


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
