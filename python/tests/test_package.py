"""The package itself: what it exports, its stubs, its docstrings."""

import ast
import inspect
import pathlib
import subprocess
import sys

import pytest

import repsc

FOLDER = pathlib.Path(repsc.__file__).parent
PUBLIC = [getattr(repsc, name) for name in repsc.__all__ if callable(getattr(repsc, name))]
for module in (repsc.plot, repsc.representation):
    PUBLIC += [getattr(module, name) for name in module.__all__]


def test_the_package_is_typed():
    assert (FOLDER / "py.typed").exists()
    engine = (FOLDER / "_engine.pyi").read_text()
    assert "def view_graph" in engine and "class Graph" in engine


def stubs(module):
    """Functions and classes of a stub by name; overloads: the last."""
    tree = ast.parse((FOLDER / f"{module}.pyi").read_text())
    return {node.name: node for node in tree.body if hasattr(node, "name")}


def described(arguments):
    """Names, and defaults as Python writes them."""
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    pairs = [*zip(positional, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name.arg, default and ast.literal_eval(default)) for name, default in pairs]


def actual(function):
    return [
        (name, None if parameter.default is parameter.empty else parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
    ]


def pairs():
    for module, owner in (
        ("_functions", repsc),
        ("plot", repsc.plot),
        ("representation", repsc.representation),
    ):
        for name, node in stubs(module).items():
            if isinstance(node, ast.FunctionDef) and name != "read_graph":  # overloaded
                yield pytest.param(node, getattr(owner, name), id=f"{module}.{name}")
    model = stubs("_estimator")["RepresentationAwareSpectralClustering"]
    for node in model.body:
        if getattr(node, "name", "") in ("__init__", "fit", "fit_predict", "fit_transform"):
            function = getattr(repsc.RepresentationAwareSpectralClustering, node.name)
            yield pytest.param(node, function, id=f"estimator.{node.name}")


@pytest.mark.parametrize("node, function", list(pairs()))
def test_stubs_have_the_signatures_of_the_code(node, function):
    assert described(node.args) == actual(function)


@pytest.mark.parametrize("thing", PUBLIC, ids=lambda thing: thing.__name__)
def test_everything_public_is_documented_in_numpydoc_style(thing):
    text = inspect.getdoc(thing)
    assert text
    if not inspect.isfunction(thing):
        return
    parameters = list(inspect.signature(thing).parameters)
    assert "Parameters\n----------" in text
    for name in parameters:
        assert name in text.split("Parameters\n----------")[1]
    assert "Examples\n--------" in text or thing.__name__ == "spring_layout"


def test_importing_needs_no_plotting_library():
    code = "import sys, repsc; assert 'matplotlib' not in sys.modules; print(repsc.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repsc.__version__


def test_plots_say_what_to_install(monkeypatch):
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        repsc.plot.composition([0, 1], [0, 1])
