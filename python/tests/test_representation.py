"""Rules: their graphs, their rows, and the input they refuse."""

import pickle

import numpy as np
import pytest

import repsc
from repsc.representation import groups, knn, where

PEOPLE = {
    "age": [20, 24, 40, 61, 65],
    "school": ["north", "north", "south", "north", "south"],
    "income": [1.5, 2.5, 2.5, 9.0, 9.5],
}


def linked(test):
    n = len(PEOPLE["age"])
    return np.array([[float(i == j or test(i, j)) for j in range(n)] for i in range(n)])


def test_where_links_people_that_meet_every_part_of_the_rule():
    age, school = PEOPLE["age"], PEOPLE["school"]
    expected = linked(lambda i, j: abs(age[i] - age[j]) <= 4)
    np.testing.assert_array_equal(where(PEOPLE, within={"age": 4}).tocsr().toarray(), expected)
    expected = linked(lambda i, j: abs(age[i] - age[j]) <= 45 and school[i] == school[j])
    rule = where(PEOPLE, within={"age": 45}, same=["school"])
    np.testing.assert_array_equal(rule.tocsr().toarray(), expected)
    expected = linked(lambda i, j: PEOPLE["income"][i] == PEOPLE["income"][j])
    np.testing.assert_array_equal(where(PEOPLE, same="income").tocsr().toarray(), expected)


def test_knn_links_everyone_to_their_nearest():
    ages = np.array([20.0, 21, 23, 60, 62])
    distance = abs(ages[:, None] - ages)
    np.fill_diagonal(distance, np.inf)
    nearest = np.eye(5)
    for i in range(5):
        for j in np.argsort(distance[i], kind="stable")[:2]:
            nearest[i, j] = nearest[j, i] = 1
    np.testing.assert_array_equal(knn({"age": ages}, 2).tocsr().toarray(), nearest)
    # Different words count as one standard deviation.
    rule = knn({"age": ages, "school": list("aabbb")}, 2, columns=["age"])
    np.testing.assert_array_equal(rule.tocsr().toarray(), nearest)


def test_rows_may_be_taken_out():
    rule = where(PEOPLE, within={"age": 4})
    rows = np.array([4, 0, 3])
    whole = rule.tocsr().toarray()
    for part in (rule[rows], rule[rows, ...], rule[[4, 0, 3]]):
        np.testing.assert_array_equal(part.tocsr().toarray(), whole[np.ix_(rows, rows)])
    mask = np.array([True, False, True, True, False])
    assert len(rule[mask]) == 3
    np.testing.assert_array_equal(groups(list("abab"))[[1, 3]].tocsr().toarray(), np.ones((2, 2)))
    assert repr(rule) == "<Rule for 5 people: age within 4>"


@pytest.mark.parametrize("kind", ["numpy", "nullable", "categories", "arrow_like"])
def test_data_frames_of_pandas(kind):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PEOPLE, index=list("vwxyz"))
    if kind == "nullable":
        frame = frame.astype({"age": "Int64", "income": "Float64"})
    if kind == "categories":
        frame = frame.astype({"school": "category"})
    if kind == "arrow_like":
        frame = frame.astype({"school": "string"})
    for make in (
        lambda given: where(given, within={"age": 4, "income": 1}, same=["school"]),
        lambda given: knn(given, 2),
        lambda given: groups(given["school"]),
    ):
        np.testing.assert_array_equal(make(frame).tocsr().toarray(), make(PEOPLE).tocsr().toarray())


def test_missing_values_match_nothing_or_are_refused():
    pandas = pytest.importorskip("pandas")
    columns = {"age": pandas.array([20, None, 21], "Int64"), "school": ["a", None, None]}
    frame = pandas.DataFrame(columns, index=["Ann", "Bob", "Cy"])
    np.testing.assert_array_equal(
        where(frame, within={"age": 5}).tocsr().toarray(), [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    )
    np.testing.assert_array_equal(where(frame, same="school").tocsr().toarray(), np.eye(3))
    with pytest.raises(ValueError, match="Bob.*age|age.*Bob"):
        knn(frame, 1, columns=["age"]).tocsr()
    with pytest.raises(ValueError, match=r"groups\[1\] is missing"):
        groups(frame["school"])


def test_bad_rules_are_refused():
    for make, message in (
        (lambda: where(PEOPLE), "empty rule"),
        (lambda: where(PEOPLE, within={"height": 1}), "no column 'height'; there are age, school"),
        (lambda: where(PEOPLE, within={"school": 1}), "'school' is not numeric"),
        (lambda: where(PEOPLE, within={"age": -1}), "at least 0"),
        (lambda: knn(PEOPLE, 0), "integer of at least 1"),
        (lambda: knn(PEOPLE, categorical=["height"]), "no column 'height'"),
        (lambda: knn(np.ones((3, 2, 2))), r"data frame.*shape \(3, 2, 2\)"),
        (lambda: knn({"a": [1, 2], "b": [1]}), "same length"),
        (lambda: knn({"born": np.array(["2000-01-01"], "datetime64[D]")}).tocsr(), "dates"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


def test_a_bare_data_frame_is_asked_for_its_rule(planted):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": np.arange(len(planted.truth)) % 9, "height": 1.0})
    with pytest.raises(ValueError, match="representation.knn"):
        repsc.cluster(planted.G, 4, representation=frame)
    with pytest.raises(ValueError, match="4 rows|4 samples|samples"):
        repsc.cluster(planted.G, 4, representation=where(PEOPLE, within={"age": 4}))
    rule = knn(frame, 5)
    plain = repsc.cluster(planted.G, 4, representation=rule, method="nsc")
    fair = repsc.cluster(planted.G, 4, representation=rule)
    assert fair.metrics.average_balance > 2 * plain.metrics.average_balance


def test_rules_print_as_rules():
    texts = {
        where(PEOPLE, within={"age": 5}): "age within 5",
        where(PEOPLE, within={"age": 2.5, "income": 1}, same="school"): (
            "age within 2.5 and income within 1 and same school"
        ),
        knn(PEOPLE, 3, columns=["age", "income"]): "3 nearest by age, income",
        groups({"a": 1, "b": 2}): "same group",
    }
    for rule, text in texts.items():
        assert repr(rule) == str(rule) == f"<Rule for {len(rule)} people: {text}>"
    young, here = where(PEOPLE, within={"age": 5}), where(PEOPLE, same="school")
    rich = where(PEOPLE, within={"income": 1})
    assert (young | here).text == "age within 5 or same school"
    assert (young & here & rich).text == "age within 5 and same school and income within 1"
    assert ((young | here) & rich).text == "(age within 5 or same school) and income within 1"
    assert (young & here | rich).text == "(age within 5 and same school) or income within 1"
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(PEOPLE)
    assert groups(frame["school"]).text == "same school"
    assert groups(frame[["school", "age"]].assign(age=frame["age"] > 50)).text == "same school, age"


@pytest.mark.parametrize("seed", range(3))
def test_rules_combine(seed):
    rng = np.random.RandomState(seed)
    n = 40
    table = {"age": rng.randint(20, 60, n), "city": rng.choice(list("abc"), n)}
    team = rng.randint(0, 4, n)
    rules = {
        "age": where(table, within={"age": 3}),
        "city": groups(table["city"]),
        "team": groups(team),
        "near": knn(table, 3),
    }
    dense = {name: rule.tocsr().toarray() > 0 for name, rule in rules.items()}
    for first in rules:
        for second in rules:
            either, both = rules[first] | rules[second], rules[first] & rules[second]
            np.testing.assert_array_equal(
                either.tocsr().toarray(), (dense[first] | dense[second]).astype(float)
            )
            np.testing.assert_array_equal(
                both.tocsr().toarray(), (dense[first] & dense[second]).astype(float)
            )
            rows = rng.permutation(n)[:17]
            np.testing.assert_array_equal(
                (rules["age"] | rules["team"])[rows].tocsr().toarray(),
                (dense["age"] | dense["team"])[np.ix_(rows, rows)].astype(float),
            )
    three = rules["age"] & rules["city"] | rules["team"]
    expected = dense["age"] & dense["city"] | dense["team"]
    np.testing.assert_array_equal(three.tocsr().toarray(), expected.astype(float))
    again = pickle.loads(pickle.dumps(three))
    assert repr(again) == repr(three) and (again.tocsr() != three.tocsr()).nnz == 0


def test_combined_rules_are_representations(planted):
    n = len(planted.truth)
    table = {"age": np.arange(n) % 9, "team": np.arange(n) % 2, "city": np.arange(n) % 3}
    young, team = where(table, within={"age": 1}), groups(table["team"])
    found = repsc.cluster(planted.G, 4, representation=young | team)
    matrix = repsc.cluster(planted.G, 4, representation=(young | team).tocsr())
    np.testing.assert_array_equal(found.labels, matrix.labels)
    both = team & groups(table["city"])
    assert repsc.cluster(planted.G, 4, representation=both).search is not None
    six = [f"{t}{c}" for t, c in zip(table["team"], table["city"])]
    np.testing.assert_array_equal(
        repsc.cluster(planted.G, 4, representation=both).labels,
        repsc.cluster(planted.G, 4, sensitive_features=six).labels,
    )


def test_combined_rules_match_people_by_name():
    pandas = pytest.importorskip("pandas")
    networkx = pytest.importorskip("networkx")
    names = list("vwxyz")
    frame = pandas.DataFrame(PEOPLE, index=names)
    turned = frame.iloc[[3, 1, 0, 2, 4]]
    expected = (where(frame, within={"age": 4}) | where(frame, same="school")).tocsr().toarray()
    found = where(frame, within={"age": 4}) | where(turned, same="school")
    np.testing.assert_array_equal(found.tocsr().toarray(), expected)
    G = networkx.complete_graph(list("zyxwv"))
    backwards = expected[::-1, ::-1]
    labels = [0, 0, 1, 1, 1]
    balance = repsc.evaluate(G, labels, representation=backwards).average_balance
    of_list = where(turned, within={"age": 4}) | groups(turned["school"].tolist())
    for rule in (found, of_list):
        assert repsc.evaluate(G, labels, representation=rule).average_balance == balance
    with pytest.raises(ValueError, match="do not name the same people"):
        where(frame, same="school") & where(turned.rename(index={"v": "q"}), same="school")
    with pytest.raises(ValueError, match="for 5 and 3 people and cannot be combined"):
        where(frame, same="school") & groups([1, 2, 2])
    for other in (expected, "school", None):
        with pytest.raises(TypeError, match="a rule is combined with a rule, not with"):
            where(frame, same="school") | other
    with pytest.raises(TypeError):
        expected & where(frame, same="school")
    polars = pytest.importorskip("polars")
    one = polars.DataFrame({"id": names, "age": PEOPLE["age"]})
    other = polars.DataFrame({"id": names[::-1], "city": list("aabbb")})
    with pytest.raises(ValueError, match="different orders; name the column"):
        repsc.evaluate(
            G, labels, representation=where(one, within={"age": 4}) | where(other, same="city")
        )
    ids = where(one, within={"age": 4}, id="id") | where(other, same="city", id="id")
    city = dict(zip("zyxwv", "aabbb"))
    expected = linked(lambda i, j: abs(PEOPLE["age"][i] - PEOPLE["age"][j]) <= 4
                         or city[names[i]] == city[names[j]])
    np.testing.assert_array_equal(ids.tocsr().toarray(), expected)


@pytest.mark.parametrize("kind", ["array", "lists", "objects", "structured", "fortran", "float32"])
def test_nearest_neighbors_of_arrays(kind):
    rng = np.random.RandomState(0)
    table = {"0": rng.rand(30), "1": rng.randint(0, 9, 30).astype(float)}
    array = np.column_stack(list(table.values()))
    expected = knn(table, 4).tocsr()
    given = {
        "array": array,
        "lists": array.tolist(),
        "objects": array.astype(object),
        "structured": np.rec.fromarrays(list(table.values()), names=["a", "b"]),
        "fortran": np.asfortranarray(array),
        "float32": array.astype(np.float32),
    }[kind]
    assert (knn(given, 4).tocsr() != expected).nnz == 0
    if kind != "structured":
        alone = knn({"age": table["1"]}, 4).tocsr()
        assert (knn(given, 4, columns=[1]).tocsr() != alone).nnz == 0
        words = knn({"a": table["0"], "b": table["1"].astype(int).astype(str)}, 4).tocsr()
        assert (knn(given, 4, categorical=[1]).tocsr() != words).nnz == 0
        assert repr(knn(given, 4)) == "<Rule for 30 people: 4 nearest by 0, 1>"


def test_arrays_of_words_and_numbers_and_series():
    mixed = np.array([[20, "a"], [21, "a"], [60, "b"], [61, "b"]], dtype=object)
    table = {"age": [20, 21, 60, 61], "city": list("aabb")}
    assert (knn(mixed, 1).tocsr() != knn(table, 1).tocsr()).nnz == 0
    ages = np.array([20.0, 21, 60, 61])
    pandas = pytest.importorskip("pandas")
    for given in (ages, ages[:, None], pandas.Series(ages, name="age")):
        assert (knn(given, 1).tocsr() != knn({"age": ages}, 1).tocsr()).nnz == 0
    with pytest.raises(ValueError, match="expected a data frame, a dict of columns, or an array"):
        knn(5)
    with pytest.raises(ValueError, match="there is no column 7; there are 0, 1"):
        knn(mixed, 1, columns=[7])
    with pytest.raises(ValueError, match="sample|missing|row|column"):
        knn(np.array([[1.0, np.nan], [2, 3]]), 1).tocsr()
