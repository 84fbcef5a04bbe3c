"""Plain, group-fair and representation-aware clusters of one graph. Writes comparing_methods.png.

People of the same school or the same age group represent one another and are linked more often.
Plain clustering finds the schools, and clustering that is fair to schools finds the age groups.
Only clustering that is fair to every individual finds the planted clusters, which are spread over
all schools and ages.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import repsc

n, k = 450, 3
person = np.arange(n)
truth = person * k // n
school, age = person % 3, person // 3 % 3
R = (school[:, None] == school) | (age[:, None] == age)
G = repsc.sample_rpp(R, truth, p=0.4, q=0.25, r=0.15, s=0.03, random_state=1)

results = {
    "plain": repsc.cluster(G, k),
    "fair to schools": repsc.cluster(G, k, sensitive_features=school),
    "fair to every person": repsc.cluster(G, k, representation=R),
}
# The position of a person shows school and age, the colour shows the cluster.
layout = np.c_[school, age] + np.random.RandomState(0).uniform(-0.4, 0.4, (n, 2))
figure, axes = plt.subplots(2, 3, figsize=(9, 5.4), layout="constrained", height_ratios=[2, 1])
for (name, result), top, bottom in zip(results.items(), *axes):
    metrics = repsc.evaluate(G, result.labels, representation=R, truth=truth)
    print(f"{name:>20}: accuracy {metrics.accuracy:.2f}, balance {metrics.average_balance:.2f}")
    repsc.plot.graph(result, layout=layout, ax=top).get_legend().remove()
    top.set_axis_on()
    top.spines[:].set_visible(False)
    top.set_xticks(range(3), ["north", "east", "south"])
    top.set_yticks(range(3), ["young", "middle", "old"])
    top.tick_params(length=0)
    top.set_title(name)
    bottom.hist(repsc.balance(R, result.labels), bins=20, range=(0, 1), color="#0072B2")
    bottom.set(xlabel="balance $\\rho_i$ of a person", xlim=(0, 1), ylim=(0, n))
    bottom.spines[["top", "right"]].set_visible(False)
axes[1, 0].set_ylabel("number of people")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "comparing_methods.png", dpi=100)
