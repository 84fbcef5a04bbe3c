"""The measures of the report from their definitions, in NumPy: small graphs only, dense, and slow on purpose.

A: similarity, R: representation, both symmetric without self-loops; K clusters. Nothing here shares code with repsc.
"""

import base64
from math import exp, lgamma

import numpy as np

BINS = 20
STRENGTHS = [0, 0.1, 0.4, 1.6, 6.4]


def b64(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()).decode()


def histogram(values):
    """Shares of people in 20 bins over [0, 1]."""
    return np.histogram(values, bins=BINS, range=(0, 1))[0] / max(1, len(values))


def balance_of(counts):
    """min over k, l of counts_k / counts_l, with 0/0 = 1, of each row."""
    most = counts.max(axis=-1)
    return np.where(most > 0, counts.min(axis=-1) / np.maximum(most, 1e-300), 1.0)


def chance_interval(total, members, size):
    """The 2.5 % and 97.5 % quantiles of the hypergeometric distribution."""

    def log_choose(n, k):
        return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)

    first, last = max(0, members + size - total), min(members, size)
    counts = np.arange(first, last + 1)
    weights = np.array(
        [exp(log_choose(members, c) + log_choose(total - members, size - c) - log_choose(total, size)) for c in counts]
    )
    below = np.cumsum(weights)
    return int(counts[np.argmax(below >= 0.025)]), int(counts[np.argmax(below >= 0.975 - 1e-12)])


class Measures:
    def __init__(self, A, R, group, groups, k):
        self.A, self.R, self.group, self.groups, self.k = A, R.astype(int), group, groups, k
        self.n = len(A)
        self.degree = A.sum(axis=1)
        self.representatives = self.R.sum(axis=1)
        d = self.representatives
        self.limit = np.where(d == 0, 1.0, (d // k) / np.maximum(1, -(-d // k)))

    def indicator(self, labels):
        return (labels[:, None] == np.arange(self.k)[None, :]).astype(float)

    def cluster_cuts(self, labels):
        """Cut(C_k, rest) / Vol(C_k), with the factor 1/2 of the paper."""
        H = self.indicator(labels)
        links = H.T @ self.A @ H
        volume = links.sum(axis=1)
        return np.where(volume > 0, 0.5 * (volume - np.diag(links)) / np.maximum(volume, 1e-300), 0.0)

    def cut(self, labels):
        return float(self.cluster_cuts(labels).sum())

    def counts(self, labels):
        return (self.R @ self.indicator(labels)).astype(int)

    def balance(self, labels):
        return balance_of(self.counts(labels))

    def outcome(self, labels):
        return {"cut": self.cut(labels), "average_balance": float(self.balance(labels).mean())}

    def move_prices(self, labels):
        """[j, c]: the change of the normalized cut if j moves to cluster c; on small graphs by a new evaluation of each, which
        the update of the links between clusters must agree with."""
        H = self.indicator(labels)
        links = H.T @ self.A @ H
        to = self.A @ H
        before = self.cut(labels)
        prices = np.zeros((self.n, self.k))
        for j in range(self.n):
            for c in range(self.k):
                a = labels[j]
                if a == c:
                    continue
                after = links.copy()
                after[a] -= to[j]
                after[:, a] -= to[j]
                after[c] += to[j]
                after[:, c] += to[j]
                volume = after.sum(axis=1)
                inside = np.diag(after)
                prices[j, c] = (0.5 * np.where(volume > 0, 1 - inside / np.maximum(volume, 1e-300), 0)).sum() - before
                if self.n <= 200:
                    moved = labels.copy()
                    moved[j] = c
                    assert abs(self.cut(moved) - before - prices[j, c]) < 1e-12
        return prices

    def swap_price(self, labels, i, j, before):
        swapped = labels.copy()
        swapped[i], swapped[j] = labels[j], labels[i]
        return self.cut(swapped) - before

    def help(self, labels, swaps):
        """For each person the move (or swap) with the largest balance after it, the cheapest of those."""
        prices = self.move_prices(labels)
        counts = self.counts(labels)
        now = balance_of(counts)
        before = self.cut(labels)
        swap_prices = {}
        out = {name: np.zeros(self.n) for name in ("kind", "node", "from", "to", "other", "balance", "price")}
        out["balance"] = now.copy()
        for i in range(self.n):
            best = (-now[i], 0.0)
            for j in np.flatnonzero(self.R[i]):
                for c in range(self.k):
                    if c == labels[j]:
                        continue
                    after = counts[i].tolist()
                    after[labels[j]] -= 1
                    after[c] += 1
                    rho = min(after) / max(after)
                    if rho <= now[i] + 1e-12:
                        continue
                    options = [(1, 0, prices[j, c])]
                    # Every other person may swap, so that the sample has moves and swaps.
                    if swaps and i % 2 == 0:
                        # A swap with somebody who represents this person too changes nothing for them.
                        for o in np.flatnonzero((labels == c) & (self.R[i] == 0)):
                            pair = (j, o)
                            if pair not in swap_prices:
                                swap_prices[pair] = self.swap_price(labels, j, o, before)
                            options.append((2, o, swap_prices[pair]))
                    for kind, other, price in options:
                        if (-rho, price) < best:
                            best = (-rho, price)
                            for name, value in zip(out, (kind, j, labels[j], c, other, rho, price)):
                                out[name][i] = value
        return out

    def reasons(self, counts):
        d = self.representatives
        lowest, highest = counts.min(axis=1), counts.max(axis=1)
        return np.select(
            [d == 0, d < self.k, highest == d, lowest == 0, lowest < highest], [1, 2, 3, 4, 5], default=0
        )

    def cluster_table(self, labels, poor):
        H = self.indicator(labels)
        links = H.T @ self.A @ H
        volume = links.sum(axis=1)
        sizes = H.sum(axis=0)
        ends = self.R.sum(axis=0) @ H
        cuts = self.cluster_cuts(labels)
        return [
            {
                "size": int(sizes[c]),
                "internal_share": float(links[c, c] / volume[c]),
                "conductance": float((volume[c] - links[c, c]) / min(volume[c], volume.sum() - volume[c])),
                "cut": float(cuts[c]),
                "representatives": int(ends[c]),
                "expected_representatives": float(self.R.sum() * sizes[c] / self.n),
                "poorly_represented": int(poor[labels == c].sum()),
            }
            for c in range(self.k)
        ]

    def group_table(self, labels):
        table = []
        for g in range(self.groups):
            for c in range(self.k):
                members, size = int((self.group == g).sum()), int((labels == c).sum())
                found = int(((self.group == g) & (labels == c)).sum())
                low, high = chance_interval(self.n, members, size)
                table.append(
                    {"group": g, "cluster": c, "count": found, "expected": members * size / self.n, "low": low, "high": high,
                     "beyond_chance": -1 if found < low else int(found > high)}
                )  # fmt: skip
        return table

    def point(self, labels, baselines, threshold, swaps):
        counts = self.counts(labels)
        rho = balance_of(counts)
        sizes = np.bincount(labels, minlength=self.k)
        poor = (rho < threshold) | (self.representatives == 0)
        H = self.indicator(labels)
        links = H.T @ self.A @ H
        total = self.A.sum()
        volume = links.sum(axis=1)
        cut = self.cut(labels)
        plain, random = baselines["plain"], baselines["random"]
        order = np.lexsort((np.arange(self.n), np.where(self.representatives == 0, -1.0, rho)))[:1000]
        help_ = self.help(labels, swaps)
        kinds = {"kind": "u1", "node": "u4", "from": "u2", "to": "u2", "other": "u4", "balance": "f4", "price": "f4"}
        return {
            "node_order": np.ascontiguousarray(order, dtype="<u4").tobytes(),
            "cut": cut,
            "ratio_cut": float((0.5 * (volume - np.diag(links)) / np.maximum(sizes, 1)).sum()),
            "average_balance": float(rho.mean()),
            "minimum_balance": float(rho.min()),
            "proportional_balance": float(balance_of(counts / np.maximum(sizes, 1)).mean()),
            "structure_kept": (random["cut"] - cut) / (random["cut"] - plain["cut"]),
            "fairness_gained": float((rho.mean() - plain["average_balance"]) / (baselines["fair_balance"] - plain["average_balance"])),
            "modularity": float((np.diag(links) / total - (volume / total) ** 2).sum()),
            "without": int((counts == 0).any(axis=1).sum()),
            "below_threshold": int(poor.sum()),
            "without_representatives": int((self.representatives == 0).sum()),
            "cluster_table": self.cluster_table(labels, poor),
            "group_table": self.group_table(labels),
            "balances": b64(histogram(rho), "f4"),
            "balances_by_group": [b64(histogram(rho[self.group == g]), "f4") for g in range(self.groups)],
            "labels": b64(labels, "u2"),
            "links": b64(links, "f4"),
            "people": {
                "total": self.n,
                "count": len(order),
                "node": b64(order, "u4"),
                "name": None,
                "cluster": b64(labels[order], "u2"),
                "group": b64(self.group[order], "u2"),
                "balance": b64(rho[order], "f4"),
                "limit": b64(self.limit[order], "f4"),
                "representatives": b64(self.representatives[order], "u4"),
                "found": b64(counts[order], "u4"),
                "expected": b64(np.outer(self.representatives, sizes / self.n)[order], "f4"),
                "reason": b64(self.reasons(counts)[order], "u1"),
                "help": {name: b64(help_[name][order], kind) for name, kind in kinds.items()},
                "others": None,
            },
        }


def lots(measures, rng, draws=20):
    dealt = [rng.permutation(np.arange(measures.n) % measures.k) for _ in range(draws)]
    outcomes = [measures.outcome(labels) for labels in dealt]
    cuts = np.array([o["cut"] for o in outcomes])
    balances = np.array([o["average_balance"] for o in outcomes])
    return {
        "cut": cuts.mean(), "cut_spread": cuts.std(), "average_balance": balances.mean(), "balance_spread": balances.std(),
        "histogram": np.mean([histogram(measures.balance(labels)) for labels in dealt], axis=0),
    }  # fmt: skip


def forms(A, R):
    """L and C of the soft constraint, both normalized: D^-1/2 (D - A) D^-1/2 and D^-1/2 J R R J D^-1/2."""
    n = len(A)
    scale = 1 / np.sqrt(A.sum(axis=1))
    L = np.eye(n) - scale[:, None] * A * scale[None, :]
    centred = R - R.mean(axis=1, keepdims=True)
    C = scale[:, None] * (centred.T @ centred) * scale[None, :]
    return L, C * (np.trace(L) / np.trace(C))


def path_labels(A, R, k, points, rng):
    """Spectral clustering of L + t C for rising t; beyond 200 nodes, which takes long here, planted clusters of which more
    and more people draw lots."""
    n = len(A)
    if n > 200:
        lot = rng.random(n)
        return [np.where(lot < t / points, rng.integers(k, size=n), np.arange(n) % k) for t in range(points)]
    L, C = forms(A, R.astype(float))
    scale = 1 / np.sqrt(A.sum(axis=1))
    out = []
    for t in range(points):
        vectors = np.linalg.eigh(L + STRENGTHS[t] * C)[1][:, :k] * scale[:, None]
        out.append(kmeans(vectors, k, rng))
    return out


def kmeans(X, k, rng):
    best, best_cost = None, np.inf
    for _ in range(10):
        centres = X[rng.choice(len(X), k, replace=False)]
        for _ in range(50):
            labels = ((X[:, None, :] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
            centres = np.array([X[labels == c].mean(axis=0) if (labels == c).any() else X[rng.integers(len(X))] for c in range(k)])
        cost = ((X - centres[labels]) ** 2).sum()
        if cost < best_cost and len(np.unique(labels)) == k:
            best, best_cost = labels, cost
    return best


def certificate(measures, labels, plain_cut):
    """2 cut >= (sum of the K lowest eigenvalues of L + t C) - t deviation; the best of some t."""
    L, C = forms(measures.A, measures.R.astype(float))
    H = measures.indicator(labels) * np.sqrt(measures.degree)[:, None]
    H /= np.linalg.norm(H, axis=0)
    deviation = float(np.trace(H.T @ C @ H))
    strengths = [0.0, 0.25, 1.0, 4.0, 16.0] if measures.n <= 200 else [0.0]
    bounds = [0.5 * (np.linalg.eigvalsh(L + t * C)[: measures.k].sum() - t * deviation) for t in strengths]
    best = int(np.argmax(bounds))
    bound, cut = float(bounds[best]), measures.cut(labels)
    return {
        "lower_bound": bound, "any_bound": float(bounds[0]), "deviation": deviation, "gap": cut / bound - 1,
        "strength": strengths[best], "price_of_fairness_at_least": max(0.0, bound / plain_cut - 1), "verified": True, "reason": "",
    }  # fmt: skip
