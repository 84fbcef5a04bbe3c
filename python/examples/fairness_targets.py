"""Fairness targets: the least cut at a required fairness. Writes fairness_targets.png.

A graph of 200 people. People of similar age and income represent one another and are linked more
often than others. No clustering satisfies the constraint exactly, so fairness is a matter of
degree: the example shows a soft constraint, refinement, and targets that choose both.
"""

import matplotlib.pyplot as plt
import numpy as np

import repsc

rng = np.random.RandomState(0)
n, k = 200, 3
people = {"age": rng.uniform(18, 80, n), "income": rng.lognormal(10, 0.5, n)}
R = repsc.representation.knn(people, n_neighbors=12).tocsr()
G = repsc.sample_rpp(R, np.arange(n) * k // n, p=0.6, q=0.5, r=0.15, s=0.05)


def report(what, labels):
    metrics = repsc.evaluate(G, labels, representation=R)
    print(
        f"{what:>29}: normalized cut {metrics.normalized_cut:.3f}, balance "
        f"{metrics.average_balance:.2f} on average, minimum {metrics.minimum_balance:.2f}"
    )


plain = repsc.cluster(G, k)
soft = repsc.cluster(G, k, representation=R, strength=1)
report("plain", plain.labels)
report("soft constraint", soft.labels)
report("soft constraint, refined", repsc.refine(G, R, soft.labels, mu=1).labels)

fair = repsc.cluster_to_target(G, R, k, target_balance=0.6)
report("average balance at least 0.6", fair.labels)
cheap = repsc.cluster_to_target(G, R, k, max_cut_increase=0.1)
report("cut at most 10 % above plain", cheap.labels)
everybody = repsc.cluster_to_target(G, R, k, target_individual=0.3)
report("every balance at least 0.3", everybody.labels)
unreachable = len(repsc.unreachable_nodes(R, k, alpha=0.9))
print(f"{unreachable} people cannot have balance 0.9 in any clustering")

path = repsc.path(G, R, k, [1, 20, 100, 180], strengths=[0, 0.1, 0.3, 1, 10], refine=[1])
print(f"{path.on_average_front.sum()} of {len(path)} points are on the Pareto front")
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
repsc.plot.tradeoff(path, ax=axes[0])
repsc.plot.balance_histogram(everybody, ax=axes[1]).set_title("target_individual=0.3", fontsize=9)
figure.savefig("fairness_targets.png", dpi=150)
