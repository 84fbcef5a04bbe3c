"""The networks of the data folder and planted models, as SciPy matrices.

    for network in all_networks(): print(network.name, network.G.shape[0])

The folder is REPSC_DATA, or ../shared/data beside the repository. Real networks are reduced to
their largest component.
"""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

DATA = Path(os.environ.get("REPSC_DATA") or Path(__file__).parents[1] / "../shared/data")


@dataclass
class Network:
    """A similarity graph, with a representation graph or groups, and planted clusters if known."""

    name: str
    G: sp.csr_array
    R: sp.csr_array | None = None
    groups: np.ndarray | None = None
    truth: np.ndarray | None = None

    def fairness(self) -> dict:
        """As arguments of repsc's functions."""
        if self.R is not None:
            return {"representation": self.R}
        return {} if self.groups is None else {"sensitive_features": self.groups}


def symmetric(i: np.ndarray, j: np.ndarray, n: int) -> sp.csr_array:
    """The simple graph with these edges."""
    A = sp.coo_array((np.ones(len(i)), (i, j)), shape=(n, n)).tocsr()
    A = ((A + A.T) > 0).astype(float)
    A.setdiag(0)
    A.eliminate_zeros()
    return A.tocsr()


def with_loops(A: sp.csr_array) -> sp.csr_array:
    """Everybody represents themselves."""
    return ((A + sp.eye_array(A.shape[0])) > 0).astype(float).tocsr()


# ---- real networks ----


def lines(file: str) -> list[list[str]]:
    """The fields of every line that is not a comment."""
    path = DATA / file
    stream = gzip.open(path, "rt") if file.endswith(".gz") else open(path, encoding="utf8")
    with stream:
        return [x.replace(",", " ").split() for x in stream if x.strip() and x[0] not in "#%"]


def edges(file: str, rows: Iterable[list[str]] | None = None) -> list[tuple[int, int]]:
    """Pairs of numbers; some files write them as floats. A header is left out."""
    found = []
    for row in rows if rows is not None else lines(file):
        if not row[0][0].isdigit():
            continue
        pair = [int(x) if x.isdigit() else int(float(x)) for x in row[:2]]
        found.append((pair[0], pair[1]))
    return found


def column(file: str, key: str | None, value: str) -> dict[int, str]:
    """A column of a table, by the node's number or by row."""
    with open(DATA / file, encoding="utf8") as stream:
        rows = list(csv.DictReader(stream))
    return {int(row[key]) if key else i: row[value] for i, row in enumerate(rows)}


def connected(
    name: str,
    pairs: list[tuple],
    groups: dict | None = None,
    R: Callable[[list], sp.csr_array] | None = None,
) -> Network:
    """The largest component of a graph, with what is known about its nodes."""
    ids = sorted({u for pair in pairs for u in pair})
    at = {u: i for i, u in enumerate(ids)}
    i, j = (np.array([at[pair[k]] for pair in pairs]) for k in (0, 1))
    A = symmetric(i, j, len(ids))
    part = connected_components(A)[1]
    keep = np.flatnonzero(part == np.bincount(part).argmax())
    kept = [ids[k] for k in keep]
    return Network(
        name,
        A[keep][:, keep].tocsr(),
        R(kept) if R else None,
        np.array([groups[u] for u in kept]) if groups else None,
    )


def german(by_groups: bool) -> Network:
    """R: the same gender, and age within three years."""
    gender = column("german/german.csv", None, "Gender")
    age = column("german/german.csv", None, "Age")
    pairs = edges("german/german_edges.txt")
    if by_groups:
        return connected("german, gender", pairs, gender)

    def rule(nodes: list[int]) -> sp.csr_array:
        g = np.array([gender[u] for u in nodes])
        a = np.array([int(age[u]) for u in nodes])
        return sp.csr_array(((g[:, None] == g) & (abs(a[:, None] - a) <= 3)).astype(float))

    return connected("german", pairs, R=rule)


def highschool(kind: str) -> Network:
    """Contacts with groups by gender, or with R by class; or friendships with R by contacts."""
    meta = {row[0]: row for row in lines("highschool_2013/metadata_2013.txt")}
    contacts = [
        (row[1], row[2]) for row in lines("highschool_2013/High-School_data_2013.csv.gz")
    ]
    if kind == "gender":
        return connected("highschool, gender", contacts, {u: row[2] for u, row in meta.items()})
    if kind == "class":

        def same_class(nodes: list[str]) -> sp.csr_array:
            c = np.array([meta[u][1] for u in nodes])
            return sp.csr_array((c[:, None] == c).astype(float))

        return connected("highschool, class", contacts, R=same_class)

    def met(nodes: list[str]) -> sp.csr_array:
        at = {u: i for i, u in enumerate(nodes)}
        pairs = np.array([(at[u], at[v]) for u, v in contacts if u in at and v in at])
        return with_loops(symmetric(pairs[:, 0], pairs[:, 1], len(nodes)))

    friends = lines("highschool_2013/Friendship-network_data_2013.csv")
    return connected("highschool, friends", [(row[0], row[1]) for row in friends], R=met)


def gml(name: str) -> Network:
    """polblogs and polbooks, with groups by leaning."""
    text = (DATA / name / f"{name}.gml").read_text(encoding="latin1")
    values = re.findall(r'value "?(\w)', text)
    nodes = map(int, re.findall(r"\bid (\d+)", text))
    ends = (map(int, re.findall(rf"{end} (\d+)", text)) for end in ("source", "target"))
    return connected(name, list(zip(*ends)), dict(zip(nodes, values)))


def multiplex(name: str) -> Network:
    """The paper's two networks, as its Section 5 makes them (docs/experiments.md)."""
    file, of_G, of_R, nearest = {
        "fao": ("fao_trade/fao_trade_multiplex.edges", range(183, 365), range(1, 183), 5),
        "air": ("eu_air/EUAirTransportation_multiplex.edges", (1, 4, 7), (2, 3, 6), None),
    }[name]
    rows = [(int(a), int(u), int(v), float(w)) for a, u, v, w in lines(file) if u != v]

    def linked(layers: Iterable[int]) -> set[tuple[int, int]]:
        found = set()
        for layer in layers:
            volume: dict[int, dict[int, float]] = {}
            for _, u, v, w in (row for row in rows if row[0] == layer):
                for x, y in ((u, v), (v, u)):
                    volume.setdefault(x, {})[y] = volume.get(x, {}).get(y, 0) + w
            for u, partners in volume.items():
                ranked = sorted(partners, key=lambda v, p=partners: (-p[v], v))
                found.update((u, v) for v in ranked[:nearest])
        return found

    G, R = linked(of_G), linked(of_R)
    nodes = {u for pair in G for u in pair}
    while name == "air":  # only airports that both graphs have
        both = [{u for e in edges if nodes.issuperset(e) for u in e} for edges in (G, R)]
        if both[0] & both[1] == nodes:
            break
        nodes = both[0] & both[1]
    at = {u: i for i, u in enumerate(sorted(nodes))}
    matrices = []
    for pairs in (G, R):
        kept = np.array([(at[u], at[v]) for u, v in pairs if u in at and v in at])
        matrices.append(symmetric(kept[:, 0], kept[:, 1], len(at)))
    return Network(name, matrices[0], with_loops(matrices[1]))


def lastfm() -> Network:
    """Groups by country."""
    groups = column("lastfm_asia/lastfm_asia_target.csv", "id", "target")
    return connected("lastfm", edges("lastfm_asia/lastfm_asia_edges.csv"), groups)


def facebook() -> Network:
    """Groups by the type of the page."""
    groups = column("musae_facebook/facebook_target.csv", "id", "page_type")
    return connected("facebook", edges("musae_facebook/facebook_edges.csv"), groups)


REAL: dict[str, Callable[[], Network]] = {
    "fao": lambda: multiplex("fao"),
    "air": lambda: multiplex("air"),
    "facebooknet": lambda: connected(
        "facebooknet",
        edges("", (r for r in lines("facebooknet/friendship_clean.csv") if r[2] == "1")),
        {int(r[0]): r[1] for r in lines("facebooknet/group_clean.csv") if r[0].isdigit()},
    ),
    "highschool, gender": lambda: highschool("gender"),
    "highschool, class": lambda: highschool("class"),
    "highschool, friends": lambda: highschool("friends"),
    "polbooks": lambda: gml("polbooks"),
    "nba": lambda: connected(
        "nba", edges("nba/nba_relationship.txt"), column("nba/nba.csv", "user_id", "country")
    ),
    "german": lambda: german(False),
    "german, gender": lambda: german(True),
    "email": lambda: connected(
        "email",
        edges("email_eu_core/email-Eu-core.txt"),
        {int(r[0]): r[1] for r in lines("email_eu_core/email-Eu-core-department-labels.txt")},
    ),
    "polblogs": lambda: gml("polblogs"),
    "lastfm": lastfm,
    "recidivism": lambda: connected(
        "recidivism",
        edges("recidivism/bail_edges.txt.gz"),
        column("recidivism/bail.csv", None, "WHITE"),
    ),
    "facebook": facebook,
    "credit": lambda: connected(
        "credit",
        edges("credit_education/credit_edges.csv"),
        {int(r[0]): r[1] for r in lines("credit_education/credit_colors.csv")},
    ),
    "enron": lambda: connected("enron", edges("email_enron/email-Enron.txt.gz")),
    "github": lambda: connected("github", edges("musae_github/git_edges.csv")),
    "luxembourg": lambda: connected("luxembourg", edges("luxembourg_osm/luxembourg_osm.mtx")[1:]),
}


# ---- planted models ----


def sampled(P: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A symmetric 0/1 matrix whose entries are 1 with these probabilities."""
    upper = np.triu(rng.random(P.shape) < P, 1)
    return upper | upper.T


def on_top_of(R: np.ndarray, truth: np.ndarray, rng: np.random.Generator) -> sp.csr_array:
    """The paper's R-PP model with p, q, r, s = 0.4, 0.3, 0.2, 0.1."""
    same = truth[:, None] == truth
    P = np.where(R, np.where(same, 0.4, 0.3), np.where(same, 0.2, 0.1))
    return sp.csr_array(sampled(P, rng).astype(float))


def planted_groups(N: int, K: int, seed: int) -> Network:
    """R: five groups, linked with probability 0.8 within and 0.2 across."""
    rng = np.random.default_rng(seed)
    g, truth = np.arange(N) % 5, np.arange(N) * K // N
    R = sampled(np.where(g[:, None] == g, 0.8, 0.2), rng) | np.eye(N, dtype=bool)
    return Network(
        f"groups 0.8/0.2, {N}", on_top_of(R, truth, rng), sp.csr_array(R.astype(float)), truth=truth
    )


def schools_and_ages(N: int, seed: int) -> Network:
    """The people of `repsc demo`."""
    rng = np.random.default_rng(seed)
    nodes, K = np.arange(N), 5
    school, age, truth = nodes % 4, nodes // 4 % 6, nodes * K // N
    R = (school[:, None] == school) | (age[:, None] == age)
    return Network(
        f"schools and ages, {N}",
        on_top_of(R, truth, rng),
        sp.csr_array(R.astype(float)),
        truth=truth,
    )


def friends(
    N: int, K: int, num_groups: int, seed: int, degree: int = 40, others: int = 20
) -> Network:
    """R: about `others` random people of one's own group. Groups are as visible in G as clusters."""
    rng = np.random.default_rng(seed)
    group = rng.permutation(np.arange(N) % num_groups)
    truth = np.arange(N) * K // N
    # Density ratios of 4 (same cluster) and about 7 (same group) for K = 8 and 16 groups.
    x, y = (K + 2) / 2.0 - 0.66, num_groups / 2.0 - 0.3
    share = np.array([x * y / (K * num_groups), x / K * (1 - 1 / num_groups)])
    share = np.append(share, [y / num_groups * (1 - 1 / K), (1 - 1 / K) * (1 - 1 / num_groups)])
    cell = truth * num_groups + group
    order = np.argsort(cell, kind="stable")
    size = np.bincount(cell, minlength=K * num_groups)
    start = np.concatenate([[0], np.cumsum(size)[:-1]])
    m = N * degree // 2
    i = rng.integers(0, N, m)
    kind = np.searchsorted(np.cumsum(share / share.sum()), rng.random(m))
    c = (truth[i] + np.where(kind < 2, 0, rng.integers(1, K, m))) % K
    h = (group[i] + np.where(kind % 2 == 0, 0, rng.integers(1, num_groups, m))) % num_groups
    k = c * num_groups + h
    j = order[start[k] + (rng.random(m) * size[k]).astype(int)]
    by_group = np.argsort(group, kind="stable")
    size, first = np.bincount(group), np.concatenate([[0], np.cumsum(np.bincount(group))[:-1]])
    u = np.repeat(np.arange(N), others // 2)
    v = by_group[first[group[u]] + (rng.random(len(u)) * size[group[u]]).astype(int)]
    R = with_loops(symmetric(u, v, N))
    return Network(f"friends, {N}", symmetric(i, j, N), R, truth=truth)


def aligned(N: int, K: int, seed: int, degree: int = 40) -> Network:
    """Clusters that are the groups of R: fairness undoes them."""
    rng = np.random.default_rng(seed)
    truth = np.arange(N) * K // N
    start = np.searchsorted(truth, np.arange(K + 1))

    def planted(within: float):
        i = rng.integers(0, N, N * degree // 2)
        first, last = start[truth[i]], start[truth[i] + 1]
        inside = first + (rng.random(len(i)) * (last - first)).astype(int)
        other = rng.integers(0, N, len(i))
        return symmetric(i, np.where(rng.random(len(i)) < within, inside, other), N)

    return Network(f"aligned, {N}", planted(0.8), with_loops(planted(1)), truth=truth)


def regular(N: int, K: int, degree: int, seed: int) -> Network:
    """The paper's setting: R of Assumption 4.1, which the planted clusters satisfy exactly."""
    import repsc

    truth = np.arange(N) * K // N
    R = repsc.sample_regular_representation(N, K, degree=degree, random_state=seed)
    G = repsc.sample_rpp(R, truth, p=0.4, q=0.3, r=0.2, s=0.1, random_state=seed + 1)
    return Network(f"d-regular, {N}", sp.csr_array(G), sp.csr_array(R), truth=truth)
