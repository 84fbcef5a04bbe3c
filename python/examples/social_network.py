"""A social network with gender: friends on Facebook in a French high school.

FacebookNet (Mastrandrea et al. 2015) if it is in REPSC_DATA or ../shared/data, otherwise a
generated network of the same size in which most friends have the same gender. Writes
social_network.png.
"""

import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import repsc

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(os.environ.get("REPSC_DATA", ROOT.parent / "shared/data")) / "facebooknet"


def facebook_net():
    """The friendships and genders of the 155 students who have a friend."""
    pairs = np.loadtxt(FOLDER / "friendship_clean.csv", delimiter=",", dtype=int)
    friends = pairs[pairs[:, 2] == 1, :2]
    students, ends = np.unique(friends, return_inverse=True)
    G = np.zeros((len(students), len(students)))
    rows, columns = ends.reshape(-1, 2).T
    G[rows, columns] = G[columns, rows] = 1
    gender = dict(np.loadtxt(FOLDER / "group_clean.csv", delimiter=",", dtype=int))
    return G, np.array(["girl" if gender[student] == 0 else "boy" for student in students])


def generated():
    rng = np.random.RandomState(0)
    gender = rng.permutation(np.repeat(["girl", "boy"], [70, 85]))
    rule = repsc.representation.groups(gender)
    return repsc.sample_rpp(rule, np.arange(155) % 2, p=0.25, q=0.15, r=0.08, s=0.04), gender


G, gender = facebook_net() if FOLDER.exists() else generated()
plain = repsc.cluster(G, 2)
fair = repsc.cluster(G, 2, sensitive_features=gender)

figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
for ax, title, result in zip(axes, ("plain", "fair to gender"), (plain, fair)):
    metrics = repsc.evaluate(G, result.labels, sensitive_features=gender)
    print(f"{title}: balance {metrics.average_balance:.2f}, ratio cut {metrics.ratio_cut:.2f}")
    repsc.plot.composition(result, gender, ax=ax).set_title(title)
axes[0].get_legend().remove()
axes[1].set_ylabel("")
figure.savefig("social_network.png", dpi=150)
