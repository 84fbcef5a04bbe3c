"""sensitive_features, its other name groups, and the way of both through scikit-learn."""

import inspect

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - makes the search visible
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import repsc
from repsc import RepresentationAwareSpectralClustering as Model

SWALLOWED = "groups= of .* is passed to its splitter, which ignores it.*use sensitive_features="


class Recorder(Model):
    """Remembers the groups of every fit."""

    seen = []  # noqa: RUF012 - shared by clones

    def fit(self, X, y=None, *, representation=None, sensitive_features=None, groups=None):
        type(self).seen.append((X.shape[0], sensitive_features))
        return super().fit(X, y, sensitive_features=sensitive_features, groups=groups)


@pytest.fixture
def recorder():
    Recorder.seen = []
    return Recorder(3, random_state=0)


def balance_of(model, X, y=None):
    return model.average_balance_


def method_of(model):
    return model.result_.method


def searches(model, **options):
    grid = {"n_clusters": [2, 3]}
    given = dict(scoring=balance_of, error_score="raise", **options)
    return (
        GridSearchCV(model, grid, **given),
        RandomizedSearchCV(model, grid, n_iter=2, **given),
        HalvingGridSearchCV(model, grid, min_resources=100, **given),
    )


def test_both_names_mean_the_same(blocks):
    G, truth, groups = blocks
    expected = repsc.cluster(G, 3, groups=groups)
    assert expected.search is not None
    found = repsc.cluster(G, 3, sensitive_features=groups)
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert repsc.plan(G, 3, sensitive_features=groups).method == "nrepsc"
    one, other = (repsc.evaluate(G, truth, **{n: groups}) for n in ("sensitive_features", "groups"))
    assert one == other and one.average_balance > 0
    for name in ("fit_predict", "fit_transform"):
        model = Model(3, random_state=0)
        getattr(model, name)(G, sensitive_features=groups)
        np.testing.assert_array_equal(model.labels_, expected.labels)


@pytest.mark.parametrize("thing", [repsc.cluster, repsc.plan, repsc.evaluate, Model.fit])
def test_the_documented_name_comes_first(thing):
    names = list(inspect.signature(thing).parameters)
    assert names.index("sensitive_features") < names.index("groups")
    assert "Another name of ``sensitive_features``" in thing.__doc__ or thing is repsc.plan


@pytest.mark.parametrize("kind", range(3), ids=["grid", "random", "halving"])
def test_searches_pass_the_right_rows_to_every_fit(blocks, recorder, kind):
    G, _, groups = blocks
    words = np.array(["f", "m"])[groups]
    search = searches(recorder, cv=KFold(2, shuffle=True, random_state=0))[kind]
    search.fit(G, sensitive_features=words)
    assert search.best_estimator_.result_.search is not None
    assert len(Recorder.seen) >= 5
    for n_samples, seen in Recorder.seen:
        assert len(seen) == n_samples and set(seen) == {"f", "m"}
    assert min(n_samples for n_samples, _ in Recorder.seen) < len(groups)


def test_the_rows_that_are_passed_are_those_of_the_graph(blocks, recorder):
    G, _, _ = blocks
    names = np.arange(150) % 2 + np.arange(150) // 75 * 2
    folds = list(KFold(3, shuffle=True, random_state=1).split(names))
    GridSearchCV(recorder, {}, scoring=balance_of, cv=folds, refit=False).fit(
        G, sensitive_features=names
    )
    for (train, _), (_, seen) in zip(folds, Recorder.seen):
        np.testing.assert_array_equal(seen, names[train])


@pytest.mark.parametrize("kind", range(3), ids=["grid", "random", "halving"])
@pytest.mark.parametrize("cv", [None, 3, KFold(2, shuffle=True, random_state=0), "splits"])
def test_groups_of_a_search_are_refused_where_the_splitter_ignores_them(blocks, kind, cv):
    G, _, groups = blocks
    if cv == "splits":
        cv = list(KFold(2).split(groups))
    with pytest.raises(ValueError, match="SearchCV.fit " + SWALLOWED[len("groups= of .* ") :]):
        searches(Model(3, random_state=0), cv=cv)[kind].fit(G, groups=groups)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("function", [cross_validate, cross_val_score])
def test_groups_of_cross_validation_are_refused(blocks, function, n_jobs):
    G, _, groups = blocks
    model = Model(3, random_state=0)
    options = dict(scoring=balance_of, cv=2, n_jobs=n_jobs, error_score="raise")
    with pytest.raises(ValueError, match=SWALLOWED):
        function(model, G, groups=groups, **options)
    with pytest.raises(ValueError, match=SWALLOWED):
        function(make_pipeline(FunctionTransformer(), model), G, groups=groups, **options)


def test_groups_of_curves_are_refused(blocks):
    G, truth, groups = blocks
    model = Model(3, random_state=0)
    options = dict(scoring=balance_of, cv=2, groups=groups)
    with pytest.raises(ValueError, match=SWALLOWED):
        learning_curve(model, G, truth, **options)
    with pytest.raises(ValueError, match=SWALLOWED):
        validation_curve(model, G, truth, param_name="n_init", param_range=[1, 2], **options)
    with pytest.raises(ValueError, match=SWALLOWED):
        permutation_test_score(model, G, truth, n_permutations=2, **options)


def test_splitters_that_use_groups_may_have_them(blocks):
    G, _, groups = blocks
    folds = GroupKFold(3)
    where = np.arange(150) % 3
    search = GridSearchCV(Model(3, random_state=0), {}, scoring=balance_of, cv=folds)
    search.fit(G, groups=where, sensitive_features=groups)
    assert search.best_estimator_.result_.search is not None
    scores = cross_val_score(
        Model(3, random_state=0), G, groups=where, cv=folds, scoring=balance_of,
        params={"sensitive_features": groups},
    )
    assert (scores > 0).all()


def test_cloning_elsewhere_asks_nothing(blocks):
    groups, cv = "a local variable of the user", KFold(2)
    assert clone(Model(3)).n_clusters == 3 and groups and cv


def test_with_metadata_routing_scikit_learn_refuses_them(blocks):
    G, _, groups = blocks
    options = dict(scoring=balance_of, cv=KFold(2, shuffle=True, random_state=0))
    with sklearn.config_context(enable_metadata_routing=True):
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="groups"):
            GridSearchCV(Model(3), {}, **options).fit(G, groups=groups)
        asks = Model(3, random_state=0).set_fit_request(sensitive_features=True)
        search = GridSearchCV(asks, {}, **options).fit(G, sensitive_features=groups)
        assert search.best_estimator_.result_.search is not None
