"""Sparse matrices whose index arrays are wrong are refused before anything reads through them."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import repsc
from repsc import RepresentationAwareSpectralClustering as Model

# Runs in a process of its own: where a wrong index is followed, it ends without a message.
RUN = """
import json, sys
import numpy as np, scipy.sparse as sp
import repsc
from repsc import RepresentationAwareSpectralClustering as Model

n = 400
ring = sp.coo_array((np.ones(n), (np.arange(n), (np.arange(n) + 1) % n)), shape=(n, n))
good = (ring + ring.T).tocsr() + sp.eye_array(n, format="csr") * 0.5

def malformed(kind, case):
    bad = good.tobsr((2, 2)) if kind == "bsr" else good.asformat(kind, copy=True)
    array = getattr(bad, case["array"]).copy()
    if "length" in case:
        array = np.resize(array, case["length"])
    if "dtype" in case:
        array = array.astype(case["dtype"])
    if "at" in case:
        array[case["at"]] = case["value"]
    if case["array"] in ("row", "col"):
        pair = ("row", "col").index(case["array"])
        bad.coords = tuple(array if i == pair else each for i, each in enumerate(bad.coords))
    else:
        setattr(bad, case["array"], array)
    return bad

CALLS = {
    "cluster": lambda bad: repsc.cluster(bad, 2),
    "representation": lambda bad: repsc.cluster(good, 2, representation=bad),
    "evaluate": lambda bad: repsc.evaluate(bad, np.arange(n) % 2),
    "fit": lambda bad: Model(2, random_state=0).fit(bad),
    "fit representation": lambda bad: Model(2, random_state=0).fit(good, representation=bad),
    "features": lambda bad: Model(2, affinity="rbf").fit(bad),
    "neighbors": lambda bad: Model(2, affinity="nearest_neighbors").fit(bad),
    "write": lambda bad: repsc.write_graph(bad, "/dev/null", format="txt"),
}
for name, (kind, case, _) in json.loads(sys.argv[1]).items():
    for what, call in CALLS.items():
        print(json.dumps([name, what]), end=" ", flush=True)
        try:
            call(malformed(kind, case))
        except ValueError as error:
            print(json.dumps(str(error)))
        else:
            print("null")
"""

FAR = 2**31 - 1
CASES = {
    "indptr decreases": (dict(array="indptr", at=7, value=3), "indptr decreases from 18 to 3"),
    "indptr is negative": (dict(array="indptr", at=7, value=-5), "indptr decreases"),
    "indptr begins late": (dict(array="indptr", at=0, value=2), "indptr begins with 2"),
    "indptr ends beyond": (dict(array="indptr", at=-1, value=10**6), "indptr ends with 1000000"),
    "indptr is beyond": (dict(array="indptr", at=7, value=FAR), "indptr decreases"),
    "indptr is short": (dict(array="indptr", length=11), "indptr has 11 numbers"),
    "indptr is long": (dict(array="indptr", length=600), "indptr has 600 numbers"),
    "indptr is empty": (dict(array="indptr", length=0), "indptr has 0 numbers"),
    "indptr is float": (dict(array="indptr", dtype="float64"), "indptr holds float64"),
    "indices are negative": (dict(array="indices", at=5, value=-1), r"indices\[5\] is -1"),
    "indices are beyond": (dict(array="indices", at=5, value=400), r"indices\[5\] is 400"),
    "indices are far": (dict(array="indices", at=5, value=FAR), "indices.5. is 2147483647"),
    "indices wrap around": (
        dict(array="indices", dtype="int64", at=5, value=2**32 + 1),
        "indices.5. is 4294967297",
    ),
    "indices are float": (dict(array="indices", dtype="float64"), "indices holds float64"),
    "indices are words": (dict(array="indices", dtype="U5"), "indices holds <U5"),
    "indices are few": (dict(array="indices", length=11), "there are 11 indices"),
    "data are few": (dict(array="data", length=11), "there are 11 indices and values"),
}
ALL = {
    f"{kind}: {name}": (kind, *case) for kind in ("csr", "csc") for name, case in CASES.items()
}
ALL.update(
    {
        "bsr: indices": ("bsr", dict(array="indices", at=5, value=FAR), "indices.5. is"),
        "bsr: indptr": ("bsr", dict(array="indptr", at=7, value=FAR), "indptr decreases"),
        "coo: row": ("coo", dict(array="row", at=5, value=FAR), r"row\[5\] is 2147483647"),
        "coo: col": ("coo", dict(array="col", at=5, value=-7), r"col\[5\] is -7"),
        "coo: data": ("coo", dict(array="data", length=11), "there are 11 values"),
        "dia: offsets": ("dia", dict(array="offsets", length=9), "there are 9 offsets"),
    }
)


@pytest.mark.parametrize("kind", ["csr", "csc", "others"])
def test_wrong_indices_end_in_an_error_and_not_in_a_crash(kind):
    groups = ("csr", "csc") if kind == "others" else (kind,)
    cases = {
        name: case for name, case in ALL.items() if (case[0] in groups) == (kind != "others")
    }
    command = [sys.executable, "-c", RUN, json.dumps(cases)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"ended with {done.returncode} in {lines[-1]}: {done.stderr}"
    assert len(lines) == 8 * len(cases)
    for line in lines:
        (name, what), end = json.JSONDecoder().raw_decode(line)
        answer = json.loads(line[end:])
        assert answer is not None, f"{what} accepts {name}"
        assert re.search("is malformed: .*" + cases[name][2], answer), (name, what, answer)


def test_lists_of_a_lil_matrix_are_checked():
    matrix = sp.lil_array(np.ones((4, 4)))
    matrix.rows[2] = [0, 1, 2, 99]
    with pytest.raises(ValueError, match="row 2 has a column that is not from 0 to 3"):
        Model(2).fit(matrix)
    matrix.rows[2] = [0]
    with pytest.raises(ValueError, match="row 2 has 1 columns, but 4 values"):
        repsc.cluster(matrix, 2)


def test_arrays_that_are_longer_than_needed_are_as_good():
    dense = np.ones((5, 5)) - np.eye(5)
    dense[0, 3] = dense[3, 0] = 2
    exact = sp.csr_array(dense)
    padded = sp.csr_array(dense)
    padded.indices = np.concatenate([exact.indices, [99, -1]]).astype(np.int32)
    padded.data = np.concatenate([exact.data, [-np.inf, np.nan]])
    labels = repsc.cluster(exact, 2).labels
    np.testing.assert_array_equal(repsc.cluster(padded, 2).labels, labels)
    np.testing.assert_array_equal(Model(2, random_state=0).fit_predict(padded), labels)
    looped = padded.copy()
    looped.setdiag(1)  # not in canonical form: goes the other way
    np.testing.assert_array_equal(repsc.cluster(looped, 2).labels, labels)
