"""What a fitted estimator has: the attributes that end with an underscore, and the report."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ._baselines import Baselines
from ._results import Clustering


class FittedClusters:
    """Of a clustering that was found."""

    def _keep(self, result: Clustering) -> None:
        if result.labels_by_node is not None:
            self.labels_by_node_ = result.labels_by_node
        elif hasattr(self, "labels_by_node_"):  # of a graph with names that was fitted before
            del self.labels_by_node_
        self.result_ = result
        self.n_clusters_ = result.n_clusters
        self.labels_ = result.labels
        self.embedding_ = result.embedding
        self.eigenvalues_ = result.eigenvalues
        self.n_iter_ = max(1, result.n_iter)
        self.converged_ = result.converged
        self.residual_ = result.residual
        self.constraint_rank_ = result.constraint_rank
        self.strength_ = result.strength
        self.refinement_ = result.refinement
        self.balance_ = result.balance
        self.average_balance_ = result.metrics.average_balance
        self.ratio_cut_ = result.metrics.ratio_cut
        self.normalized_cut_ = result.metrics.normalized_cut

    @property
    def baselines_(self) -> Baselines | None:
        """Plain clustering and lots, computed on first use; None if a node is isolated."""
        return self.result_.baselines

    def report(self, file: str | os.PathLike[str], **options: Any) -> None:
        """Write a page about the fitted clusters; options as for :func:`repsc.report`."""
        check_is_fitted(self)
        self.result_.report(file, **options)

    @property
    def structure_kept_(self) -> float:
        """1: as much structure as plain clustering; 0: none, as lots."""
        return self.result_.structure_kept

    @property
    def fairness_gained_(self) -> float:
        """0: no fairer than plain clustering; 1: as fair as lots, or as the exact constraint."""
        return self.result_.fairness_gained

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])
