"""plan(): what cluster() would do, and why."""

import pickle
import subprocess

import numpy as np
import pytest

import repsc
from repsc import RepresentationAwareSpectralClustering as Model


def decisions(plan):
    return {decision.what: decision.choice for decision in plan.decisions}


def test_the_plan_says_what_runs_and_why(town):
    plan = repsc.plan(town.G, 3, representation=town.R, strength=3, solver="lanczos")
    assert plan.method == "nrepsc" and plan.ignored == ()
    chosen = decisions(plan)
    assert chosen["constraint"] == "soft, strength 3"
    assert chosen["solver"] == "lanczos" and chosen["refinement"] == "none"
    assert all(decision.reason for decision in plan.decisions)


@pytest.mark.parametrize("given", ["nothing", "groups", "rule", "representation", "n_groups"])
@pytest.mark.parametrize("refine", ["auto", False])
def test_the_plan_is_what_runs(town, given, refine):
    groups = np.arange(150) % 2
    options = {
        "nothing": {},
        "groups": dict(groups=groups),
        "rule": dict(representation=repsc.representation.groups(groups)),
        "representation": dict(representation=town.R),
        "n_groups": dict(representation=town.R, n_groups=3),
    }[given]
    plan = repsc.plan(town.G, 3, refine=refine, **options)
    result = repsc.cluster(town.G, 3, refine=refine, **options)
    chosen = decisions(plan)
    assert plan.method in chosen["method"] and result.method in chosen["method"]
    assert (result.search is not None) == ("search" in chosen)
    assert result.solver in chosen["solver"] or "lapack" in str(plan)
    if chosen["refinement"] == "none":
        assert result.refinement is None


def test_the_text_is_a_table_and_the_repr_is_short(town):
    plan = repsc.plan(town.G, 3, representation=town.R)
    lines = str(plan).splitlines()
    assert len(lines) == len(plan.decisions) and not str(plan).endswith("\n")
    for line, decision in zip(lines, plan.decisions):
        assert line.split() == " ".join(decision).split()
    assert repr(plan) == "Plan(method='nrepsc', ignored=())"
    assert pickle.loads(pickle.dumps(plan)) == plan
    with pytest.raises(AttributeError):
        plan.method = "nsc"


def test_the_plan_is_that_of_the_command_line(tool, town_files, town):
    line = [tool, "cluster", "G.npz", "R.npz", "--clusters", "3", "--explain-plan"]
    done = subprocess.run(line, cwd=town_files, capture_output=True, text=True, check=True)
    assert str(repsc.plan(town.G, 3, representation=town.R)) == done.stdout.rstrip("\n")


def test_a_plan_names_what_is_ignored_where_cluster_raises(town):
    options = dict(method="nsc", representation=town.R, groups=np.arange(150) % 2, rank=5)
    plan = repsc.plan(town.G, 3, **options)
    assert plan.ignored == ("sensitive_features", "rank")
    with pytest.raises(repsc.InvalidInput, match="sensitive_features and rank: nsc ignores them"):
        repsc.cluster(town.G, 3, **options)
    found = repsc.plan(
        town.G, 3, representation=town.R, groups=np.arange(150) % 2, method="nfairsc", n_groups=2
    )
    assert found.ignored == ("n_groups",)


def test_a_plan_refuses_what_cluster_refuses(town):
    for options, message in (
        (dict(method="nrepsc"), "needs a representation graph"),
        (dict(representation=town.R, rank=200), "rank=200"),
        (dict(representation=town.R, strength=-1), "'strength' parameter of plan"),
        (dict(n_jobs=0), "n_jobs=0"),
    ):
        with pytest.raises(ValueError, match=message):
            repsc.plan(town.G, 3, **options)
    with pytest.raises(TypeError, match="magic"):
        repsc.plan(town.G, 3, magic=1)


def test_a_plan_draws_no_random_numbers(town):
    state = np.random.RandomState(5)
    repsc.plan(town.G, 3, random_state=state)
    assert state.randint(1000) == np.random.RandomState(5).randint(1000)


@pytest.mark.parametrize("given", [{}, {"groups": 2}, {"representation": True}])
def test_the_estimator_takes_the_unnormalized_counterpart(town, given):
    given = dict(given)
    if "groups" in given:
        given["groups"] = np.arange(150) % 2
    if "representation" in given:
        given["representation"] = town.R
    methods = {"groups": "ufairsc", "representation": "urepsc"}
    expected = next((methods[name] for name in given), "usc")
    model = Model(3, random_state=0).fit(town.G, **given)
    assert (model.result_.search is not None) == bool(given)
    for n_clusters in (1, 3):
        model = Model(n_clusters, normalized=False, random_state=0).fit(town.G, **given)
        assert model.result_.method == expected and model.result_.search is None
