"""theory() against the paper's formulas."""

import math

import pytest

import repsc


def test_it_has_the_numbers_of_the_lemma_and_the_theorems():
    found = repsc.theory(1200, 5, 40, 0.4, 0.3, 0.2, 0.1, epsilon=0.5)
    assert found.lambda_1 == pytest.approx(0.3 * 40 + 0.1 * 1160 + 0.1 * 8 + 0.1 * 232)
    assert found.gamma == pytest.approx((24, 24))
    noise = 0.4 * 1200 * math.log(1200)
    assert found.unnormalized["bound"] == pytest.approx(2.5 * noise / 24**2)
    assert found.unnormalized["largest_constant"] == pytest.approx(24**2 / (2.5 * noise * 5))
    assert found.normalized["x"] == pytest.approx(math.sqrt(noise) / (found.lambda_1 - 0.4))
    assert not found.normalized["first_condition_holds"]
    assert found.random_error == pytest.approx(1.6)
    assert "gamma" in repr(found)


def test_the_bound_says_something_for_large_graphs():
    found = repsc.theory(10**6, 5, 40, 0.4, 0.3, 0.2, 0.1)
    assert found.unnormalized["bound"] < 1 / 5
    assert found.normalized["first_condition_holds"]


@pytest.mark.parametrize(
    ("wrong", "word"),
    [({"degree": 3}, "degree"), ({"q": 0.9}, "q"), ({"n_samples": 0}, "n_samples")],
)
def test_it_refuses_models_outside_of_the_assumptions(wrong, word):
    given = {"n_samples": 100, "n_clusters": 5, "degree": 20}
    given |= {"p": 0.4, "q": 0.3, "r": 0.2, "s": 0.1}
    with pytest.raises(repsc.InvalidInput, match=word):
        repsc.theory(**{**given, **wrong})


@pytest.mark.parametrize("name", ["C", "alpha", "epsilon"])
def test_it_refuses_parameters_without_meaning(name):
    with pytest.raises(repsc.InvalidInput, match=name):
        repsc.theory(100, 5, 20, 0.4, 0.3, 0.2, 0.1, **{name: 0})
