"""Errors in the words of Python, and as data."""

import pickle

import numpy as np
import pytest

import repsc
from repsc import _engine
from repsc._graphs import as_graph


def error_of(call, *args, **kwargs):
    with pytest.raises(repsc.InvalidInput) as caught:
        call(*args, **kwargs)
    error = caught.value
    assert isinstance(error, ValueError)
    assert "--" not in str(error) and "num_" not in str(error)
    return error


def test_an_error_names_the_option_its_value_and_what_to_do(town):
    error = error_of(repsc.cluster, town.G, 3, representation=town.R, rank=5, strength=1)
    assert (error.option, error.value, error.where) == ("rank", 5, None)
    assert error.remedies == (("leave out", "rank", None), ("use", "constraint", "hard"))
    assert error.remedies[1].option == "constraint"
    assert str(error).startswith("rank=5: a soft constraint")
    assert str(error).endswith('; leave out rank or use constraint="hard"')


def test_options_have_their_names_in_python(town):
    error = error_of(repsc.cluster, town.G, 151)
    assert (error.option, error.value) == ("n_clusters", 151)
    error = error_of(repsc.cluster, town.G, 3, n_groups=2)
    assert (error.option, error.value) == ("n_groups", 2)
    error = error_of(repsc.cluster, town.G, 3, representation=town.R, n_groups=151)
    assert (error.option, error.value) == ("n_groups", 151)
    error = error_of(repsc.path, town.G, town.R, 3, [148])
    assert (error.option, error.value) == ("ranks", 148)
    targets = dict(target_balance=0.5, target_individual=0.5)
    error = error_of(repsc.cluster_to_target, town.G, town.R, 3, **targets)
    assert str(error).endswith("; leave out target_balance or leave out target_individual")


def test_values_are_written_as_in_python(town):
    error = error_of(repsc.cluster, town.G, 3, method="nrepsc")
    assert str(error).startswith('method="nrepsc": it needs a representation graph')
    error = error_of(repsc.cluster, town.G, 3, strength=0.5)
    assert error.value == 0.5 and str(error).startswith("strength=0.5: ")
    error = error_of(repsc.cluster, town.G, 3, representation=town.R, rank="exact", strength=1)
    assert error.value == "exact" and str(error).startswith('rank="exact": ')


def test_refinement_is_a_truth_value(town):
    error = error_of(repsc.cluster, town.G, 3, refine=True)
    assert (error.option, error.value) == ("refine", True)
    assert str(error).startswith("refine=True: ")
    assert "representation graph or groups" in str(error)
    error = error_of(repsc.cluster, town.G, 3, representation=town.R, rank=5, mu=1)
    assert error.remedies == (("use", "refine", True),)
    assert str(error).endswith("; use refine=True")


def test_ignored_options_are_errors_with_a_name(town):
    error = error_of(repsc.cluster, town.G, 3, rank=5)
    assert error.option == "rank" and str(error) == "rank: nsc ignores it; leave it out"


def test_nodes_without_edges_have_the_ways_out_of_python():
    graph = np.zeros((5, 5))
    graph[:4, :4] = 1 - np.eye(4)
    error = error_of(repsc.cluster, graph, 2)
    assert 'regularization="auto"' in str(error) and "leave out such nodes" in str(error)
    assert ("use", "regularization", "auto") in error.remedies


def test_a_representation_graph_that_leaves_no_room():
    graph = 1 - np.eye(4)
    error_of(repsc.cluster, graph, 3, representation=np.eye(4), rank="exact")


def test_errors_in_files_say_where(tmp_path):
    (tmp_path / "broken.txt").write_text("a b\nb c -1\n")
    error = error_of(repsc.read_graph, tmp_path / "broken.txt")
    assert error.where == str(tmp_path / "broken.txt:2")
    assert str(error).startswith(error.where + ": ")
    error = error_of(repsc.read_graph, tmp_path / "broken.txt", format="hdf5")
    assert (error.option, error.value) == ("format", "hdf5")


def test_errors_survive_pickling(town):
    error = error_of(repsc.cluster, town.G, 151)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and vars(copy) == vars(error)


def test_memory_errors_speak_python(town):
    with pytest.raises(MemoryError, match="raise memory_limit") as caught:
        repsc.cluster(town.G, 3, representation=town.R, rank="exact", memory_limit=1000)
    assert "--" not in str(caught.value)


def test_the_engine_refuses_options_it_does_not_know():
    with pytest.raises(TypeError, match="no such option: magic"):
        _engine.cluster(as_graph(1 - np.eye(4)), None, None, 2, {"magic": 1}, None)
