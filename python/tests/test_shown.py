"""Short reprs, and HTML tables in notebooks."""

import html.parser
import warnings

import numpy as np
import pytest
from conftest import Town

import repsc
from repsc._shown import html_table, in_words


@pytest.fixture(scope="module")
def results(town):
    found = {
        "clustering": repsc.cluster(town.G, 3),
        "soft": repsc.cluster(town.G, 3, representation=town.R, strength=2),
        "refined": repsc.cluster(town.G, 3, representation=town.R),
        "metrics": repsc.evaluate(town.G, town.truth, representation=town.R, truth=town.truth),
        "plain metrics": repsc.evaluate(town.G, town.truth),
        "refinement": repsc.refine(town.G, town.R, town.truth),
        "words": repsc.refine(town.G, town.R, np.array(["<b>", "&", "c"])[town.truth]),
        "path": repsc.path(town.G, town.R, 3, [1, 5], strengths=[0, 1], refine=[2]),
        "plan": repsc.plan(town.G, 3, representation=town.R),
        "certificate": repsc.certify(town.G, town.R, town.truth),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", repsc.TargetMissed)
        small = Town(n_samples=40, n_clusters=2)
        target = repsc.cluster_to_target(small.G, small.R, 2, target_balance=0.3)
        each = repsc.cluster_to_target(small.G, small.R, 2, target_individual=0.2)
    return {**found, "target": target, "individual target": each}


NAMES = [
    "clustering", "soft", "refined", "metrics", "plain metrics", "refinement", "words", "path",
    "plan", "certificate", "target", "individual target",
]


class Reader(html.parser.HTMLParser):
    """Checks that tags are closed, and collects the cells."""

    def __init__(self):
        super().__init__()
        self.open, self.cells = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def cells_of(text):
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader.cells


@pytest.mark.parametrize("name", NAMES)
def test_reprs_are_one_short_line(results, name):
    text = repr(results[name])
    assert "\n" not in text and len(text) < 300, text
    assert text.startswith(type(results[name]).__name__ + "(") and text.endswith(")")
    assert "array" not in text and "nan" not in text


@pytest.mark.parametrize("name", NAMES)
def test_html_is_a_table(results, name):
    text = results[name]._repr_html_()
    assert text.startswith("<table>") and text.endswith("</table>")
    assert len(cells_of(text)) >= 4
    assert "array(" not in text


def test_reprs_say_what_matters(results):
    text = repr(results["clustering"])
    assert text.startswith("Clustering(method='nsc', n_samples=150, n_clusters=3, cluster_sizes=[")
    assert text.endswith("converged=True)") and "strength" not in text and "refined" not in text
    assert "strength=2" in repr(results["soft"])
    assert "refined=True" in repr(results["refined"])
    metrics = results["metrics"]
    assert f"ratio_cut={metrics.ratio_cut:.4g}" in repr(metrics) and "accuracy=1" in repr(metrics)
    assert "balance" not in repr(results["plain metrics"])
    assert repr(results["path"]) == "RankPath(points=8, ranks=[1, 5], strengths=[0, 1], mus=[2])"
    assert repr(results["target"]).startswith("TargetResult(met=")
    assert "satisfied=" in repr(results["individual target"])


def test_tables_have_the_numbers(results):
    clustering = results["soft"]
    cells = cells_of(clustering._repr_html_())
    table = dict(zip(cells[::2], cells[1::2]))
    assert table["method"] == "nrepsc"
    assert table["ratio cut"] == f"{clustering.metrics.ratio_cut:.4g}"
    assert table["average balance"] == f"{clustering.metrics.average_balance:.4g}"
    assert table["cluster sizes"] == str(np.bincount(clustering.labels).tolist())
    path = cells_of(results["path"]._repr_html_())
    columns = 8
    assert path[:columns][0] == "rank" and len(path) == columns * (1 + 8)
    decisions = cells_of(results["plan"]._repr_html_())
    assert decisions[:3] == ["what", "choice", "reason"] and "method" in decisions


def test_long_things_are_cut():
    assert in_words(np.arange(100)) == "[0, 1, 2, 3, 4, 5, 6, ..., 99]"
    assert in_words([0.123456789, True, "x", None]) == "[0.1235, True, 'x', None]"
    assert in_words(np.arange(8)) == "[0, 1, 2, 3, 4, 5, 6, 7]"
    text = html_table("t", ("a", "b"), [(i, i) for i in range(50)])
    assert "30 more rows" in text and cells_of(text)
    many = repsc.sample_planted_partition(np.arange(400) // 10, 1.0, 0.05)
    assert len(repr(repsc.cluster(many, 40))) < 200


def test_words_are_escaped():
    text = html_table("<script>", ("<i>",), [("<b>", "a & b")])
    assert "<script>" not in text and "<b>" not in text and "a &amp; b" in text
