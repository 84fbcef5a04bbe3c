"""Pictures: the values of bars, points and titles."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import repsc


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def result(blocks):
    G, _, groups = blocks
    return repsc.cluster(G, 3, groups=groups)


def test_the_histogram_counts_every_node(result):
    ax = repsc.plot.balance_histogram(result, bins=10)
    assert sum(bar.get_height() for bar in ax.patches) == len(result.labels)
    assert ax.get_xlabel() and ax.get_ylabel() == "number of nodes"
    counts, _ = np.histogram(result.balance, bins=10, range=(0, 1))
    np.testing.assert_array_equal([bar.get_height() for bar in ax.patches], counts)
    with pytest.raises(ValueError, match="no balance"):
        repsc.plot.balance_histogram(repsc.cluster(result.similarity, 3))


def test_the_composition_adds_up(result, blocks):
    _, _, groups = blocks
    words = np.array(["f", "m"])[groups]
    ax = repsc.plot.composition(result, words)
    heights = np.array([[bar.get_height() for bar in bars] for bars in ax.containers])
    np.testing.assert_allclose(heights.sum(axis=0), 1)
    for cluster in range(3):
        share = (words[result.labels == cluster] == "f").mean()
        assert heights[0, cluster] == pytest.approx(share)
    assert heights[0, 3] == (words == "f").mean()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["f", "m"]
    with pytest.raises(ValueError, match="3 groups, but 150 samples"):
        repsc.plot.composition(result, [1, 2, 3])


def test_the_tradeoff_has_a_point_for_each_rank(planted):
    path = repsc.path(planted.G, planted.R, 4, [1, 5, 25])
    ax = repsc.plot.tradeoff(path, cut="ratio_cut")
    points = ax.collections[0].get_offsets()
    np.testing.assert_allclose(points[:, 0], path.metrics["ratio_cut"])
    np.testing.assert_allclose(points[:, 1], path.metrics["average_balance"])
    assert "1" in {text.get_text() for text in ax.texts}  # others may lie on the same point
    assert ax.get_xlabel() == "ratio cut"
    with pytest.raises(ValueError, match="is not one of"):
        repsc.plot.tradeoff(path, cut="price")


def test_the_graph_shows_every_node_and_edge(result):
    ax = repsc.plot.graph(result)
    edges, *clusters = ax.collections
    assert len(edges.get_segments()) == result.similarity.nnz // 2
    assert [len(part.get_offsets()) for part in clusters] == result.metrics.cluster_sizes.tolist()
    again = repsc.plot.graph(result)
    np.testing.assert_array_equal(
        again.collections[1].get_offsets(), clusters[0].get_offsets()
    )  # the layout is always the same
    with pytest.raises(ValueError, match="layout has shape"):
        repsc.plot.graph(result, layout=np.zeros((2, 2)))


def test_pictures_of_a_fitted_model_and_into_given_axes(blocks):
    G, _, groups = blocks
    model = repsc.RepresentationAwareSpectralClustering(3, random_state=0).fit(G, groups=groups)
    _, ax = plt.subplots()
    assert repsc.plot.graph(model, ax=ax) is ax
    assert repsc.plot.balance_histogram(model, ax=ax) is ax
    with pytest.raises(ValueError, match="expected a Clustering or a fitted estimator"):
        repsc.plot.graph("nothing")


def test_the_tradeoff_tells_ranks_strengths_and_refined_points_apart(town):
    path = repsc.path(town.G, town.R, 3, [20], strengths=[10], refine=[2])
    ax = repsc.plot.tradeoff(path)
    assert [len(points.get_offsets()) for points in ax.collections] == [1, 1, 2]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["rank", "strength", "refined"]
    np.testing.assert_allclose(
        ax.collections[2].get_offsets()[:, 1], path.metrics["average_balance"][2:]
    )
    assert "10" in {text.get_text() for text in ax.texts}
    assert "strengths" in ax.get_title()


def test_pictures_of_refined_labels_and_of_targets(town):
    words = np.array(["x", "y", "z"])[town.truth]
    refined = repsc.refine(town.G, town.R, words)
    ax = repsc.plot.graph(refined, layout=np.random.RandomState(0).rand(150, 2))
    sizes = [len(part.get_offsets()) for part in ax.collections[1:]]
    assert sizes == [(refined.labels == word).sum() for word in "xyz"]
    found = repsc.cluster_to_target(town.G, town.R, 3, target_balance=0.5)
    ax = repsc.plot.balance_histogram(found, bins=10)
    assert sum(bar.get_height() for bar in ax.patches) == 150
