"""The estimator: results, attributes, and its use with other parts of scikit-learn."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import SpectralClustering
from sklearn.datasets import make_blobs, make_circles
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import kernel_metrics, rbf_kernel
from sklearn.model_selection import KFold, cross_validate
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import repsc
from repsc import RepresentationAwareSpectralClustering as Model


def test_attributes_after_fitting_with_a_representation(planted):
    model = Model(4, random_state=0).fit(planted.G, representation=planted.R)
    n = len(planted.truth)
    assert adjusted_rand_score(model.labels_, planted.truth) == 1
    assert model.labels_.shape == (n,) and model.labels_.dtype == np.int32
    assert model.embedding_.shape == (n, 4)
    assert model.eigenvalues_.shape == (4,) and (np.diff(model.eigenvalues_) >= 0).all()
    assert model.n_iter_ >= 1 and model.converged_ and model.residual_ < 1e-8
    assert model.constraint_rank_ == n - 4  # Assumption 4.1: exactly K dimensions are left
    np.testing.assert_array_equal(model.balance_, np.ones(n))
    assert model.average_balance_ == 1
    assert model.ratio_cut_ == repsc.ratio_cut(planted.G, planted.truth)
    assert model.normalized_cut_ == repsc.normalized_cut(planted.G, planted.truth)
    assert model.n_features_in_ == n
    assert model.affinity_matrix_ is planted.G


@pytest.mark.parametrize("normalized", [True, False])
def test_the_method_follows_from_what_is_given(blocks, normalized):
    G, truth, groups = blocks
    letter = "n" if normalized else "u"
    model = Model(3, normalized=normalized, random_state=0)
    assert model.fit(G).result_.method == letter + "sc"
    assert np.isnan(model.balance_).all() and np.isnan(model.average_balance_)
    assert model.constraint_rank_ == 0
    assert model.fit(G, groups=groups).average_balance_ > 0.9
    assert (model.result_.search is not None) == normalized
    rule = repsc.representation.groups(groups)
    assert model.fit(G, representation=rule).average_balance_ > 0.9
    if not normalized:
        assert model.result_.method == "ufairsc" and model.constraint_rank_ == 1
    model.fit(G, representation=rule.tocsr())
    assert normalized or model.result_.method == "urepsc"
    assert adjusted_rand_score(model.labels_, truth) == 1


@pytest.mark.parametrize("seed", range(3))
def test_plain_clusters_agree_with_scikit_learn_on_well_separated_graphs(seed):
    truth = np.arange(120) // 30
    G = repsc.sample_planted_partition(truth, 0.6, 0.02, random_state=seed)
    theirs = SpectralClustering(4, affinity="precomputed", random_state=seed).fit_predict(
        G.astype(float)
    )
    for normalized in (True, False):
        ours = Model(4, normalized=normalized, random_state=seed).fit_predict(G)
        assert adjusted_rand_score(ours, theirs) == 1


@pytest.mark.parametrize(
    "affinity, data, options",
    [
        ("rbf", make_blobs(150, centers=3, cluster_std=0.5, random_state=0), {"gamma": 0.7}),
        ("nearest_neighbors", make_circles(200, factor=0.4, noise=0.03, random_state=0), {}),
    ],
)
def test_affinities_of_features_are_those_of_scikit_learn(affinity, data, options):
    X, y = data
    k = len(set(y))
    theirs = SpectralClustering(k, affinity=affinity, random_state=0, **options).fit(X)
    ours = Model(k, affinity=affinity, random_state=0, **options).fit(X)
    difference = ours.affinity_matrix_ - theirs.affinity_matrix_
    assert abs(difference).max() == 0
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1
    assert adjusted_rand_score(ours.labels_, y) == 1
    assert ours.n_features_in_ == 2


@pytest.mark.parametrize("affinity", [*kernel_metrics(), "precomputed_nearest_neighbors"])
def test_every_affinity_of_scikit_learn(affinity):
    X, y = make_blobs(60, centers=[[1, 1, 9], [9, 1, 1]], cluster_std=0.3, random_state=0)
    X = abs(X)
    if affinity == "precomputed_nearest_neighbors":
        X = NearestNeighbors(n_neighbors=20).fit(X).kneighbors_graph(mode="distance")
    options = dict(affinity=affinity, gamma=0.1, degree=2, coef0=0.5, random_state=0)
    if affinity == "additive_chi2":
        with pytest.raises(ValueError, match="affinity='additive_chi2' gives -.* for the samples"):
            Model(2, **options).fit(X)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = SpectralClustering(2, **options).fit(X)
        ours = Model(2, **options).fit(X)
    assert abs(ours.affinity_matrix_ - theirs.affinity_matrix_).max() == 0
    assert adjusted_rand_score(ours.labels_, y) == 1


def test_kernel_params_take_precedence_and_are_not_changed():
    X, y = make_blobs(60, centers=[[1, 1, 9], [9, 1, 1]], cluster_std=0.3, random_state=0)
    params = {"gamma": 0.3}
    model = Model(2, affinity="rbf", kernel_params=params, random_state=0).fit(X)
    np.testing.assert_array_equal(model.affinity_matrix_, rbf_kernel(X, gamma=0.3))
    assert params == {"gamma": 0.3} and model.kernel_params is params

    def near(x, y, width):
        return float(abs(x - y).max() < width)

    model = Model(2, affinity=near, kernel_params={"width": 3}, random_state=0)
    with pytest.warns(repsc.NotConnected):
        labels = model.fit_predict(X)
    assert adjusted_rand_score(labels, y) == 1
    with pytest.raises(ValueError, match="affinity=a callable gives -1 for the samples 0 and 0"):
        Model(2, affinity=lambda x, y: -1).fit(X)
    with pytest.raises(ValueError, match="'affinity' parameter of .* must be"):
        Model(2, affinity="nearest").fit(X)
    with pytest.raises(ValueError, match=r"shape \(60, 3\).*matrix of distances, which is square"):
        Model(2, affinity="precomputed_nearest_neighbors").fit(X)


@pytest.mark.parametrize("how", ["discretize", "cluster_qr"])
class TestAssignLabels:
    """The other ways of scikit-learn to find clusters in the embedding."""

    @pytest.mark.parametrize("normalized", [True, False])
    @pytest.mark.parametrize("given", ["nothing", "groups", "representation"])
    def test_planted_clusters_are_found(self, planted, how, normalized, given):
        fairness = {
            "nothing": {},
            "groups": {"sensitive_features": np.arange(400) % 2},
            "representation": {"representation": planted.R},
        }[given]
        G, truth = planted.G, planted.truth
        if given != "representation":  # clusters that need no constraint to be seen
            G = repsc.sample_planted_partition(truth, 0.5, 0.1)
        model = Model(4, normalized=normalized, assign_labels=how, random_state=0)
        model.fit(G, **fairness)
        assert adjusted_rand_score(model.labels_, truth) == 1
        np.testing.assert_array_equal(model.labels_, truth)  # numbered by their first sample
        assert model.labels_.dtype == np.int32 and model.refinement_ is None
        assert model.ratio_cut_ == repsc.ratio_cut(G, truth)
        centers = np.array([model.embedding_[truth == k].mean(axis=0) for k in range(4)])
        inertia = ((model.embedding_ - centers[truth]) ** 2).sum()
        assert model.result_.inertia == pytest.approx(inertia)

    def test_the_labels_are_those_of_scikit_learn(self, how):
        truth = np.arange(120) // 30
        G = repsc.sample_planted_partition(truth, 0.5, 0.1, random_state=1)
        options = dict(affinity="precomputed", assign_labels=how, random_state=0)
        theirs = SpectralClustering(4, **options).fit_predict(G)
        assert adjusted_rand_score(Model(4, **options).fit_predict(G), theirs) == 1

    def test_the_seed_is_drawn_once(self, planted, how):
        first, second = (
            Model(4, assign_labels=how, random_state=np.random.RandomState(5)).fit(planted.G)
            for _ in "12"
        )
        np.testing.assert_array_equal(first.labels_, second.labels_)

    def test_refinement_is_refused(self, town, how):
        with pytest.raises(ValueError, match="refine=True refines the labels of k-means"):
            Model(3, assign_labels=how, refine=True).fit(town.G, representation=town.R)
        model = Model(3, assign_labels=how, random_state=0).fit(town.G, representation=town.R)
        assert model.refinement_ is None and len(set(model.labels_)) == 3

    def test_one_cluster(self, planted, how):
        assert set(Model(1, assign_labels=how).fit_predict(planted.G)) == {0}


def test_fewer_clusters_than_wanted_are_said(planted, monkeypatch):
    monkeypatch.setattr(
        "repsc._assignment.discretize", lambda rows, random_state: np.repeat([3, 1], 200)
    )
    with pytest.warns(UserWarning, match="found 2 clusters, fewer than n_clusters=4"):
        model = Model(4, assign_labels="discretize", random_state=0).fit(planted.G)
    np.testing.assert_array_equal(model.labels_, np.repeat([0, 1], 200))
    assert model.result_.n_clusters == 2 and np.isfinite(model.ratio_cut_)


def test_unknown_ways_are_refused(planted):
    with pytest.raises(ValueError, match="'assign_labels' parameter .*cluster_qr"):
        Model(4, assign_labels="magic").fit(planted.G)


def test_one_cluster_is_everyone(blocks):
    G, _, groups = blocks
    model = Model(1).fit(G, groups=groups)
    assert set(model.labels_) == {0} and model.average_balance_ == 1 and model.ratio_cut_ == 0


def test_the_same_random_state_gives_the_same_labels(planted):
    for state in (7, np.int64(7)):
        first, second = (
            Model(4, random_state=state).fit(planted.G, representation=planted.R) for _ in "12"
        )
        np.testing.assert_array_equal(first.embedding_, second.embedding_)
    stream = np.random.RandomState(0)
    assert Model(4, random_state=stream).fit(planted.G).labels_.max() == 3
    assert stream.randint(100) != np.random.RandomState(0).randint(100)  # a number was drawn


def test_the_number_of_threads_changes_no_bit(planted):
    results = [
        Model(4, random_state=0, n_jobs=n_jobs).fit(planted.G, representation=planted.R)
        for n_jobs in (1, 2, 3, -1, None)
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result.embedding_, results[0].embedding_)
        np.testing.assert_array_equal(result.labels_, results[0].labels_)


def test_a_fitted_model_survives_pickling(planted):
    model = Model(4, random_state=0).fit(planted.G, representation=planted.R)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.labels_, model.labels_)
    np.testing.assert_array_equal(again.balance_, model.balance_)
    assert again.get_params() == model.get_params()
    assert again.result_.metrics.ratio_cut == model.ratio_cut_
    assert (again.result_.similarity != planted.G).nnz == 0
    rule = pickle.loads(pickle.dumps(repsc.representation.knn({"age": [1, 2, 30]}, 1)))
    assert rule.tocsr().nnz == 3 + 4  # links 1-2 and 2-30 both ways, and the self-loops


def test_cloning_and_parameters():
    model = Model(3, rank=5, tol=1e-4, random_state=1)
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    assert copy.set_params(rank="exact").rank == "exact" and model.rank == 5


def test_the_embedding_as_a_data_frame(planted):
    pandas = pytest.importorskip("pandas")
    people = [f"person {i}" for i in range(len(planted.truth))]
    X = pandas.DataFrame(planted.G.toarray(), index=people)
    model = Model(4, random_state=0).set_output(transform="pandas")
    frame = model.fit_transform(X, representation=planted.R)
    assert isinstance(frame, pandas.DataFrame) and list(frame.index) == people
    assert list(frame.columns) == list(model.get_feature_names_out())
    np.testing.assert_array_equal(frame.to_numpy(), model.embedding_)
    assert isinstance(clone(model).set_output(transform="default").fit_transform(X), np.ndarray)


class Meta(BaseEstimator):
    """Routes fit parameters to the model inside, by metadata routing."""

    def __init__(self, model):
        self.model = model

    def get_metadata_routing(self):
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=type(self).__name__).add(
            model=self.model, method_mapping=mapping
        )

    def fit(self, X, y=None, **parameters):
        from sklearn.utils.metadata_routing import process_routing

        routed = process_routing(self, "fit", **parameters)
        self.model_ = clone(self.model).fit(X, y, **routed.model.fit)
        return self


def test_metadata_is_routed_where_it_is_asked_for(planted):
    with sklearn.config_context(enable_metadata_routing=True):
        model = Model(4, random_state=0).set_fit_request(representation=True)
        fitted = Meta(model).fit(planted.G, representation=planted.R).model_
        assert fitted.result_.method == "nrepsc"
        pipeline = make_pipeline(FunctionTransformer(accept_sparse=True), model)
        pipeline.fit(planted.G, representation=planted.R)
        assert pipeline[-1].average_balance_ == 1
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            Meta(Model(4)).fit(planted.G, representation=planted.R)


def _balance(model, X, y=None):
    return model.average_balance_


def test_cross_validation_slices_rules_and_explains_sliced_matrices(planted):
    n = len(planted.truth)
    folds = KFold(2, shuffle=True, random_state=0)
    model = Model(4, random_state=0)

    def validate(**params):
        return cross_validate(
            model, planted.G, cv=folds, params=params, scoring=_balance, error_score="raise"
        )["test_score"]

    groups = np.arange(n) % 2
    assert (validate(groups=groups) > 0.5).all()
    assert (validate(sensitive_features=groups) > 0.5).all()
    rule = repsc.representation.knn({"group": [f"g{g}" for g in groups], "age": np.arange(n) % 7})
    assert (validate(representation=rule) > 0).all()
    with pytest.raises(ValueError, match=r"200 x 400 and no longer square.*rule such as repsc"):
        validate(representation=planted.R)
