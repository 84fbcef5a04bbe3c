"""Names align, or it is an error."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp

import repsc
from repsc import RepresentationAwareSpectralClustering as Model
from repsc.representation import groups as groups_rule
from repsc.representation import knn, where

networkx = pytest.importorskip("networkx")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")


def in_polars(frame):
    """The same frame; polars.from_pandas() would need pyarrow for columns of words."""
    return polars.DataFrame({column: frame[column].tolist() for column in frame})


N = 60
NAMES = [f"person {i}" for i in range(N)]
SHUFFLED = np.random.RandomState(0).permutation(N)


def back(values):
    """Values in the order of NAMES as those of the same people, shuffled."""
    return [values[i] for i in SHUFFLED]


@pytest.fixture(scope="module")
def people():
    """A named graph of two clusters, and groups that are not those clusters."""
    matrix = repsc.sample_planted_partition(np.arange(N) // 30, 0.5, 0.1)
    graph = networkx.from_scipy_sparse_array(matrix)
    graph = networkx.relabel_nodes(graph, dict(enumerate(NAMES)))
    assert list(graph) == NAMES
    gender = np.array(["f", "m"])[np.random.RandomState(1).randint(0, 2, N)]
    age = np.random.RandomState(2).randint(20, 60, N)
    return matrix, graph, gender, age


def named_groups(gender):
    """The same groups by name, in another order than the nodes."""
    names, values = back(NAMES), back(gender)
    return {
        "series": pandas.Series(values, index=names),
        "categories": pandas.Series(values, index=names, dtype="category"),
        "frame": pandas.DataFrame({"gender": values}, index=names),
        "frame with a column": pandas.DataFrame({"who": names, "gender": values}),
        "polars": polars.DataFrame({"id": names, "gender": values}),
        "dict": dict(zip(names, values)),
        "rule of a series": groups_rule(pandas.Series(values, index=names)),
        "rule of a dict": groups_rule(dict(zip(names, values))),
        "rule of polars": groups_rule(
            polars.DataFrame({"who": names, "gender": values}), id="who"
        ),
    }


KINDS = list(named_groups(np.array(["f", "m"] * 30)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", ["networkx", "igraph", "pandas"])
def test_groups_are_matched_by_name(people, kind, library):
    matrix, graph, gender, _ = people
    if library == "igraph":
        igraph = pytest.importorskip("igraph")
        graph = igraph.Graph.from_networkx(graph)
        graph.vs["name"] = NAMES
        del graph.vs["_nx_name"]
    elif library == "pandas":
        graph = pandas.DataFrame(matrix.toarray(), index=NAMES, columns=NAMES)
    expected = repsc.cluster(matrix, 2, sensitive_features=gender)
    given = named_groups(gender)[kind]
    argument = "representation" if kind.startswith("rule") else "sensitive_features"
    found = repsc.cluster(graph, 2, **{argument: given})
    assert found.search == expected.search is not None
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.balance, expected.balance)
    model = Model(2, random_state=0).fit(graph, **{argument: given})
    np.testing.assert_array_equal(model.labels_, expected.labels)
    one = repsc.evaluate(graph, expected.labels, **{argument: given})
    assert one.average_balance == expected.metrics.average_balance


def test_several_columns_are_groups_together(people):
    matrix, graph, gender, age = people
    old = (age > 40).astype(int)
    frame = pandas.DataFrame({"gender": gender, "old": old}, index=NAMES).iloc[SHUFFLED]
    both = [f"{g}{o}" for g, o in zip(gender, old)]
    expected = repsc.cluster(matrix, 2, sensitive_features=both)
    for given in (
        dict(sensitive_features=frame),
        dict(sensitive_features=in_polars(frame.reset_index(names="id"))),
        dict(representation=groups_rule(frame)),
    ):
        found = repsc.cluster(graph, 2, **given)
        np.testing.assert_array_equal(found.labels, expected.labels)
    with pytest.raises(ValueError, match=r"\['old'\]\[3\] is missing"):
        repsc.cluster(matrix, 2, sensitive_features=pandas.DataFrame(
            {"gender": gender, "old": [None if i == 3 else "x" for i in range(N)]}
        ))


@pytest.mark.parametrize("make", ["where", "knn", "polars where", "polars knn", "id"])
def test_rules_are_matched_by_name(people, make):
    matrix, graph, gender, age = people
    in_order = pandas.DataFrame({"gender": gender, "age": age})
    frame = in_order.set_axis(NAMES).iloc[SHUFFLED]
    with_id = in_polars(frame.reset_index(names="id"))
    rules = {
        "where": (where(frame, within={"age": 5}), where(in_order, within={"age": 5})),
        "knn": (knn(frame, 5), knn(in_order, 5)),
        "polars where": (where(with_id, within={"age": 5}), where(in_order, within={"age": 5})),
        "polars knn": (knn(with_id, 5, columns=["gender", "age"]), knn(in_order, 5)),
        "id": (knn(with_id, 5, id="id"), knn(in_order, 5)),
    }
    rule, expected = rules[make]
    found = repsc.cluster(graph, 2, representation=rule, refine=False, strength=1)
    by_rows = repsc.cluster(matrix, 2, representation=expected, refine=False, strength=1)
    np.testing.assert_array_equal(found.labels, by_rows.labels)
    np.testing.assert_array_equal(found.balance, by_rows.balance)


@pytest.mark.parametrize("kind", ["networkx", "igraph", "pandas", "pandas columns"])
def test_representation_graphs_are_matched_by_name(people, kind):
    matrix, graph, _, age = people
    R = where({"age": age}, within={"age": 5}).tocsr()
    shuffled = R[SHUFFLED][:, SHUFFLED]
    names = back(NAMES)
    if kind == "networkx":
        given = networkx.relabel_nodes(
            networkx.from_scipy_sparse_array(shuffled), dict(enumerate(names))
        )
    elif kind == "igraph":
        igraph = pytest.importorskip("igraph")
        given = igraph.Graph.Adjacency(shuffled.toarray(), mode="undirected", loops="once")
        given.vs["name"] = names
    else:
        given = pandas.DataFrame(shuffled.toarray(), index=names, columns=names)
        if kind == "pandas columns":  # the same matrix with its columns in another order
            given = given[NAMES]
    expected = repsc.cluster(matrix, 2, representation=R)
    found = repsc.cluster(graph, 2, representation=given)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_allclose(found.balance, expected.balance)
    assert repsc.evaluate(graph, found.labels, representation=given) == found.metrics
    better = repsc.refine(graph, given, found.labels_by_node)
    np.testing.assert_array_equal(better.labels, repsc.refine(matrix, R, found.labels).labels)
    one, other = (
        repsc.path(G, r, 2, [3])[0].labels for G, r in ((graph, given), (matrix, R))
    )
    np.testing.assert_array_equal(one, other)


def test_a_frame_is_a_graph_whatever_the_order_of_its_columns(people):
    matrix, _, _, _ = people
    frame = pandas.DataFrame(matrix.toarray(), index=NAMES, columns=NAMES)
    expected = repsc.cluster(matrix, 2).labels
    turned = frame[back(NAMES)]
    assert (turned.to_numpy() != turned.to_numpy().T).any()
    np.testing.assert_array_equal(repsc.cluster(turned, 2).labels, expected)
    model = Model(2, random_state=0).fit(turned)
    np.testing.assert_array_equal(model.labels_, expected)
    assert list(model.labels_by_node_) == NAMES
    with pytest.raises(ValueError, match="index and the columns .* do not hold the same names"):
        repsc.cluster(frame.rename(columns={NAMES[0]: "somebody"}), 2)


def test_labels_are_matched_by_name(people):
    matrix, graph, gender, _ = people
    result = repsc.cluster(graph, 2)
    truth = np.arange(N) // 30
    expected = repsc.evaluate(matrix, result.labels, sensitive_features=gender, truth=truth)
    names = back(NAMES)
    labels = pandas.Series(back(result.labels), index=names)
    for given in (labels, labels.to_dict(), result.labels_by_node):
        found = repsc.evaluate(
            graph, given, sensitive_features=dict(zip(NAMES, gender)),
            truth=pandas.Series(back(truth), index=names),
        )
        assert found == expected
        assert repsc.ratio_cut(graph, given) == expected.ratio_cut
        assert repsc.normalized_cut(graph, given) == expected.normalized_cut
    R = networkx.relabel_nodes(networkx.cycle_graph(N), dict(enumerate(names)))
    rows = [names.index(name) for name in NAMES]
    cycle = networkx.to_scipy_sparse_array(R, dtype=float)[rows][:, rows]
    by_rows = repsc.balance(cycle, result.labels)
    np.testing.assert_array_equal(repsc.balance(R, labels), np.array(by_rows)[SHUFFLED])


def test_labels_by_node(people):
    matrix, graph, gender, _ = people
    result = repsc.cluster(graph, 2, sensitive_features=gender)
    assert result.labels_by_node == dict(zip(NAMES, result.labels))
    assert all(type(label) is int for label in result.labels_by_node.values())
    model = Model(2, random_state=0).fit(graph)
    assert list(model.labels_by_node_.items()) == list(zip(NAMES, model.labels_.tolist()))
    assert model.result_.labels_by_node == model.labels_by_node_
    model.fit(matrix)
    assert not hasattr(model, "labels_by_node_"), "of the last fit"
    assert model.result_.labels_by_node is None and repsc.cluster(matrix, 2).labels_by_node is None
    assert Model(1).fit(graph).labels_by_node_ == dict.fromkeys(NAMES, 0)
    R = networkx.complete_graph(NAMES)
    words = [f"c{label}" for label in result.labels]
    assert repsc.refine(graph, R, words, max_rounds=1).labels_by_node.keys() == set(NAMES)
    target = repsc.cluster_to_target(graph, R, 2, target_balance=0.1)
    assert target.clustering.labels_by_node == target.labels_by_node


def test_features_with_an_index_are_named(people):
    _, _, gender, _ = people
    rng = np.random.RandomState(0)
    X = pandas.DataFrame(rng.rand(N, 2) + np.arange(N)[:, None] // 30, index=NAMES)
    model = Model(2, affinity="rbf", random_state=0)
    expected = model.fit(X.to_numpy(), sensitive_features=gender).labels_
    assert not hasattr(model, "labels_by_node_")
    given = pandas.Series(back(gender), index=back(NAMES))
    np.testing.assert_array_equal(model.fit(X, sensitive_features=given).labels_, expected)
    assert list(model.labels_by_node_) == NAMES
    X.index = ["the same"] * N  # no names
    np.testing.assert_array_equal(model.fit(X, sensitive_features=gender).labels_, expected)


def refused():
    """What could be matched in two ways, or not at all: graph, arguments, message."""
    words = networkx.relabel_nodes(networkx.cycle_graph(6), dict(enumerate("uvwxyz")))
    numbers = networkx.Graph()
    numbers.add_nodes_from([3, 2, 1, 0, 4, 5])
    numbers.add_edges_from(networkx.cycle_graph(6).edges)
    from_one = networkx.relabel_nodes(networkx.cycle_graph(6), lambda i: i + 1)
    as_words = networkx.relabel_nodes(networkx.cycle_graph(6), str)
    matrix = networkx.to_scipy_sparse_array(networkx.cycle_graph(6), dtype=float)
    values = list("aabbab")
    series = pandas.Series(values)
    turned = pandas.Series(values, index=[1, 0, 2, 3, 4, 5])
    frame = pandas.DataFrame({"group": values, "age": range(1, 7)})
    return {
        "numbered series": (words, dict(groups=series), "'u': its index only numbers its rows"),
        "numbered or by name": (numbers, dict(groups=series), "by position and by the numbers"),
        "numbered rule": (words, dict(representation=where(frame, same="group")), "only numbers"),
        "numbered frame R": (words, dict(representation=pandas.DataFrame(np.eye(6))), "only numbe"),
        "other names": (
            words,
            dict(groups=pandas.Series(values, index=list("uvwxyq"))),
            "1 are missing in groups and 1 are only there, such as 'z'",
        ),
        "more names": (
            words,
            dict(groups=pandas.Series([*values, "a"], index=list("uvwxyzq"))),
            "0 are missing in groups and 1 are only there, such as 'q'",
        ),
        "fewer names": (words, dict(groups=dict(zip("uvwxy", values))), "1 are missing in groups"),
        "a name twice": (
            words,
            dict(groups=pandas.Series(values, index=list("uvwxyu"))),
            "names 'u' more than once",
        ),
        "from zero and from one": (
            from_one,
            dict(representation=networkx.cycle_graph(6)),
            "counts nodes from 0 and the other from 1.*shift every node",
        ),
        "from one and from zero": (
            networkx.cycle_graph(6),
            dict(groups=pandas.Series(values, index=range(1, 7))),
            "counts nodes from 0 and the other from 1",
        ),
        "words and numbers": (
            as_words,
            dict(representation=networkx.cycle_graph(6)),
            "one has numbers and the other has words",
        ),
        "names against rows": (
            matrix,
            dict(representation=words),
            "names its nodes, such as 'u', but the similarity graph has rows without names",
        ),
        "a dict against rows": (matrix, dict(groups=dict(zip("uvwxyz", values))), "is a dict"),
        "row numbers out of order": (matrix, dict(groups=turned), "two ways, by position and by"),
        "rule out of order": (
            matrix,
            dict(representation=where(frame.set_axis([1, 0, 2, 3, 4, 5]), same="group")),
            "two ways, by position and by",
        ),
        "index and column": (
            words,
            dict(groups=pandas.DataFrame(
                {"who": list("zyxwvu"), "group": values}, index=list("uvwxyz")
            )),
            "two ways, by its column 'who' and its index",
        ),
        "two columns": (
            words,
            dict(groups=polars.DataFrame(
                {"a": list("zyxwvu"), "b": list("uvwxyz"), "group": values}
            )),
            "two ways, by its column 'a' and its column 'b'",
        ),
        "names of others": (
            words,
            dict(groups=polars.DataFrame({"id": list("uvwxyq"), "group": values})),
            "column 'id' of groups and the similarity graph name different nodes",
        ),
        "names of nobody": (
            matrix,
            dict(groups=polars.DataFrame({"id": list("uvwxyz"), "group": values})),
            "column 'id' of groups is different in every row",
        ),
        "names only": (words, dict(groups=polars.DataFrame({"id": list("zyxwvu")})), "no other co"),
        "compared by name": (
            words,
            dict(representation=knn(polars.DataFrame({"id": list("zyxwvu"), "group": values}), 2)),
            "the rule compares people by it; use id='id'",
        ),
    }


@pytest.mark.parametrize("name", refused())
def test_what_could_be_matched_two_ways_is_refused(name):
    graph, arguments, message = refused()[name]
    with pytest.raises(ValueError, match=message):
        repsc.cluster(graph, 2, **arguments)
    with pytest.raises(ValueError, match=message):
        Model(2).fit(graph, **arguments)
    with pytest.raises(ValueError, match=message):
        repsc.evaluate(graph, [0, 0, 0, 1, 1, 1], **arguments)


def test_labels_that_could_be_matched_two_ways_are_refused():
    R = networkx.Graph()
    R.add_nodes_from([3, 2, 1, 0])
    R.add_edges_from([(0, 1), (1, 2), (2, 3)])
    for call in (
        lambda labels: repsc.balance(R, labels),
        lambda labels: repsc.sample_rpp(R, labels, p=1, q=1, r=0, s=0),
    ):
        with pytest.raises(ValueError, match="in two ways, by the numbers of its nodes and by"):
            call([0, 0, 1, 1])
        call({0: 0, 1: 0, 2: 1, 3: 1})
    np.testing.assert_array_equal(
        repsc.balance(R, {3: "b", 2: "b", 1: "a", 0: "a"}), [0, 0.5, 0.5, 0]
    )
    with pytest.raises(ValueError, match="labels and the similarity graph name different nodes"):
        repsc.ratio_cut(networkx.path_graph(["a", "b", "c"]), {"a": 0, "b": 1, "d": 1})
    with pytest.raises(ValueError, match="labels must be one-dimensional"):
        repsc.ratio_cut(networkx.path_graph(3), pandas.DataFrame({"a": [1, 2, 2]}))


def test_what_can_be_matched_in_one_way_is_matched():
    matrix = networkx.to_scipy_sparse_array(networkx.cycle_graph(6), dtype=float)
    values = list("aabbab")
    expected = repsc.evaluate(matrix, [0, 0, 0, 1, 1, 1], sensitive_features=values)
    ordered = networkx.cycle_graph(6)
    by_words = networkx.relabel_nodes(ordered, dict(enumerate("uvwxyz")))
    for graph, given in (
        (matrix, pandas.Series(values)),
        (matrix, pandas.Series(values, index=list("uvwxyz"))),  # rows without names
        (matrix, pandas.Series(values, index=[10, 20, 30, 40, 50, 60])),
        (matrix, dict(reversed(list(enumerate(values))))),
        (matrix, polars.Series(values)),
        (matrix, polars.DataFrame({"group": values})),
        (ordered, pandas.Series(values)),
        (ordered, values),
        (by_words, values),  # a list is in the order of the nodes
        (by_words, np.array(values)),
        (by_words, polars.Series(values)),
        (by_words, pandas.Series(values).set_axis(list(by_words))),
    ):
        before = copy.deepcopy(given)
        found = repsc.evaluate(graph, [0, 0, 0, 1, 1, 1], sensitive_features=given)
        assert found == expected
        assert str(before) == str(given), "not changed"
    R = sp.csr_array(np.ones((6, 6)))
    assert repsc.cluster(by_words, 2, representation=R).labels_by_node.keys() == set("uvwxyz")


def test_cross_validation_keeps_rows_together(people):
    from sklearn.model_selection import ShuffleSplit, cross_validate

    matrix, _, gender, age = people
    frame = pandas.DataFrame({"gender": gender, "age": age})

    def balance_of(model, X, y=None):
        return model.average_balance_

    for params in (
        {"sensitive_features": frame["gender"]},
        {"sensitive_features": frame["gender"].set_axis(NAMES)},
        {"representation": where(frame, same="gender")},
        {"representation": where(frame.set_axis(NAMES), same="gender")},
    ):
        scores = cross_validate(
            Model(2, random_state=0), matrix, cv=ShuffleSplit(3, random_state=0), params=params,
            scoring=balance_of, error_score="raise",
        )["test_score"]
        assert (scores > 0).all()


def test_columns_of_a_dict_have_one_index(people):
    _, graph, gender, age = people
    names = back(NAMES)
    ages, genders = (pandas.Series(back(values), index=names) for values in (age, gender))
    in_order = where({"age": age, "gender": gender}, within={"age": 5}, same="gender")
    rule = where({"gender": back(gender), "age": ages}, within={"age": 5}, same="gender")
    labels = np.arange(N) // 30
    matrix = networkx.to_scipy_sparse_array(graph, dtype=float)
    expected = repsc.evaluate(matrix, labels, representation=in_order)
    assert repsc.evaluate(graph, labels, representation=rule) == expected
    assert where({"age": ages, "gender": genders}, same="gender").tocsr().shape == (N, N)
    with pytest.raises(ValueError, match="columns of the dict have different indexes"):
        where({"age": ages, "gender": genders.sort_index()}, same="gender")


def test_plots_match_by_name(people):
    _, graph, gender, _ = people
    result = repsc.cluster(graph, 2)
    bars = [
        [bar.get_height() for bar in repsc.plot.composition(result, given).patches]
        for given in (gender, pandas.Series(back(gender), index=back(NAMES)))
    ]
    assert bars[0] == bars[1] != []
