"""Choosing the rank from the trade-off of cut and balance. Writes choosing_the_rank.png.

A path over ranks shows how the cut grows with the balance. The representation graph is decomposed
once, and each rank starts from the previous one. This example chooses the lowest rank whose balance
is within 10 % of the best.
"""

import matplotlib.pyplot as plt
import numpy as np

import repsc

rng = np.random.RandomState(0)
n, k = 600, 4
truth = np.arange(n) * k // n
people = {"age": rng.randint(18, 80, n), "income": rng.lognormal(10, 0.5, n)}
R = repsc.representation.knn(people, n_neighbors=40)
G = repsc.sample_rpp(R, truth, p=0.5, q=0.35, r=0.12, s=0.05)

path = repsc.path(G, R, k, [1, 2, 4, 8, 16, 32, 64, 128, 256])
table = path.metrics
for rank, cut, balance in zip(table["rank"], table["normalized_cut"], table["average_balance"]):
    print(f"rank {rank:>4}: normalized cut {cut:.3f}, average balance {balance:.3f}")

balance = table["average_balance"]
chosen = int(np.argmax(balance >= 0.9 * balance.max()))
model = repsc.RepresentationAwareSpectralClustering(k, rank=int(path.ranks[chosen]), random_state=0)
model.fit(G, representation=R)
print(f"chosen: rank {model.rank}, average balance {model.average_balance_:.3f}")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
repsc.plot.tradeoff(path, ax=axes[0])
repsc.plot.balance_histogram(model, ax=axes[1]).set_title(f"rank {model.rank}", fontsize=9)
figure.savefig("choosing_the_rank.png", dpi=150)
