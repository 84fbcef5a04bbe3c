"""Inputs: kinds of graphs, what is copied, and what is refused."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import repsc
from repsc import RepresentationAwareSpectralClustering as Model
from repsc._graphs import as_graph
from repsc._labels import label_numbers
from repsc._matrices import to_scipy


def triangle_and_tail(dtype=float):
    """0-1-2 a triangle, 2-3 a tail; weights 1 to 4."""
    dense = np.zeros((4, 4), dtype=dtype)
    for weight, (i, j) in enumerate([(0, 1), (0, 2), (1, 2), (2, 3)], 1):
        dense[i, j] = dense[j, i] = weight
    return dense


def same_memory(array, other):
    return array.__array_interface__["data"][0] == other.__array_interface__["data"][0]


class TestNoCopy:
    """The engine's pointers are those of the matrix."""

    @pytest.mark.parametrize("container", [sp.csr_array, sp.csr_matrix, sp.csc_array])
    def test_float64_is_viewed_with_its_weights(self, container):
        matrix = container(triangle_and_tail())
        _, indices, weights = as_graph(matrix).arrays()
        assert same_memory(indices, matrix.indices) and same_memory(weights, matrix.data)

    @pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.float32, np.float64])
    def test_ones_of_any_type_need_no_weights(self, dtype):
        matrix = sp.csr_array((triangle_and_tail() > 0).astype(dtype))
        _, indices, weights = as_graph(matrix).arrays()
        assert weights is None and same_memory(indices, matrix.indices)

    @pytest.mark.parametrize("position", [0, 40, -1])
    def test_one_weight_among_many_ones_is_seen(self, position, monkeypatch):
        monkeypatch.setattr(repsc._matrices, "_CHUNK", 2)  # several threads
        matrix = sp.csr_array(np.ones((12, 12)) - np.eye(12))
        assert as_graph(matrix).arrays()[2] is None
        row, column = (values[position] for values in matrix.nonzero())
        matrix[row, column] = matrix[column, row] = 3
        np.testing.assert_array_equal(as_graph(matrix).arrays()[2], matrix.data)

    @pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
    def test_other_weights_are_converted_and_indices_viewed(self, dtype):
        matrix = sp.csr_array(triangle_and_tail(dtype))
        _, indices, weights = as_graph(matrix).arrays()
        assert same_memory(indices, matrix.indices)
        np.testing.assert_array_equal(weights, matrix.data)

    def test_wide_indices_are_narrowed_once(self):
        matrix = sp.csr_array(triangle_and_tail())
        matrix.indices = matrix.indices.astype(np.int64)
        matrix.indptr = matrix.indptr.astype(np.int64)
        indptr, indices, weights = as_graph(matrix).arrays()
        assert same_memory(indptr, matrix.indptr) and same_memory(weights, matrix.data)
        np.testing.assert_array_equal(indices, matrix.indices)

    def test_the_arrays_live_as_long_as_the_graph(self):
        graph = as_graph(sp.csr_array(triangle_and_tail()))
        np.testing.assert_array_equal(to_scipy(graph).toarray(), triangle_and_tail())

    def test_read_only_arrays_are_fine(self):
        matrix = sp.csr_array(triangle_and_tail())
        for array in (matrix.data, matrix.indices, matrix.indptr):
            array.flags.writeable = False
        assert as_graph(matrix).num_edges == 4

    def test_fitting_leaves_the_matrix_as_it_is_and_copies_nothing(self, planted):
        before = planted.G.copy()
        model = Model(4, random_state=0).fit(planted.G, representation=planted.R)
        _, indices, _ = model.result_._similarity.arrays()
        assert same_memory(indices, planted.G.indices)
        assert same_memory(model.result_._fairness[0].arrays()[1], planted.R.indices)
        assert (before != planted.G).nnz == 0


FORMS = {
    "csr_matrix": sp.csr_matrix,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "lil": sp.lil_array,
    "dok": sp.dok_array,
    "bsr": sp.bsr_array,
    "dia": sp.dia_array,
    "dense": np.asarray,
    "fortran": np.asfortranarray,
    "lists": lambda matrix: matrix.tolist(),
    "float32": lambda matrix: sp.csr_array(matrix.astype(np.float32)),
    "integers": lambda matrix: sp.csr_array(matrix.astype(int)),
    "objects": lambda matrix: matrix.astype(object),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("self_loops", ["drop", "add"])
def test_every_form_is_the_same_graph(form, self_loops):
    dense = triangle_and_tail()
    expected = dense + np.eye(4) * (self_loops == "add")
    given = dense + np.diag([0, 2, 0, 0]) * (self_loops == "add")
    graph = as_graph(FORMS[form](given), self_loops=self_loops)
    np.testing.assert_array_equal(to_scipy(graph).toarray(), expected)


def test_disorder_is_put_in_order():
    indices = np.array([2, 1, 1, 0, 0, 2, 1, 0, 0], dtype=np.int32)  # unsorted, a duplicate, a zero
    data = np.array([3.0, 0.5, 0.5, 1.0, 0.0, 2.0, 2.0, 3.0, 0.0])
    matrix = sp.csr_array((data, indices, np.array([0, 3, 6, 9], dtype=np.int32)), shape=(3, 3))
    np.testing.assert_array_equal(
        to_scipy(as_graph(matrix)).toarray(), [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    )
    assert matrix.nnz == 9, "the matrix given is not touched"


def test_entries_that_differ_by_rounding_are_one():
    dense = triangle_and_tail()
    dense[0, 1] *= 1 + 1e-14
    np.testing.assert_allclose(to_scipy(as_graph(dense)).toarray(), triangle_and_tail(), rtol=1e-13)


def test_networkx_graphs_are_matched_by_name():
    networkx = pytest.importorskip("networkx")
    G = networkx.karate_club_graph()
    R = networkx.Graph()
    R.add_nodes_from(reversed(list(G.nodes)))
    R.add_edges_from((i, j) for i in G for j in G if i < j and (i - j) % 2 == 0)
    result = repsc.cluster(G, 2, representation=R)
    order = list(G.nodes)
    in_order = networkx.to_scipy_sparse_array(R, order)
    expected = repsc.cluster(networkx.to_scipy_sparse_array(G), 2, representation=in_order)
    np.testing.assert_array_equal(result.labels, expected.labels)
    fitted = Model(2, random_state=0).fit(G, representation=R)
    np.testing.assert_array_equal(fitted.labels_, result.labels)
    words = networkx.relabel_nodes(G, lambda node: f"member {node}")
    with pytest.raises(ValueError, match="name different nodes: 34 are missing"):
        repsc.cluster(words, 2, representation=R)
    with pytest.raises(ValueError, match="directed.*to_undirected"):
        repsc.cluster(G.to_directed(), 2)


def test_networkx_nodes_keep_the_order_in_which_they_were_inserted():
    networkx = pytest.importorskip("networkx")
    in_order = networkx.karate_club_graph()
    G = networkx.Graph()
    G.add_nodes_from(reversed(list(in_order.nodes)))
    G.add_edges_from(in_order.edges(data=True))
    R = networkx.Graph((i, j) for i in G for j in G if i <= j and (i - j) % 2 == 0)

    def cut_weight(graph, labels):
        of = dict(zip(graph.nodes, labels))
        return sum(w for i, j, w in graph.edges(data="weight") if of[i] != of[j])

    shuffled = repsc.cluster(G, 2, representation=R)
    straight = repsc.cluster(in_order, 2, representation=R)
    assert cut_weight(G, shuffled.labels) == cut_weight(in_order, straight.labels)
    np.testing.assert_allclose(shuffled.balance, straight.balance[::-1])
    by_rows = repsc.cluster(networkx.to_scipy_sparse_array(in_order), 2, representation=R)
    np.testing.assert_array_equal(by_rows.labels, straight.labels)


def test_igraph_graphs_are_graphs():
    igraph = pytest.importorskip("igraph")
    G = igraph.Graph.Famous("Zachary")
    result = repsc.cluster(G, 2)
    expected = repsc.cluster(sp.csr_array(G.get_adjacency_sparse()), 2)
    np.testing.assert_array_equal(result.labels, expected.labels)
    G.es["weight"] = list(range(1, G.ecount() + 1))
    assert repsc.ratio_cut(G, result.labels) == repsc.ratio_cut(
        sp.csr_array(G.get_adjacency_sparse("weight")), result.labels
    )
    G.vs["name"] = [f"v{i}" for i in range(34)]
    turned = G.permute_vertices(list(reversed(range(34))))
    assert turned.vs["name"] != G.vs["name"]
    result = repsc.cluster(G, 2, representation=turned, rank=3)
    np.testing.assert_array_equal(
        result.labels, repsc.cluster(G, 2, representation=G, rank=3).labels
    )
    with pytest.raises(ValueError, match="directed.*as_undirected"):
        repsc.cluster(igraph.Graph([(0, 1), (1, 2)], directed=True), 2)


def asymmetric():
    dense = triangle_and_tail()
    dense[1, 3] = 7
    return dense


def changed(i, j, value):
    dense = triangle_and_tail()
    dense[i, j] = dense[j, i] = value
    return dense


def isolated():
    dense = np.zeros((5, 5))
    dense[:4, :4] = triangle_and_tail()
    return dense


# The input, the error, and its message.
BAD_GRAPHS = {
    "asymmetric": (
        asymmetric(),
        ValueError,
        r"not symmetric: 7 at \[1, 3\] but 0 at \[3, 1\].*X \+ X.T",
    ),
    "negative": (changed(0, 2, -1.5), ValueError, r"Negative values in data: .* -1.5 at \[0, 2\]"),
    "nan": (changed(1, 2, np.nan), ValueError, r"NaN.* nan at \[1, 2\]"),
    "infinite": (changed(1, 2, np.inf), ValueError, r"infinity.* inf at \[1, 2\]"),
    "rectangular": (np.ones((4, 3)), ValueError, r"shape \(4, 3\).*square"),
    "one_row": (np.ones((1, 1)), ValueError, "1 sample|at least 2|from 2"),
    "vector": (np.ones(4), ValueError, "1D|square"),
    "complex": (triangle_and_tail(complex), ValueError, "[Cc]omplex"),
    "words": (np.array([["a", "b"], ["b", "a"]]), ValueError, "could not convert|numeric|numbers"),
    "isolated": (isolated(), ValueError, r'node 4 has no edges.*regularization="auto"'),
    "no_edges": (np.zeros((4, 4)), ValueError, "node 0 has no edges"),
}


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("case", BAD_GRAPHS)
def test_bad_graphs_are_refused_with_the_entry_and_the_way_out(case, sparse):
    given, error, message = BAD_GRAPHS[case]
    if sparse:
        if given.ndim != 2 or given.dtype.kind == "U":
            pytest.skip("not a sparse matrix")
        given = sp.csr_array(given)
    with pytest.raises(error, match=message):
        Model(2, random_state=0).fit(given)
    with pytest.raises(error, match=message):
        repsc.cluster(given, 2)


def bad_calls():
    G, R = triangle_and_tail(), np.eye(4)
    return {
        "representation_too_small": (dict(representation=np.eye(3)), r"3 rows.*4 samples"),
        "representation_rectangular": (dict(representation=np.ones((4, 2))), "no longer square"),
        "representation_negative": (dict(representation=-G), "Negative values.*representation"),
        "representation_asymmetric": (dict(representation=asymmetric()), "matrix is not symmetric"),
        "sensitive_too_few": (dict(sensitive_features=[0, 1]), "2 sensitive_features, but 4"),
        "sensitive_missing": (
            dict(sensitive_features=["a", None, "a", "b"]),
            r"sensitive_features\[1\] is missing",
        ),
        "sensitive_twice": (
            dict(sensitive_features=[0, 1, 0, 1], groups=[0, 1, 0, 1]),
            "groups= is another name of sensitive_features=; give only one",
        ),
        "groups_too_few": (dict(groups=[0, 1]), "2 groups, but 4 samples"),
        "groups_missing": (dict(groups=["a", None, "a", "b"]), r"groups\[1\] is missing"),
        "groups_square": (dict(groups=R), "one-dimensional"),
        "rank_too_high": (dict(representation=G, rank=3), "rank=3: .* from 1 to N - K = 2"),
        "rank_not_a_number": (dict(representation=G, rank="most"), "'rank' parameter"),
        "rank_without_representation": (dict(rank=1), "rank: nsc ignores it"),
        "clusters_above_samples": (dict(n_clusters=5), "n_clusters=5: .* from 2 to"),
        "clusters_below_one": (dict(n_clusters=0), "'n_clusters' parameter"),
        "solver": (dict(solver="magic"), "'solver' parameter"),
        "device": (dict(device="gpu"), 'device="gpu": it must be auto, cpu, cuda or cuda:N'),
        "tolerance": (dict(tol=2.0), "'tol' parameter"),
        "iterations": (dict(max_iter=0), "'max_iter' parameter"),
        "regularization": (dict(regularization=-1), "'regularization' parameter"),
        "seed": (dict(random_state=-1), "random_state"),
        "threads": (dict(n_jobs=0), "n_jobs=0"),
    }


@pytest.mark.parametrize("case", bad_calls())
def test_bad_parameters_are_refused_with_what_to_do(case):
    options, message = bad_calls()[case]
    with pytest.raises(ValueError, match=message):
        repsc.cluster(triangle_and_tail(), **{"n_clusters": 2, **options})
    of_fit = ("representation", "sensitive_features", "groups")
    fit = {name: options.pop(name) for name in of_fit if name in options}
    with pytest.raises(ValueError, match=message):
        Model(**{"n_clusters": 2, "random_state": 0, **options}).fit(triangle_and_tail(), **fit)


def test_options_and_inputs_that_would_be_ignored_are_refused():
    G = triangle_and_tail()
    for options, message in (
        (dict(method="nrepsc"), 'method="nrepsc": it needs a representation graph'),
        (dict(method="nfairsc"), 'method="nfairsc": it needs groups'),
        (dict(method="nrepsc", representation=G, groups=[0, 1, 0, 1]), "features: nrepsc ignores"),
        (dict(method="nsc", representation=G, rank=1), "rank: nsc ignores it"),
        (dict(n_groups=2), "n_groups=2"),
        (dict(n_groups=2, groups=[0, 1, 0, 1]), "n_groups=2"),
        (dict(n_groups=2, groups=[0, 1, 0, 1], representation=G), "n_groups: nfairsc ignores it"),
        (
            dict(method="nsc", representation=G, groups=[0, 1, 0, 1], rank=1),
            "sensitive_features and rank: nsc ignores them; leave them out",
        ),
        (dict(method="usc", regularization=1.0), "regularization"),
    ):
        with pytest.raises(ValueError, match=message):
            repsc.cluster(G, 2, **options)
    with pytest.raises(ValueError, match="sensitive_features: nrepsc ignores it"):
        Model(2).fit(G, representation=G, groups=[0, 1, 0, 1])
    with pytest.raises(ValueError, match="is a graph already"):
        Model(2, affinity="rbf").fit(pytest.importorskip("networkx").path_graph(4))


def test_components_are_found_and_too_many_are_warned_about():
    blocks = sp.block_diag([np.ones((5, 5)) - np.eye(5)] * 3, format="csr")
    with pytest.warns(repsc.NotConnected, match="not fully connected: G has 3 components") as seen:
        labels = Model(3, random_state=0).fit_predict(blocks)
    assert [warning.filename for warning in seen] == [__file__]
    np.testing.assert_array_equal(labels, np.arange(15) // 5)
    with pytest.warns(UserWarning, match="3 components, more than clusters"):
        Model(2, random_state=0).fit(blocks)


def test_every_graph_that_is_not_connected_is_warned_about():
    G = sp.block_diag([np.ones((6, 6)) - np.eye(6)] * 2, format="csr")
    R = repsc.representation.groups(np.arange(12) % 3)
    matrix = R.tocsr()
    calls = {
        "cluster": lambda G: repsc.cluster(G, 2),
        "unnormalized": lambda G: Model(2, normalized=False).fit(G),
        "groups": lambda G: repsc.cluster(G, 2, representation=R),
        "hard": lambda G: repsc.cluster(G, 2, representation=matrix, constraint="hard"),
        "soft": lambda G: repsc.cluster(G, 2, representation=matrix, strength=1),
        "path": lambda G: repsc.path(G, matrix, 2, [1]),
        "target": lambda G: repsc.cluster_to_target(G, matrix, 2, target_balance=0.1),
        "regularized": lambda G: repsc.cluster(G, 3, regularization="auto"),
        "discretize": lambda G: Model(2, assign_labels="discretize").fit_predict(G),
    }
    connected = G.tolil()
    connected[5, 6] = connected[6, 5] = 1
    for name, call in calls.items():
        with pytest.warns(repsc.NotConnected, match="has 2 components") as seen:
            call(G)
        assert [w.filename for w in seen if w.category is repsc.NotConnected] == [__file__], name
        with warnings.catch_warnings():
            warnings.simplefilter("error", repsc.NotConnected)
            call(connected)


def test_isolated_nodes_have_ways_out():
    for options in (dict(normalized=False), dict(regularization="auto")):
        assert len(Model(2, random_state=0, **options).fit_predict(isolated())) == 5


def test_labels_of_any_kind_are_numbered():
    numbers, values = label_numbers(["b", "a", "b"])
    assert numbers.tolist() == [1, 0, 1] and values.tolist() == ["a", "b"]
    pandas = pytest.importorskip("pandas")
    for series in (
        pandas.Series(["x", "y", "x"]),
        pandas.Series(["x", "y", "x"], dtype="category"),
        pandas.Series([True, False, True]),
        pandas.Series([3, 1, 3], dtype="Int64"),
    ):
        assert len(set(label_numbers(series)[0])) == 2
    with pytest.raises(ValueError, match="cannot be compared"):
        label_numbers(np.array(["a", 1], dtype=object))


class TestPrecision:
    """Symmetry is judged at the precision of the numbers."""

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
    @pytest.mark.parametrize("sparse", [False, True])
    def test_one_unit_in_the_last_place_is_rounding(self, dtype, sparse):
        if sparse and dtype == np.float16:
            pytest.skip("SciPy has no sparse matrices of float16")
        dense = triangle_and_tail(dtype)
        dense[0, 1] = np.nextafter(dense[0, 1], dtype(9))
        dense[3, 2] = np.nextafter(dense[3, 2], dtype(0))
        assert (dense != dense.T).any()
        given = sp.csr_array(dense) if sparse else dense
        found = to_scipy(as_graph(given)).toarray()
        np.testing.assert_array_equal(found, found.T)
        precision = max(float(np.finfo(dtype).eps), 1e-15)
        np.testing.assert_allclose(found, triangle_and_tail(), rtol=precision)
        assert len(Model(2, random_state=0).fit_predict(given)) == 4

    @pytest.mark.parametrize(
        "dtype, factor, message",
        [
            (np.float32, 1e-4, r"1.0001 at \[0, 1\] but 1 at \[1, 0\], a difference of 0.0001"),
            (np.float32, 1e-5, r"1.00001 at \[0, 1\] but 1 .* of 1e-05 \(rounding of float32 expl"),
            (np.float64, 1e-8, r"1.00000001 at \[0, 1\] but 1.0 at \[1, 0\], a difference of 1e-0"),
        ],
    )
    def test_what_is_more_is_refused_with_the_difference(self, dtype, factor, message):
        dense = triangle_and_tail(dtype)
        dense[0, 1] *= dtype(1 + factor)
        for given in (dense, sp.csr_array(dense)):
            with pytest.raises(ValueError, match=message):
                repsc.cluster(given, 2)

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_one_unit_of_the_smallest_numbers_is_rounding(self, dtype):
        dense = triangle_and_tail(dtype)
        smallest = np.nextafter(dtype(0), dtype(1))
        dense[0, 1], dense[1, 0] = 3 * smallest, 2 * smallest
        dense[0, 3] = smallest  # and 0 at [3, 0]
        found = to_scipy(as_graph(dense)).toarray()
        np.testing.assert_array_equal(found, found.T)
        dense[0, 3] = 100 * smallest
        with pytest.raises(ValueError, match=r"not symmetric: .* at \[0, 3\] but 0 at \[3, 0\]"):
            as_graph(dense)

    def test_integers_have_no_rounding(self):
        dense = triangle_and_tail(np.int64) * 10**12
        dense[0, 1] += 1
        with pytest.raises(ValueError, match="1000000000001.* at .* a difference of 1; for a dir"):
            repsc.cluster(dense, 2)

    def test_sums_that_are_not_finite_are_refused(self):
        rows, columns = [0, 1, 0, 1, 1, 2], [1, 0, 1, 0, 2, 1]
        values = [1.5e308, 1.5e308, 1.5e308, 1.5e308, 1, 1]
        with pytest.raises(ValueError, match=r"infinity in data: .* inf at \[0, 1\]"):
            repsc.cluster(sp.coo_array((values, (rows, columns)), shape=(3, 3)), 2)
        if np.finfo(np.longdouble).max > np.finfo(float).max:
            huge = triangle_and_tail(np.longdouble) * np.longdouble("1e400")
            with pytest.raises(ValueError, match="infinity in data"):
                repsc.cluster(huge, 2)

    def test_the_average_of_large_weights_is_finite(self):
        dense = triangle_and_tail()
        dense[0, 1], dense[1, 0] = 1.6e308, np.nextafter(1.6e308, 0)
        found = to_scipy(as_graph(dense)).toarray()
        assert found[0, 1] == found[1, 0] == pytest.approx(1.6e308)


def returned_matrices():
    G = repsc.sample_planted_partition([0, 0, 0, 1, 1, 1], 1.0, 0.5)
    rule = repsc.representation.where({"age": [1, 2, 3, 4, 5, 6]}, within={"age": 2})
    weighted = sp.csr_array(triangle_and_tail())
    return {
        "planted": G,
        "regular": repsc.sample_regular_representation(8, 2, 4),
        "rpp": repsc.sample_rpp(rule, [0, 0, 0, 1, 1, 1], p=1, q=1, r=0, s=0),
        "rule": rule.tocsr(),
        "result": repsc.cluster(weighted, 2).similarity,
    }


@pytest.mark.parametrize("name", returned_matrices())
def test_returned_matrices_can_be_changed(name):
    matrix = returned_matrices()[name]
    for array in (matrix.data, matrix.indices, matrix.indptr):
        assert array.flags.writeable
    matrix.data[:] = 2
    matrix.setdiag(1)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    assert matrix.diagonal().tolist() == [1] * matrix.shape[0]


def test_changing_a_returned_matrix_changes_nothing_else(tmp_path):
    weighted = sp.csr_array(triangle_and_tail())
    result = repsc.cluster(weighted, 2)
    result.similarity.data[:] = 77
    np.testing.assert_array_equal(weighted.toarray(), triangle_and_tail())
    np.testing.assert_array_equal(result.similarity.toarray(), triangle_and_tail())
    repsc.write_graph(weighted, tmp_path / "G.mtx")
    read = repsc.read_graph(tmp_path / "G.mtx")
    read.data *= 2
    np.testing.assert_array_equal(read.toarray(), 2 * triangle_and_tail())
    rule = repsc.representation.where({"age": [1, 2, 9, 9]}, within={"age": 2})
    rule.tocsr().data[:] = 0
    assert rule.tocsr().data.all()


def missing_values():
    """Sequences of four with a missing value at position 1."""
    masked = np.ma.masked_array([1, 2, 1, 2], mask=[False, True, False, False])
    cases = {
        "none": ["a", None, "a", "b"],
        "nan": [0.0, np.nan, 0.0, 1.0],
        "nan beside words": ["a", float("nan"), "a", "b"],
        "nat": np.array(["2020-01-01", "NaT", "2020-01-01", "2021-01-01"], "datetime64[D]"),
        "duration": np.array([1, "NaT", 1, 2], "timedelta64[s]"),
        "complex": np.array([1, np.nan, 1, 2], complex),
        "masked": masked,
        "masked words": np.ma.masked_array(list("abab"), mask=[False, True, False, False]),
    }
    pandas = pytest.importorskip("pandas")
    for dtype in ("Int64", "Float64", "boolean", "string", "category", "object", "float64"):
        values = ["x", None, "x", "y"] if dtype in ("string", "category", "object") else None
        series = pandas.Series(values or [1, None, 1, 0], dtype=dtype)
        cases[f"pandas {dtype}"] = series
    dates = pandas.to_datetime(["2020-01-01", None, "2020-01-01", "2021-01-01"])
    cases["pandas dates"] = pandas.Series(dates)
    cases["pandas dates and zones"] = pandas.Series(dates.tz_localize("UTC"))
    cases["pandas date objects"] = pandas.Series(dates).astype(object)
    cases["pandas NA in a list"] = ["x", pandas.NA, "x", "y"]
    cases["pandas NaT in a list"] = [dates[0], pandas.NaT, dates[0], dates[3]]
    polars = pytest.importorskip("polars")
    for name, values in (("numbers", [1, None, 1, 2]), ("words", ["x", None, "x", "y"])):
        cases[f"polars {name}"] = polars.Series(values)
    first, last = dates[0].date(), dates[3].date()
    cases["polars dates"] = polars.Series([first, None, first, last])
    return cases


@pytest.mark.parametrize("name", missing_values())
def test_missing_values_are_missing_everywhere(name):
    values = missing_values()[name]
    G = triangle_and_tail()
    calls = (
        lambda: repsc.cluster(G, 2, groups=values),
        lambda: Model(2).fit(G, groups=values),
        lambda: repsc.evaluate(G, values),
        lambda: repsc.evaluate(G, [0, 0, 1, 1], truth=values),
        lambda: repsc.representation.groups(values),
        lambda: repsc.refine(G, np.eye(4), values),
        lambda: repsc.balance(np.eye(4), values),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"\[1\] is missing; every sample needs one"):
            call()
    if name not in ("duration", "complex"):
        expected = np.eye(4)
        expected[0, 2] = expected[2, 0] = 1
        rule = repsc.representation.where({"group": values}, same="group")
        np.testing.assert_array_equal(rule.tocsr().toarray(), expected)


def test_feature_names_are_those_of_the_last_fit():
    pandas = pytest.importorskip("pandas")
    networkx = pytest.importorskip("networkx")
    names = list("wxyz")
    frame = pandas.DataFrame(triangle_and_tail(), index=names, columns=names)
    model = Model(2, random_state=0).fit(frame)
    assert list(model.feature_names_in_) == names and model.n_features_in_ == 4
    model.fit(networkx.path_graph(6))
    assert not hasattr(model, "feature_names_in_") and model.n_features_in_ == 6
    model.fit(frame).fit(triangle_and_tail())
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("power", [-1070, -1000, -300, 300, 1000, 1015, 1020, 1021])
@pytest.mark.parametrize("method", ["nsc", "usc", "nfairsc", "ufairsc", "nrepsc", "urepsc"])
def test_labels_do_not_depend_on_the_unit_of_weights(blocks, method, power):
    """Weights near the largest and the smallest numbers; what cannot be computed is refused."""
    G, _, groups = blocks
    G = sp.triu(G).tocsr()
    G.data = np.random.RandomState(0).randint(1, 5, G.nnz).astype(float)
    G = (G + G.T).tocsr()
    given = {}
    if method.endswith("fairsc"):
        given["sensitive_features"] = groups
    elif method.endswith("repsc"):
        given["representation"] = repsc.representation.groups(groups).tocsr()
    expected = repsc.cluster(G, 3, method=method, **given)
    scaled = G.copy()
    scaled.data = np.ldexp(scaled.data, power)
    assert np.isfinite(scaled.data).all() and (scaled.data > 0).all()
    try:
        found = repsc.cluster(scaled, 3, method=method, **given)
    except ValueError as error:
        assert "weight" in str(error)
        return
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert found.converged
    assert found.metrics.normalized_cut == pytest.approx(expected.metrics.normalized_cut)
    if abs(power) <= 1000:  # beyond, the cut itself may not be a finite number, or not exact
        ratio = np.ldexp(found.metrics.ratio_cut, -power)
        assert ratio == pytest.approx(expected.metrics.ratio_cut)
    model = Model(3, normalized=method.startswith("n"), random_state=0).fit(scaled, **given)
    np.testing.assert_array_equal(
        model.labels_,
        Model(3, normalized=method.startswith("n"), random_state=0).fit(G, **given).labels_,
    )
