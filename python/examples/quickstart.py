"""Quick start: clusters in which the representatives of every person are spread evenly.

A graph of 600 people with three planted clusters. People of the same school or age represent one
another and are linked more often than others, so plain clustering finds schools, not clusters.
"""

import numpy as np

import repsc

rng = np.random.RandomState(0)
truth = np.repeat([0, 1, 2], 200)
people = {"school": rng.randint(0, 3, 600).astype(str), "age": rng.randint(20, 60, 600)}
rule = repsc.representation.where(people, same=["school"])
G = repsc.sample_rpp(rule, truth, p=0.4, q=0.3, r=0.15, s=0.05)

for name, representation in (("plain", None), ("representation-aware", rule)):
    model = repsc.RepresentationAwareSpectralClustering(n_clusters=3, random_state=0)
    model.fit(G, representation=representation)
    metrics = repsc.evaluate(G, model.labels_, representation=rule, truth=truth)
    print(
        f"{name:>20}: accuracy {metrics.accuracy:.2f}, "
        f"average balance {metrics.average_balance:.2f}, ratio cut {metrics.ratio_cut:.1f}"
    )
