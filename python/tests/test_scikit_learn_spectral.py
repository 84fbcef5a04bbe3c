"""scikit-learn's own tests of SpectralClustering, run on our estimator.

The test file is that of the installed scikit-learn. A subclass maps its parameter names.
"""

import importlib.util

import pytest

from repsc import RepresentationAwareSpectralClustering

THEIRS = "sklearn.cluster.tests.test_spectral"


class SpectralClustering(RepresentationAwareSpectralClustering):
    """Our estimator with the parameters and defaults of scikit-learn's."""

    _parameter_constraints = {  # noqa: RUF012 - scikit-learn reads it as a plain class attribute
        name: accepted
        for name, accepted in RepresentationAwareSpectralClustering._parameter_constraints.items()
        if name not in ("solver", "tol")
    }

    def __init__(
        self, n_clusters=8, *, eigen_solver=None, n_components=None, random_state=None, n_init=10,
        gamma=1.0, affinity="rbf", n_neighbors=10, eigen_tol="auto", assign_labels="kmeans",
        degree=3, coef0=1, kernel_params=None, n_jobs=None, verbose=False,
    ):
        super().__init__(
            n_clusters, random_state=random_state, n_init=n_init, gamma=gamma, affinity=affinity,
            n_neighbors=n_neighbors, assign_labels=assign_labels, degree=degree, coef0=coef0,
            kernel_params=kernel_params, n_jobs=n_jobs, verbose=verbose,
            tol="auto" if eigen_tol == "auto" else eigen_tol,
            solver={None: "auto", "arpack": "lapack", "lobpcg": "lanczos"}[eigen_solver],
        )
        self.eigen_solver = eigen_solver
        self.n_components = n_components  # always n_clusters in ours
        self.eigen_tol = eigen_tol


def theirs():
    """A copy of the test module with our estimator in place of scikit-learn's."""
    spec = importlib.util.find_spec(THEIRS)
    if spec is None:
        pytest.skip("scikit-learn is installed without its tests", allow_module_level=True)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.SpectralClustering.__module__.startswith("sklearn.")
    module.SpectralClustering = SpectralClustering
    return module


@pytest.fixture(params=[0, 42])
def global_random_seed(request):
    """As in the conftest.py of scikit-learn."""
    return request.param


# Their tests become those of this module, but for the words of verbose output.
TESTS = {name: test for name, test in vars(theirs()).items() if name.startswith("test_")}
del TESTS["test_verbose"]
globals().update(TESTS)


def test_all_of_them_are_here():
    assert len(TESTS) >= 9
    assert {"test_spectral_clustering", "test_affinities"} <= set(TESTS)
    for test in (TESTS["test_affinities"], TESTS["test_spectral_clustering"]):
        assert test.__globals__["SpectralClustering"] is SpectralClustering
