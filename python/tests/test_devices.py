"""Arrays in the memory of a device, of libraries that need not be installed: these stand in."""

import gc
import weakref
from types import MappingProxyType, SimpleNamespace

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


class CupyArray:
    """An array that device number ``number`` has at the address of a NumPy array."""

    def __init__(self, values, number=0):
        self.values = values
        self.device = SimpleNamespace(id=number)
        self.shape, self.dtype, self.nbytes = values.shape, values.dtype, values.nbytes

    def get(self):
        return self.values

    @property
    def __cuda_array_interface__(self):
        return {**self.values.__array_interface__, "version": 3, "stream": 1}


class CupyMatrix(CupyLike):
    """A sparse matrix whose arrays on the device may differ from those that it says it has.

    The result shows then where it was read.
    """

    def __init__(self, values, there, number=0):
        super().__init__(values)
        self.format, self.shape = values.format, values.shape
        self.indptr = CupyArray(there.indptr, number)
        self.indices = CupyArray(there.indices, number)
        self.data = CupyArray(there.data, number)


for like in (CupyLike, CupyMatrix):
    like.__module__ = "cupyx.scipy.sparse._csr"


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


HERE, THERE = np.arange(90) // 30, np.arange(90) % 3


def grid(clusters, dtype=np.float64, weight=1):
    """Nodes are linked within clusters, and to one node of each other: all rows are as long."""
    place = np.empty(90, dtype=int)
    for cluster in range(3):
        place[clusters == cluster] = np.arange(30)
    linked = (clusters[:, None] == clusters) | (place[:, None] == place)
    np.fill_diagonal(linked, False)
    return sp.csr_array(linked.astype(dtype) * dtype(weight))


def complete(clusters, dtype=np.float64):
    """All nodes are linked, strongly within clusters."""
    weights = np.where(clusters[:, None] == clusters, 64, 1).astype(dtype)
    np.fill_diagonal(weights, 0)
    return sp.csr_array(weights)


def clusters_of(matrix, device, **options):
    """Whose clusters they are, here or there."""
    how = {"method": "nsc", "solver": "lanczos", **options}
    labels = repsc.cluster(matrix, 3, device=device, **how).labels
    for name, clusters in (("here", HERE), ("there", THERE)):
        if len(set(zip(labels, clusters))) == 3:
            return name
    return labels


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize(
    ("make", "options"),
    [
        (grid, {}),
        (grid, {"weight": 2}),
        (grid, {"weight": 2, "dtype": np.float32}),  # the weights are copied
        (complete, {}),
    ],
)
def test_a_graph_is_used_where_it_lies(device, make, options, form):
    here, there = (make(clusters, **options).asformat(form) for clusters in (HERE, THERE))
    matrix = CupyMatrix(here, there)
    assert clusters_of(here, device) == "here"
    assert clusters_of(matrix, device) == "there"
    assert clusters_of(matrix, "cuda:0") == "there"
    assert clusters_of(matrix, "cpu") == "here"
    assert clusters_of(matrix, "auto") == "here"  # too small for a device


def test_weights_of_other_types_are_copied(device):
    matrices = (complete(clusters, np.float32) for clusters in (HERE, THERE))
    assert clusters_of(CupyMatrix(*matrices), device) == "here"


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_large_arrays_are_copied_by_the_engine(device, monkeypatch, form, dtype):
    monkeypatch.setattr(repsc._devices, "_LARGE", 1)
    here, there = (complete(clusters, dtype).asformat(form) for clusters in (HERE, THERE))
    matrix = CupyMatrix(here, there)
    copy = repsc._devices.on_host(matrix)
    assert matrix.copies == 0
    assert copy.format == form
    assert copy.data.dtype == dtype
    assert abs(copy - there).nnz == 0
    assert clusters_of(matrix, device) == "there"
    assert clusters_of(matrix, "cpu") == "there"


def test_large_arrays_are_copied_by_cupy_without_a_device(monkeypatch):
    monkeypatch.setattr(repsc._devices, "_LARGE", 1)
    monkeypatch.setattr(repsc._engine, "copy_from_device", lambda *_: False)
    matrix = CupyMatrix(complete(HERE), complete(THERE))
    assert clusters_of(matrix, "cpu") == "there"


def test_a_representation_graph_is_used_where_it_lies(device):
    G = complete(HERE)
    rows = [sp.csr_array(grid(clusters) + sp.eye_array(90)) for clusters in (HERE, THERE)]
    soft = {"method": "nrepsc", "strength": 1.0}
    found = [
        repsc.cluster(G, 3, representation=R, device=device, solver="lanczos", **soft).eigenvalues
        for R in (rows[0], rows[1], CupyMatrix(*rows))
    ]
    np.testing.assert_allclose(found[2], found[1], atol=1e-6)
    assert not np.allclose(found[2], found[0], atol=1e-3)


def test_the_estimator_uses_it_where_it_lies(device):
    make = repsc.RepresentationAwareSpectralClustering(
        3, affinity="precomputed", refine=False, solver="lanczos", device=device
    )
    labels = make.fit_predict(CupyMatrix(grid(HERE), grid(THERE)))
    assert len(set(zip(labels, THERE))) == 3


def unsorted(matrix):
    matrix.indices[:2] = matrix.indices[1::-1].copy()
    return matrix


def duplicated(matrix):
    """The first entry again."""
    data, indices = (np.r_[values[:1], values] for values in (matrix.data, matrix.indices))
    data[:2] /= 2
    return sp.csr_array((data, indices, np.r_[0, matrix.indptr[1:] + 1]), shape=matrix.shape)


def with_loops(matrix):
    return sp.csr_array(matrix + sp.eye_array(90))


def rounded(matrix):
    """Not symmetric in the last digits."""
    matrix.data[0] += 1e-13
    return matrix


def with_gaps(matrix):
    matrix.indices = np.repeat(matrix.indices, 2)[::2]
    return matrix


def wider(matrix):
    matrix.indices = matrix.indices.astype(np.int64)
    return matrix


@pytest.mark.parametrize("change", [unsorted, duplicated, with_loops, rounded, with_gaps, wider])
def test_a_graph_that_is_changed_on_the_host_is_copied(device, change):
    matrix = CupyMatrix(change(grid(HERE)), change(grid(THERE)))
    assert clusters_of(matrix, device) == "here"


def test_a_graph_on_another_device_is_copied(device):
    assert clusters_of(CupyMatrix(grid(HERE), grid(THERE), number=1), device) == "here"


def test_a_result_does_not_keep_the_memory_of_a_device(device):
    matrix = CupyMatrix(grid(HERE), grid(THERE))
    indices = weakref.ref(matrix.indices)
    result = repsc.cluster(matrix, 3, method="nsc", solver="lanczos", device=device)
    del matrix
    gc.collect()
    assert indices() is None
    assert result.metrics is not None
