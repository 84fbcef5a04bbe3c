"""Arrays in the memory of a device, of libraries that need not be installed: these stand in."""

from types import MappingProxyType

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

import repsc

INTERFACE = MappingProxyType({"version": 3})


class CupyLike:
    """What CuPy's arrays and sparse matrices have: a copy on request, and nothing for NumPy."""

    def __init__(self, values):
        self.values = values
        self.copies = 0
        if not sp.issparse(values):
            self.__cuda_array_interface__ = {"shape": values.shape}

    def get(self):
        self.copies += 1
        return self.values

    def __array__(self, *_args, **_kwargs):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")


CupyLike.__module__ = "cupyx.scipy.sparse._csr"


class TorchLike:
    is_cuda = True
    __cuda_array_interface__ = INTERFACE

    def __init__(self, values):
        self.values = values

    def detach(self):
        return self

    cpu = detach

    def numpy(self):
        return self.values


class NumbaLike:
    __cuda_array_interface__ = INTERFACE

    def __init__(self, values):
        self.values = values

    def copy_to_host(self):
        return self.values


class Unknown:
    __cuda_array_interface__ = INTERFACE


@pytest.fixture
def planted():
    rng = np.random.default_rng(1)
    n = 120
    clusters = np.arange(n) % 3
    same = clusters[:, None] == clusters
    upper = np.triu(rng.random((n, n)) < np.where(same, 0.5, 0.05), 1)
    return sp.csr_array((upper | upper.T).astype(float)), np.arange(n) // 3 % 2


@pytest.mark.parametrize(
    ("like", "dense"),
    [(CupyLike, False), (CupyLike, True), (TorchLike, True), (NumbaLike, True)],
)
def test_graphs_and_groups_on_a_device_are_copied(planted, like, dense):
    G, groups = planted
    matrix = G.toarray() if dense else G
    expected = repsc.cluster(matrix, 3, sensitive_features=groups, random_state=2)
    found = repsc.cluster(like(matrix), 3, sensitive_features=like(groups), random_state=2)
    np.testing.assert_array_equal(found.labels, expected.labels)
    measured = repsc.evaluate(matrix, like(found.labels), sensitive_features=like(groups))
    assert measured == repsc.evaluate(matrix, expected.labels, sensitive_features=groups)


def test_a_graph_is_copied_once(planted):
    G = CupyLike(planted[0])
    repsc.cluster(G, 3, method="nsc")
    assert G.copies == 1


def test_representation_on_a_device_is_copied(planted):
    G, groups = planted
    R = sp.csr_array((groups[:, None] == groups).astype(float))
    expected = repsc.cluster(G, 3, representation=R, method="nrepsc")
    found = repsc.cluster(G, 3, representation=CupyLike(R), method="nrepsc")
    np.testing.assert_array_equal(found.labels, expected.labels)


@pytest.mark.parametrize("affinity", ["precomputed", "nearest_neighbors", "rbf"])
def test_the_estimator_takes_them(planted, affinity):
    X = planted[0] if affinity == "precomputed" else make_blobs(90, random_state=0)[0]
    make = repsc.RepresentationAwareSpectralClustering(3, affinity=affinity, random_state=0)
    expected = make.fit_predict(X)
    np.testing.assert_array_equal(make.fit_predict(CupyLike(X)), expected)


def test_what_cannot_be_copied_is_named():
    with pytest.raises(TypeError, match=r"test_devices\.Unknown lies in the memory of a device"):
        repsc.cluster(Unknown(), 2)
