"""Fairness targets: the least cut at a required fairness. Writes fairness_targets.png.

A graph of 200 people; those of like age and income represent one another and are linked more often
than others. No clustering represents everybody exactly, so fairness is a matter of degree: a soft
constraint, refinement of its labels, and targets that choose both by themselves.
"""

import matplotlib.pyplot as plt
import numpy as np

import repsc

rng = np.random.RandomState(0)
n, k = 200, 3
people = {"age": rng.uniform(18, 80, n), "income": rng.lognormal(10, 0.5, n)}
R = repsc.representation.knn(people, n_neighbors=12).tocsr()
G = repsc.sample_rpp(R, np.arange(n) * k // n, p=0.6, q=0.5, r=0.15, s=0.05)


def tell(what, labels):
    metrics = repsc.evaluate(G, labels, representation=R)
    print(
        f"{what:>28}: normalized cut {metrics.normalized_cut:.3f}, balance "
        f"{metrics.average_balance:.2f} on average, {metrics.minimum_balance:.2f} at least"
    )


plain = repsc.cluster(G, k)
soft = repsc.cluster(G, k, representation=R, strength=1)
tell("plain", plain.labels)
tell("soft constraint", soft.labels)
tell("soft constraint, refined", repsc.refine(G, R, soft.labels, mu=1).labels)

fair = repsc.cluster_to_target(G, R, k, target_balance=0.6)
tell("average balance from 0.6", fair.labels)
cheap = repsc.cluster_to_target(G, R, k, max_cut_increase=0.1)
tell("cut at most 10 % above plain", cheap.labels)
everybody = repsc.cluster_to_target(G, R, k, target_individual=0.3)
tell("everybody from 0.3", everybody.labels)
out_of_reach = len(repsc.unreachable_nodes(R, k, alpha=0.9))
print(f"balance 0.9 is out of reach for {out_of_reach} people, whatever the clusters")

path = repsc.path(G, R, k, [1, 20, 100, 180], strengths=[0, 0.1, 0.3, 1, 10], refine=[1])
print(f"{path.on_average_front.sum()} of {len(path)} points are on the front of cut and balance")
figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
repsc.plot.tradeoff(path, ax=axes[0])
repsc.plot.balance_histogram(everybody, ax=axes[1]).set_title("everybody from 0.3", fontsize=9)
figure.savefig("fairness_targets.png", dpi=150)
