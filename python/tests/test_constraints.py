"""Hard and soft constraints by a representation graph."""


import numpy as np
import pytest

import repsc
from repsc import RepresentationAwareSpectralClustering as Model


def dense_penalty(G, R):
    """L and C of docs/beyond.md, and W R J, directly from the formulas."""
    A, R = G.toarray(), R.toarray()
    L = np.diag(A.sum(axis=1)) - A
    N = len(A)
    W = np.diag(R.sum(axis=1) ** -0.5)
    WRJ = W @ R @ (np.eye(N) - np.ones((N, N)) / N)
    C = WRJ.T @ WRJ
    return L, C * np.trace(L) / np.trace(C), WRJ, np.linalg.norm(W @ R)


@pytest.mark.parametrize("strength", [0.0, 0.1, 1, 30])
def test_soft_eigenvalues_are_those_of_the_dense_formula(town, strength):
    L, C, WRJ, norm = dense_penalty(town.G, town.R)
    options = dict(representation=town.R, strength=strength, embedding_rows="plain")
    found = repsc.cluster(town.G, 3, method="urepsc", **options)
    expected, vectors = np.linalg.eigh(L + strength * C)
    np.testing.assert_allclose(found.eigenvalues, expected[:3], atol=1e-7)
    assert found.strength == strength and found.constraint_rank == 0
    residual = np.linalg.norm(WRJ @ vectors[:, :3]) / norm
    assert found.constraint_residual == pytest.approx(residual, abs=1e-7)
    np.testing.assert_allclose(
        found.embedding @ found.embedding.T, vectors[:, :3] @ vectors[:, :3].T, atol=1e-7
    )

    root = np.diag(np.diag(L) ** -0.5)  # L has the degrees on its diagonal
    found = repsc.cluster(town.G, 3, method="nrepsc", **options)
    expected = np.linalg.eigvalsh(root @ (L + strength * C) @ root)
    np.testing.assert_allclose(found.eigenvalues, expected[:3], atol=1e-7)


def test_strength_0_is_plain_clustering(town):
    for family in "un":
        plain = repsc.cluster(town.G, 3, method=family + "sc", embedding_rows="unit")
        soft = repsc.cluster(
            town.G, 3, method=family + "repsc", representation=town.R, strength=0
        )
        np.testing.assert_array_equal(soft.labels, plain.labels)
        np.testing.assert_allclose(soft.eigenvalues, plain.eigenvalues, atol=1e-12)
        assert plain.strength is None and soft.strength == 0


def test_a_representation_that_cannot_be_met_is_a_soft_constraint_by_default(town, planted):
    options = dict(method="nrepsc", representation=town.R)
    default = repsc.cluster(town.G, 3, **options)
    soft = repsc.cluster(town.G, 3, constraint="soft", **options)
    assert default.strength == soft.strength == 1
    np.testing.assert_array_equal(default.labels, soft.labels)
    hard = repsc.cluster(town.G, 3, constraint="hard", **options)
    ranked = repsc.cluster(town.G, 3, rank=15, **options)
    assert hard.strength is None and hard.constraint_rank == ranked.constraint_rank > 0
    assert repsc.cluster(planted.G, 4, representation=planted.R).strength is None
    assert repsc.cluster(planted.G, 4, representation=planted.R, strength=2).strength == 2


def test_the_estimator_has_the_same_soft_constraint(town):
    for normalized, method in ((True, "nrepsc"), (False, "urepsc")):
        model = Model(3, normalized=normalized, strength=0.5, random_state=0)
        model.fit(town.G, representation=town.R)
        single = repsc.cluster(town.G, 3, method=method, representation=town.R, strength=0.5)
        np.testing.assert_array_equal(model.labels_, single.labels)
        assert model.strength_ == 0.5
    assert Model(3, random_state=0).fit(town.G).strength_ is None
    rows = Model(3, embedding_rows="plain", random_state=0).fit(town.G).embedding_
    np.testing.assert_array_equal(
        rows, repsc.cluster(town.G, 3, embedding_rows="plain").embedding
    )


BAD_CONSTRAINTS = {
    "hard_strength": (dict(constraint="hard", strength=1), "a hard constraint has no strength"),
    "soft_rank": (dict(constraint="soft", rank=5), "rank=5: a soft constraint uses"),
    "strength_rank": (dict(strength=1, rank="exact"), 'rank="exact": a soft constraint uses'),
    "constraint_word": (dict(constraint="firm"), "'constraint' parameter"),
    "strength_negative": (dict(strength=-1), "'strength' parameter"),
    "strength_infinite": (dict(strength=np.inf), "'strength' parameter"),
    "strength_nan": (dict(strength=np.nan), "'strength' parameter"),
    "rows": (dict(embedding_rows="long"), "'embedding_rows' parameter"),
}


@pytest.mark.parametrize("case", BAD_CONSTRAINTS)
def test_constraints_that_make_no_sense_are_refused(town, case):
    options, message = BAD_CONSTRAINTS[case]
    with pytest.raises(ValueError, match=message):
        repsc.cluster(town.G, 3, representation=town.R, **options)
    with pytest.raises(ValueError, match=message):
        Model(3, **options).fit(town.G, representation=town.R)


@pytest.mark.parametrize(
    "options", [dict(strength=1.0), dict(constraint="hard"), dict(constraint="soft")]
)
def test_a_constraint_without_a_representation_graph_is_refused(town, options):
    groups = np.arange(150) % 2
    rule = repsc.representation.groups(groups)
    message = "it is for urepsc and nrepsc, not for "
    with pytest.raises(ValueError, match=message + "nsc"):
        repsc.cluster(town.G, 3, **options)
    with pytest.raises(ValueError, match=message + "nsc"):
        Model(3, **options).fit(town.G)
    for given in (dict(groups=groups), dict(representation=rule)):
        assert repsc.cluster(town.G, 3, **given, **options).method == "nrepsc"
        assert Model(3, **options).fit(town.G, **given).result_.method == "nrepsc"
        model = Model(3, normalized=False, **options).fit(town.G, **given)
        assert model.result_.method == "urepsc"
    with pytest.raises(ValueError, match=message + "nfairsc"):
        repsc.cluster(town.G, 3, method="nfairsc", groups=groups, **options)
    with pytest.raises(ValueError, match=message + "usc"):
        repsc.cluster(town.G, 3, method="usc", representation=town.R, **options)
