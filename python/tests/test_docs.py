"""The examples of docs/python.md and of the package's README run, in order."""

import pathlib
import re

import numpy as np
import pytest

from mpi_launcher import run_ranks

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(document, tmp_path, monkeypatch):
    if not document.exists():
        pytest.skip(f"{document.name} is not here")
    examples = re.findall(r"^```python\n(.*?)^```", document.read_text(), re.M | re.S)
    assert examples
    monkeypatch.chdir(tmp_path)  # some write files
    names = {"np": np}
    for example in examples:
        exec(compile(example, str(document), "exec"), names)


def test_examples_over_ranks_run(tmp_path):
    """Those that begin with ```python mpi, on two processes."""
    examples = re.findall(r"^```python mpi\n(.*?)^```", DOCUMENTS[0].read_text(), re.M | re.S)
    assert examples
    for example in examples:
        (tmp_path / "example.py").write_text(example)
        ended = run_ranks(2, "example.py", tmp_path)
        assert ended.returncode == 0, ended.stdout + ended.stderr
