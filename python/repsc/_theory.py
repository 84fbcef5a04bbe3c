"""theory(): what the paper's theorems say about a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _engine
from ._shown import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Theory(Shown):
    """Theorems 4.1 and 4.2 of the paper for an R-PP model under Assumption 4.1.

    The paper proves that its constants exist and does not give them, so that conditions are
    reported as the constants for which they hold, and bounds for constants of 1.

    Attributes
    ----------
    lambda_1, lambda_2 : float
        Eigenvalues of the expected adjacency matrix (Lemma D.2).
    gamma, gamma_normalized : tuple of float
        Between these lies the eigengap of every representation graph under the assumption.
    largest_c : float
        ``p >= C ln(n) / n`` holds up to this C.
    dense_enough : bool
        Whether it holds for the given C.
    probability : float
        With which the bounds hold.
    random_error : float
        The misclustered fraction M of random labels: a bound that is not below it is vacuous.
    unnormalized : dict
        Theorem 4.1 at the smallest eigengap: ``gamma``, ``largest_constant`` and ``bound``.
    normalized : dict
        Theorem 4.2: ``gamma``, ``x`` (condition 2: at most const_2), ``first_condition`` with its
        ``_limit`` and ``_holds``, ``largest_constant`` (condition 3) and ``bound``.
    """

    lambda_1: float
    lambda_2: float
    gamma: tuple[float, float]
    gamma_normalized: tuple[float, float]
    largest_c: float
    dense_enough: bool
    probability: float
    random_error: float
    unnormalized: dict[str, float]
    normalized: dict[str, float]

    def _summary(self) -> dict[str, Any]:
        return {
            "gamma": self.gamma,
            "bound": self.unnormalized["bound"],
            "bound_normalized": self.normalized["bound"],
            "random_error": self.random_error,
        }


def theory(
    n_samples: float, n_clusters: float, degree: float, p: float, q: float, r: float, s: float, *,
    C: float = 1.0, alpha: float = 1.0, epsilon: float = 1.0,
) -> Theory:
    """Eigenvalues, eigengaps, conditions and bounds of the paper's theorems.

    Parameters
    ----------
    n_samples, n_clusters, degree : float
        Nodes, clusters of equal size, and the degree of the representation graph with its
        self-loop. They need not be whole numbers.
    p, q, r, s : float
        Probabilities of an edge: same cluster and linked in R, other cluster and linked, same
        cluster and not linked, other cluster and not linked.
    C : float, default=1
        Of the condition ``p >= C ln(n) / n``.
    alpha : float, default=1
        The bounds hold with probability ``1 - 2 n^-alpha``.
    epsilon : float, default=1
        k-means is (1 + epsilon)-approximate.

    Returns
    -------
    Theory
        The numbers.

    Examples
    --------
    >>> import repsc
    >>> found = repsc.theory(1200, 5, 40, 0.4, 0.3, 0.2, 0.1)
    >>> found.lambda_1, found.lambda_2
    (152.0, 24.0)
    >>> found.unnormalized["bound"] < found.random_error  # at the sizes of the figures
    False
    """
    return Theory(
        **_engine.theory((n_samples, n_clusters, degree), (p, q, r, s), C, alpha, epsilon)
    )
