"""The type stubs say what the modules have: the same names, and the same parameters in the same order."""
import ast
import importlib
import inspect
import pathlib

import pytest

import skipper

PACKAGE = pathlib.Path(skipper.__file__).parent
NAMES = ["convolution", "distributed", "poisson", "stream"]


def parameters(function):
    arguments = function.args
    names = [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
    return names + ([arguments.kwarg.arg] if arguments.kwarg else [])


@pytest.mark.parametrize("name", NAMES)
def test_stub_and_module_agree(name):
    module = importlib.import_module(f"skipper.{name}")
    stub = ast.parse((PACKAGE / f"{name}.pyi").read_text())
    public = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert sorted(public) == sorted(module.__all__)
    for word, node in public.items():
        found = getattr(module, word)
        assert inspect.getdoc(found), word
        if isinstance(node, ast.FunctionDef):
            assert parameters(node) == list(inspect.signature(found).parameters), word
            continue
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        for method, declared in methods.items():
            attribute = inspect.getattr_static(found, method)
            assert isinstance(attribute, property) == bool(declared.decorator_list), (word, method)
            if not declared.decorator_list:
                assert parameters(declared) == list(inspect.signature(attribute).parameters), (word, method)
        own = {n for n in vars(found) if not n.startswith("_")} - {"argument"}
        assert own == {m for m in methods if not m.startswith("_")}, word
