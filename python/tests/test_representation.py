"""Rules: their graphs, their rows, and the input they refuse."""

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
    assert "5 people by age" in repr(rule)


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
        (lambda: knn(np.ones((3, 2))), "data frame"),
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
    result = repsc.cluster(planted.G, 4, representation=knn(frame, 5))
    assert result.method == "nrepsc" and result.metrics.average_balance >= 0
