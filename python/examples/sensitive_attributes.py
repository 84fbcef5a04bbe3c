"""Sensitive attributes of several types: numbers, words, and rules that combine them.

The algorithm does not see the attributes themselves, only the representation graph.
"""

import numpy as np

import repsc

try:
    from pandas import DataFrame
except ImportError:  # a dict of columns is accepted too
    DataFrame = dict

rng = np.random.RandomState(0)
n = 400
truth = np.arange(n) // 100
people = DataFrame(
    {
        "age": rng.randint(18, 80, n),
        "gender": rng.choice(["f", "m"], n),
        "city": rng.choice(["Lyon", "Oslo", "Rome"], n),
        "income": rng.lognormal(10, 0.4, n).round(),
    }
)
representation = repsc.representation
rules = {
    "same gender": representation.groups(people["gender"]),
    "same city, age within 10": representation.where(people, within={"age": 10}, same=["city"]),
    "same gender or same city": representation.groups(people["gender"])
    | representation.groups(people["city"]),
    "20 most similar": representation.knn(people, n_neighbors=20),
    "20 similar in age and income": representation.knn(people, 20, columns=["age", "income"]),
}

for name, rule in rules.items():
    G = repsc.sample_rpp(rule, truth, p=0.5, q=0.35, r=0.15, s=0.05)
    plain = repsc.cluster(G, 4)
    # A constraint of full rank leaves few dimensions; the best approximation of rank 20 is better.
    rank = "auto" if name.startswith("same gender") else 20
    aware = repsc.cluster(G, 4, representation=rule, rank=rank)
    before = repsc.balance(rule, plain.labels).mean()
    print(
        f"{name:>28}: {rule.tocsr().nnz / n:5.1f} representatives each, average balance "
        f"{before:.2f} plain, {aware.metrics.average_balance:.2f} {aware.method}"
    )
