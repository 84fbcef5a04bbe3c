"""Labels with what they are measured on: what every result has."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from . import _engine
from ._baselines import Baselines, measured_baselines
from ._graphs import Fairness
from ._matrices import to_scipy
from ._measures import Metrics
from ._options import ReportOptions
from ._reports import write_report
from ._shown import Shown
from ._typing import AnyArray, CsrArray, FloatArray, IntArray, RandomState


@dataclass(frozen=True, eq=False, repr=False)
class Measured(Shown):
    """Labels with the graphs they are measured on."""

    labels: AnyArray
    n_clusters: int
    _similarity: _engine.Graph = field(repr=False)
    _fairness: Fairness = field(repr=False)
    _nodes: Sequence[Any] | None = field(repr=False)

    def __post_init__(self) -> None:
        # Measured on the host: a result that is kept should not keep the memory of a device.
        object.__setattr__(self, "_similarity", self._similarity.on_host())
        object.__setattr__(self, "_fairness", self._fairness.on_host())

    @cached_property
    def _numbers(self) -> IntArray:
        """The labels as the engine has them: int32 from 0."""
        return self.labels

    @property
    def labels_by_node(self) -> dict[Any, Any] | None:
        """The cluster of each node by its name; None if the nodes have no names."""
        return None if self._nodes is None else dict(zip(self._nodes, self.labels.tolist()))

    @property
    def similarity(self) -> CsrArray:
        """The graph that was cut, as a SciPy CSR array."""
        return to_scipy(self._similarity)

    @property
    def _sizes(self) -> dict[str, Any]:
        sizes = np.bincount(self._numbers, minlength=self.n_clusters)
        return {
            "n_samples": len(self.labels),
            "n_clusters": self.n_clusters,
            "cluster_sizes": sizes,
        }

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), **self.metrics._details()}

    @cached_property
    def baselines(self) -> Baselines | None:
        """Plain clustering and lots; computed on first use. None if a node is isolated."""
        return measured_baselines(self._similarity, self._fairness, self.n_clusters, seed=0)

    @property
    def structure_kept(self) -> float:
        """1: as much structure as plain clustering; 0: none, as lots. NaN without baselines."""
        scale = self.baselines
        return math.nan if scale is None else scale.structure_kept(self.metrics.normalized_cut)

    @property
    def fairness_gained(self) -> float:
        """0: no fairer than plain clustering; 1: as fair as lots, or as the exact constraint."""
        scale = self.baselines
        return math.nan if scale is None else scale.fairness_gained(self.metrics.average_balance)

    def report(
        self, file: str | os.PathLike[str], *, threshold: float | None = None,
        names: bool = False, path: bool = True, certificate: bool = True,
        json: str | os.PathLike[str] | None = None, title: str = "Clusters",
        random_state: RandomState = 0, n_jobs: int | None = None, verbose: int = 0,
    ) -> None:
        """Write a page about these clusters, as :func:`repsc.report` does."""
        options = ReportOptions.from_arguments("report", locals())
        options.set_threads()
        write_report(
            self._similarity, self._fairness, self._numbers, self.n_clusters, file, options,
            nodes=self._nodes, what=getattr(self, "method", "labels"),
        )

    @cached_property
    def balance(self) -> FloatArray:
        """rho_i of every sample; NaN without a representation and without groups."""
        return self._of_each(_engine.balance)

    @cached_property
    def proportional_balance(self) -> FloatArray:
        """The proportional balance of every sample; NaN without a representation and groups."""
        return self._of_each(_engine.proportional_balance)

    def _of_each(self, measure: Callable[..., Any]) -> FloatArray:
        if self._fairness.representation is None and self._fairness.groups is None:
            return np.full(len(self.labels), np.nan)
        return np.asarray(measure(*self._fairness, self._numbers, self.n_clusters, False))

    @cached_property
    def metrics(self) -> Metrics:
        """Cuts and fairness of the labels, as :class:`Metrics`."""
        fields = _engine.evaluate(
            self._similarity, *self._fairness, self._numbers, self.n_clusters, False,
            getattr(self, "device", "cpu"),
        )
        return Metrics.from_engine(fields)
