"""Paths over ranks, strengths and refinement."""


import numpy as np
import pytest
from conftest import run_tool

import repsc


def test_a_path_holds_what_single_runs_give(planted):
    found = repsc.path(planted.G, planted.R, 4, [60, 5, 20], random_state=2)
    assert found.ranks.tolist() == [5, 20, 60] and len(found) == 3
    for rank, clustering in zip(found.ranks, found):
        options = dict(representation=planted.R, rank=int(rank), random_state=2)
        single = repsc.cluster(planted.G, 4, **options)
        np.testing.assert_allclose(clustering.eigenvalues, single.eigenvalues, atol=1e-9)
        assert clustering.constraint_rank == single.constraint_rank
    assert set(found.metrics) >= {"rank", "normalized_cut", "average_balance"}
    assert found[2].metrics.average_balance == found.metrics["average_balance"][2]
    with pytest.raises(ValueError, match="from 1 to N - K"):
        repsc.path(planted.G, planted.R, 4, [0])
    with pytest.raises(ValueError, match="a path needs urepsc or nrepsc"):
        repsc.path(planted.G, planted.R, 4, [5], method="nfairsc")


def test_a_path_over_ranks_strengths_and_refinement(town):
    found = repsc.path(town.G, town.R, 3, [5], strengths=[3], refine=[2, 0.5])
    assert len(found) == 6
    assert found.ranks.tolist() == [5, 0, 5, 5, 0, 0]
    np.testing.assert_array_equal(found.strengths, [np.nan, 3, np.nan, np.nan, 3, 3])
    np.testing.assert_array_equal(found.mus, [np.nan, np.nan, 0.5, 2, 0.5, 2])
    for place, point in enumerate(found.clusterings[:2]):
        assert point.refinement is None and point.before_refinement is None
        for refined in found[2 + 2 * place : 4 + 2 * place]:
            np.testing.assert_array_equal(refined.before_refinement, point.labels)
            assert refined.seconds["refine"] > 0
    single = repsc.refine(town.G, town.R, found[1].labels, mu=0.5)
    np.testing.assert_array_equal(found[4].labels, single.labels)
    assert found[4].refinement.objective == single.objective
    assert found[4].metrics.average_balance == pytest.approx(single.average_balance)
    assert set(found.metrics) >= {"rank", "strength", "mu", "normalized_cut", "minimum_balance"}


def test_a_path_over_strengths_holds_what_single_runs_give(town):
    found = repsc.path(town.G, town.R, 3, strengths=[3, 0, 0.5])
    assert found.strengths.tolist() == [0, 0.5, 3] and found.ranks.tolist() == [0, 0, 0]
    for strength, clustering in zip(found.strengths, found):
        single = repsc.cluster(town.G, 3, representation=town.R, strength=strength)
        np.testing.assert_allclose(clustering.eigenvalues, single.eigenvalues, atol=1e-7)


@pytest.mark.parametrize("method, cut", [("nrepsc", "normalized_cut"), ("urepsc", "ratio_cut")])
def test_fronts_are_the_points_that_no_other_beats(town, method, cut):
    found = repsc.path(
        town.G, town.R, 3, [1, 5, 20, 100], strengths=[0, 0.1, 0.3, 1, 3, 10], method=method
    )
    for gain, front in (
        ("average_balance", found.on_average_front),
        ("minimum_balance", found.on_minimum_front),
    ):
        points = list(zip(found.metrics[cut], found.metrics[gain]))
        beaten = [
            any(c <= cost and g >= gained and (c, g) != (cost, gained) for c, g in points)
            for cost, gained in points
        ]
        np.testing.assert_array_equal(front, np.logical_not(beaten))
        assert front.any() and not front.all()


def test_paths_that_make_no_sense_are_refused(town):
    for options, message in (
        ({}, "a path needs ranks or strengths"),
        (dict(refine=[1]), "a path needs ranks or strengths"),
        (dict(strengths=[-1]), "'strength' parameter"),
        (dict(strengths=[np.nan]), "'strength' parameter"),
        (dict(ranks=[1], refine=[-1]), "'mu' parameter"),
        (dict(strengths=[1], embedding_rows="long"), "'embedding_rows' parameter"),
    ):
        with pytest.raises(ValueError, match=message):
            repsc.path(town.G, town.R, 3, **options)


def test_paths_are_those_of_the_command_line(tool, town_files, town):
    words = ["--ranks", "5,40", "--strengths", "0,10", "--refine", "2", "--method", "urepsc"]
    labels, report = run_tool(tool, town_files, "path", "-k", 3, "--seed", 3, *words)
    found = repsc.path(
        town.G,
        town.R,
        3,
        [5, 40],
        strengths=[0, 10],
        refine=[2],
        method="urepsc",
        random_state=3,
    )
    np.testing.assert_array_equal(np.column_stack([c.labels for c in found]), labels)
    assert len(report["path"]) == len(found)
    for place, step in enumerate(report["path"]):
        assert step["strength"] == found[place].strength
        assert (step["rank"] or 0) == found.ranks[place]
        mu = found.mus[place]
        assert step["mu"] == (None if np.isnan(mu) else mu)
        assert step["on_average_front"] == found.on_average_front[place]
        assert step["on_minimum_front"] == found.on_minimum_front[place]


def test_refined_points_have_clusters_of_a_minimum_size(town):
    found = repsc.path(town.G, town.R, 3, strengths=[0], refine=[0, 1], min_cluster_size=48)
    assert all(np.bincount(c.labels).min() >= 48 for c in found[1:])
    with pytest.raises(ValueError, match="min_cluster_size needs refine="):
        repsc.path(town.G, town.R, 3, strengths=[0], min_cluster_size=2)
    with pytest.raises(ValueError, match="min_cluster_size=51: "):
        repsc.path(town.G, town.R, 3, strengths=[0], refine=[1], min_cluster_size=51)
