"""scikit-learn's own checks of an estimator."""

import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

from repsc import RepresentationAwareSpectralClustering

# Checks that cannot pass, with reasons, for several parameters. No other check may fail.
FEATURES = "passes features to an estimator of precomputed graphs and ignores its pairwise tag"
ISOLATED = "its random graph has isolated nodes, for which the normalized cut is not defined"
EXPECTED = {
    "default": (
        {},
        {
            "check_clustering": FEATURES,
            "check_estimator_sparse_tag": ISOLATED,
            "check_estimator_sparse_array": ISOLATED,
            "check_estimator_sparse_matrix": ISOLATED,
        },
    ),
    "regularized": ({"regularization": "auto"}, {"check_clustering": FEATURES}),
    "unnormalized": ({"normalized": False}, {"check_clustering": FEATURES}),
    "rbf": ({"affinity": "rbf"}, {}),
    "nearest_neighbors": ({"affinity": "nearest_neighbors"}, {}),
    "laplacian": ({"affinity": "laplacian"}, {}),
    "discretize": ({"affinity": "rbf", "assign_labels": "discretize"}, {}),
    "cluster_qr": ({"affinity": "rbf", "assign_labels": "cluster_qr"}, {}),
    "rbf_unnormalized": ({"affinity": "rbf", "normalized": False}, {}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_estimator_passes_scikit_learns_checks(name):
    parameters, expected = EXPECTED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(
            RepresentationAwareSpectralClustering(**parameters),
            expected_failed_checks=expected,
            on_fail=None,
        )
    by_status = {}
    for result in results:
        by_status.setdefault(result["status"], []).append(result["check_name"])
    assert "failed" not in by_status, by_status["failed"]
    assert set(by_status.get("xfail", [])) == set(expected), "an expected failure does not fail"
    assert len(by_status["passed"]) > 35
