"""The examples of docs/python.md and of the package's README run, in order."""

import pathlib
import re

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(document):
    if not document.exists():
        pytest.skip(f"{document.name} is not here")
    examples = re.findall(r"^```python\n(.*?)^```", document.read_text(), re.M | re.S)
    assert examples
    names = {"np": np}
    for example in examples:
        exec(compile(example, str(document), "exec"), names)
