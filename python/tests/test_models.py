"""Random graphs."""


import numpy as np
import pytest
import scipy.sparse as sp

import repsc


def test_models_keep_their_promises():
    R = repsc.sample_regular_representation(60, 3, degree=12, random_state=5)
    truth = np.arange(60) // 20
    assert (R.diagonal() == 1).all() and (R.sum(axis=0) == 12).all()
    np.testing.assert_array_equal(repsc.balance(R, truth), np.ones(60))
    G = repsc.sample_rpp(R, truth, p=1, q=1, r=0, s=0)
    assert (R - sp.eye_array(60) != G).nnz == 0
    other = repsc.sample_regular_representation(60, 3, degree=12, random_state=6)
    assert (other != R).nnz > 0
    with pytest.raises(ValueError, match="1 >= p >= q >= r >= s >= 0|p.*q"):
        repsc.sample_rpp(R, truth, p=0.1, q=0.2, r=0, s=0)
