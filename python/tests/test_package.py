"""The package itself: its types, options, modules and docstrings."""

import ast
import dataclasses
import graphlib
import inspect
import pathlib
import subprocess
import sys

import pytest

import repsc
from repsc import _options

FOLDER = pathlib.Path(repsc.__file__).parent
PUBLIC = [getattr(repsc, name) for name in repsc.__all__ if callable(getattr(repsc, name))]
for module in (repsc.plot, repsc.representation):
    PUBLIC += [getattr(module, name) for name in module.__all__]


def test_the_package_is_typed():
    assert (FOLDER / "py.typed").exists()
    engine = (FOLDER / "_engine.pyi").read_text()
    assert "def view_graph" in engine and "class Graph" in engine
    assert [path.name for path in FOLDER.glob("*.pyi")] == ["_engine.pyi"]


MODEL = repsc.RepresentationAwareSpectralClustering
FUNCTIONS = [thing for thing in PUBLIC if inspect.isfunction(thing)]
METHODS = [MODEL.__init__, MODEL.fit, MODEL.fit_predict, MODEL.fit_transform]


@pytest.mark.parametrize("function", FUNCTIONS + METHODS, ids=lambda function: function.__name__)
def test_everything_public_is_annotated(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty
    for name, parameter in signature.parameters.items():
        assert name == "self" or parameter.annotation is not parameter.empty, name


# Functions with the options they build, and the defaults that are their own.
OPTIONS = {
    "cluster": (repsc.cluster, _options.ClusterOptions, {}),
    "plan": (repsc.plan, _options.ClusterOptions, {}),
    "path": (repsc.path, _options.SpectralOptions, {"method": "nrepsc"}),
    "cluster_to_target": (repsc.cluster_to_target, _options.TargetOptions, {}),
    "choose_k": (repsc.choose_k, _options.ChooseOptions, {}),
    "refine": (repsc.refine, _options.RefineOptions, {}),
    "baselines": (repsc.baselines, _options.BaselineOptions, {}),
    "certify": (repsc.certify, _options.CertifyOptions, {}),
    "unreachable_nodes": (repsc.unreachable_nodes, _options.ReachOptions, {}),
    "sample_planted_partition": (repsc.sample_planted_partition, _options.SeedOptions, {}),
    "sample_regular_representation": (
        repsc.sample_regular_representation,
        _options.SeedOptions,
        {},
    ),
    "sample_rpp": (repsc.sample_rpp, _options.SeedOptions, {}),
    MODEL.__name__: (MODEL, _options.ClusterOptions, {"random_state": None}),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_signatures_repeat_the_options_and_their_defaults(name):
    function, options, own = OPTIONS[name]
    parameters = inspect.signature(function).parameters
    of_cluster_only = {"method", "n_groups"} if function is MODEL else set()
    assert set(options.accepted()) - set(parameters) == of_cluster_only
    for field in dataclasses.fields(options):
        if field.name in parameters:
            default = parameters[field.name].default
            if default is not inspect.Parameter.empty:
                assert default == own.get(field.name, field.default), field.name


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_validated(name):
    function, options, _ = OPTIONS[name]
    parameters = inspect.signature(function).parameters
    valid = {"n_clusters": 2, "alpha": 0.5}
    needed = {p.name: valid.get(p.name) for p in parameters.values() if p.default is p.empty}
    for option in set(options.accepted()) & set(parameters):
        with pytest.raises(ValueError, match=f"The '{option}' parameter of {name} must be"):
            made = function(**{**needed, option: [object()]})
            made.fit([[0, 1], [1, 0]])  # the estimator validates when it is fitted


MODULES = sorted(path.stem for path in FOLDER.glob("*.py"))


def imports_of(module):
    """Modules of the package that a module imports, anywhere in its text."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from [node.module] if node.module else [name.name for name in node.names]
        elif isinstance(node, ast.Import):
            assert not any(name.name.startswith("repsc") for name in node.names)


def test_no_module_imports_itself_through_others():
    graph = {module: set(imports_of(module)) for module in MODULES}
    assert "_options" in graph["_clustering"]
    order = list(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError
    assert order[-1] == "__init__"


IMPORT_ALONE = """
import importlib, sys, types
import numpy, scipy.sparse, sklearn.base, sklearn.neighbors
for module in sys.argv[2:]:
    for name in [name for name in sys.modules if name.split(".")[0] == "repsc"]:
        if name != "repsc._engine":  # an extension module is loaded once
            del sys.modules[name]
    if module != "__init__":
        package = types.ModuleType("repsc")  # so that __init__ does not import the others first
        package.__path__ = [sys.argv[1]]
        sys.modules["repsc"] = package
        module = "." + module
    importlib.import_module("repsc" if module == "__init__" else "repsc" + module)
"""


def test_every_module_can_be_imported_alone():
    command = [sys.executable, "-c", IMPORT_ALONE, str(FOLDER), *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


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
