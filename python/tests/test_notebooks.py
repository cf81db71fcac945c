"""The notebooks in docs/notebooks run from beginning to end, and are kept without outputs."""
import pathlib

import pytest

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "docs" / "notebooks"
NAMES = ["denoising", "larger_than_memory", "poisson"]


def test_every_notebook_is_named_here():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_outputs(name):
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_runs(name, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("SKIPPER_NOTEBOOK_BYTES", "200e6")
    monkeypatch.setenv("SKIPPER_NOTEBOOK_LIMIT", "20e6")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    book = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    if name != "larger_than_memory":
        assert any("image/png" in output.get("data", {}) for output in outputs)
    nbformat.write(book, tmp_path / f"{name}.ipynb")
    assert not list(tmp_path.glob("tmp*"))  # the large files are gone
