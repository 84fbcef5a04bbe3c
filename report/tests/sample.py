"""Data for the page's tests, by the contract of src/types.ts: python3 sample.py TEMPLATE FOLDER

The small and the middle graph are random; every number of theirs is computed here from its definition with NumPy. The
large one has made-up arrays: no graph of that size is needed to try the page.
"""

import json
import sys
from pathlib import Path

import numpy as np
from hostile import hostile_texts
from measures import STRENGTHS, Measures, b64, certificate, histogram, lots, path_labels


def planted(rng, n, k, groups, degree, isolated):
    """Clusters and, across them but not independent of them, groups; R links people of the same group."""
    truth = np.arange(n) % k
    group = np.where(rng.random(n) < 0.75, truth % groups, rng.integers(groups, size=n))
    same = truth[:, None] == truth[None, :]
    A = np.triu(rng.random((n, n)) < np.where(same, 0.85 * degree * k / n, 0.15 * degree * k / ((k - 1) * n)), 1)
    A |= np.triu(np.roll(np.eye(n, dtype=bool), k, axis=1), 1)  # no node without links
    R = np.triu((rng.random((n, n)) < 12 * groups / n) & (group[:, None] == group[None, :]), 1)
    R[:isolated] = False
    R[:, :isolated] = False
    return (A | A.T).astype(float), (R | R.T), group


def random_report(seed, n, k, groups, degree, points, swaps):
    rng = np.random.default_rng(seed)
    A, R, group = planted(rng, n, k, groups, degree, isolated=2)
    measures = Measures(A, R, group, groups, k)
    labels = path_labels(A, R, k, points, rng)
    random = lots(measures, rng)
    plain = measures.outcome(labels[0])
    baselines = {
        "plain": plain,
        "random": {key: random[key] for key in ("cut", "cut_spread", "average_balance", "balance_spread")},
        "exact": None,
        "fair_balance": random["average_balance"],
        "reachable_balance": float(measures.limit.mean()),
    }
    start = points - 2
    strengths = STRENGTHS[:points]
    names = ["plain clustering", *(f"strength {t}" for t in strengths[1:])]
    names[start] = "this result"
    threshold = 0.5
    made = []
    for t, of_point in enumerate(labels):  # in the order of the strengths
        point = measures.point(of_point, baselines, threshold, swaps)
        point.update(name=names[t], what=f"soft constraint of strength {strengths[t]}", verdict=sentences(point, n, baselines))
        made.append(point)
    upper = np.argwhere(np.triu(A, 1) > 0)
    return {
        "schema": "repsc-report-1",
        "title": "Clusters of friends.mtx",
        "nodes": n,
        "clusters": k,
        "threshold": {"value": threshold, "chosen_by": "default"},
        "groups": [f"group {'abcdefgh'[g]}" for g in range(groups)],
        "cluster_names": [],
        "representatives": "graph",
        "names_shown": False,
        "baselines": baselines,
        "certificate": certificate(measures, labels[start], plain["cut"]),
        "random_balances": b64(random["histogram"], "f4"),
        "start": start,
        "points": made,
        "graph": {
            "kind": "nodes",
            "count": n,
            "edges": b64(upper, "u4"),
            "x": b64(0.5 + 0.4 * np.cos(2.4 * np.arange(n)) * np.sqrt(np.arange(n) / n), "f4"),
            "y": b64(0.5 + 0.4 * np.sin(2.4 * np.arange(n)) * np.sqrt(np.arange(n) / n), "f4"),
        },
        "provenance": provenance(n, len(upper), int(R.sum()) // 2, groups),
    }


def sentences(point, n, baselines):
    more = point["cut"] / baselines["plain"]["cut"] - 1
    return [
        f"Of {n:,} people, {point['without']:,} have no representative in some cluster.",
        f"On average the cluster where a person is represented least has {point['average_balance']:.0%} of what it has where "
        f"most; drawing lots would give {baselines['random']['average_balance']:.0%}, plain clustering gives "
        f"{baselines['plain']['average_balance']:.0%}.",
        f"Representation cost {more:.0%} more cut links than plain clustering.",
    ]


def provenance(n, edges, representation_edges, groups):
    return {
        "version": "0.1.0",
        "command": "repsc cluster friends.mtx trust.mtx -k 3 --report report.html",
        "made": "2026-11-16T12:00:00Z",
        "method": "nrepsc, soft constraint",
        "why": ["method: soft constraint (the exact constraint leaves too few dimensions)"],
        "seed": 0,
        "options": {"clusters": "3", "threshold": "0.5"},
        "files": [
            {"role": "similarity graph", "name": "friends.mtx", "sha256": "3a7bd3e2360a3d29eea436fcfb7e44c7" * 2, "bytes": 48213},
            {"role": "representation graph", "name": "trust.mtx", "sha256": "9f86d081884c7d659a2feaa0c55ad015" * 2, "bytes": 9120},
        ],
        "sizes": {"nodes": n, "similarity_edges": edges, "representation_edges": representation_edges, "groups": groups},
        "changes": ["3 duplicate edges were merged", "1 self-loop was dropped"],
        "warnings": [{"code": "no_representatives", "message": "2 people have no representatives."}],
        "seconds": {"read": 0.012, "cluster": 0.31, "audit": 0.05},
    }


def large_report(seed, n, k, groups, points):
    """Arrays of the right shapes and plausible values, numbers that agree with each other only roughly."""
    rng = np.random.default_rng(seed)
    count = 1000
    made = []
    for t in range(points):
        sizes = rng.multinomial(n, np.full(k, 1 / k))
        balance = np.sort(rng.random(count) * 0.2 * (1 + t) / points)
        found = rng.poisson(4, (count, k))
        members = rng.multinomial(n // groups, np.full(k, 1 / k), size=groups)
        average = 0.1 + 0.1 * t
        links = rng.random((k, k)) * n / 10
        links = links + links.T + np.diag(np.full(k, 2.0 * n))
        moved = rng.integers(n, size=count)
        made.append(
            {
                "name": "plain clustering" if t == 0 else f"strength {4**t}",
                "what": "soft constraint",
                "verdict": [f"Of {n:,} people, {90000 - 9000 * t:,} have no representative in some cluster.", f"The average balance is {average:.0%}."],
                "cut": 0.5 + 0.04 * t * t, "ratio_cut": 3.0 + t, "average_balance": average, "minimum_balance": 0.0,
                "proportional_balance": average + 0.01, "structure_kept": 1 - 0.02 * t * t, "fairness_gained": 0.15 * t,
                "modularity": 0.6 - 0.03 * t, "without": 90000 - 9000 * t, "below_threshold": 300000 - 30000 * t,
                "without_representatives": 12,
                "cluster_table": [
                    {"size": int(size), "internal_share": 0.8 - 0.01 * t, "conductance": 0.2 + 0.01 * t, "cut": 0.06,
                     "representatives": int(8 * size), "expected_representatives": 8.1 * float(size), "poorly_represented": int(size) // (4 + t)}
                    for size in sizes
                ],
                "group_table": [
                    {"group": g, "cluster": c, "count": int(members[g, c]), "expected": n / groups / k,
                     "low": int(n / groups / k - 300), "high": int(n / groups / k + 300),
                     "beyond_chance": int(np.sign(members[g, c] - n / groups / k)) if abs(members[g, c] - n / groups / k) > 300 else 0}
                    for g in range(groups) for c in range(k)
                ],
                "balances": b64(histogram(rng.beta(1 + t, 4, 10000)), "f4"),
                "balances_by_group": [b64(histogram(rng.beta(1 + t, 3 + g, 10000)), "f4") for g in range(groups)],
                "labels": None,
                "links": b64(links, "f4"),
                "people": {
                    "total": n, "count": count, "node": b64(rng.choice(n, count, replace=False), "u4"), "name": None,
                    "cluster": b64(rng.integers(k, size=count), "u2"), "group": b64(rng.integers(groups, size=count), "u2"),
                    "balance": b64(balance, "f4"), "limit": b64(np.full(count, 0.8), "f4"),
                    "representatives": b64(found.sum(axis=1), "u4"), "found": b64(found, "u4"),
                    "expected": b64(np.repeat(found.sum(axis=1, keepdims=True) / k, k, axis=1), "f4"),
                    "reason": b64(rng.integers(2, 6, size=count), "u1"),
                    "help": {
                        "kind": b64(rng.integers(3, size=count), "u1"), "node": b64(moved, "u4"),
                        "from": b64(np.zeros(count), "u2"), "to": b64(np.ones(count), "u2"), "other": b64(moved[::-1], "u4"),
                        "balance": b64(balance + 0.1, "f4"), "price": b64(rng.normal(size=count) * 1e-6, "f4"),
                    },
                    "others": None,
                },
            }
        )
    report = random_report(1, 60, 3, 3, 8, 2, swaps=False)
    report.update(
        title="Clusters of a million people", nodes=n, clusters=k, groups=[f"district {g + 1}" for g in range(groups)],
        start=points - 2, points=made, graph={"kind": "clusters"},
        baselines={
            "plain": {"cut": 0.5, "average_balance": 0.1},
            "random": {"cut": 3.5, "cut_spread": 0.001, "average_balance": 0.62, "balance_spread": 0.0004},
            "exact": None, "fair_balance": 0.62, "reachable_balance": 0.8,
        },
        certificate={
            "lower_bound": 0.7, "any_bound": 0.42, "deviation": 0.1, "gap": 0.63, "strength": 3.0,
            "price_of_fairness_at_least": 0.4, "verified": False, "reason": "counting eigenvalues would take too long",
        },
        random_balances=b64(histogram(rng.beta(8, 4, 10000)), "f4"),
    )
    report["provenance"]["sizes"] = {"nodes": n, "similarity_edges": 20 * n, "representation_edges": 10 * n, "groups": groups}
    return report


def hostile_report(seed, n):
    """Every text that comes from a file is hostile: names, groups, title, files, options, warnings."""
    texts = hostile_texts(n)
    report = random_report(seed, n, 3, 4, 8, 2, swaps=False)
    report.update(title=texts[0], names_shown=True, groups=texts[1:5])
    for point in report["points"]:
        node = np.frombuffer(point.pop("node_order"), "<u4")
        # One person is not listed, but others may mention them.
        point["people"]["name"] = [texts[i] for i in node]
        point["people"]["others"] = {"node": b64([n], "u4"), "name": [texts[100]]}
        point["what"] = texts[5]
        point["verdict"].append(texts[6])
    report["points"][1]["name"] = texts[7]
    source = report["provenance"]
    source.update(command=texts[8], method=texts[9], why=texts[10:30], changes=texts[30:50], options={t: t for t in texts[50:70]})
    source["files"] = [{"role": t, "name": t, "sha256": t, "bytes": 1} for t in texts[70:80]]
    source["warnings"] = [{"code": t, "message": t} for t in texts[80:100]]
    return report


def one_point_report():
    """An audit without groups, baselines, certificate and graph: everything that may be absent is."""
    report = random_report(5, 60, 3, 3, 8, 2, swaps=True)
    report.update(points=report["points"][1:], start=0, groups=[], baselines=None, certificate=None, random_balances=None, graph=None)
    point = report["points"][0]
    point.update(group_table=None, balances_by_group=[], structure_kept=None, fairness_gained=None, labels=None)
    point["people"]["group"] = None
    return report


def embedded(report):
    """JSON for a script element: nothing in it can end the element or begin a comment."""
    for point in report["points"]:
        point.pop("node_order", None)
    text = json.dumps(report, ensure_ascii=False, allow_nan=False)
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text.encode("utf-8", "backslashreplace").decode()


def main():
    template = Path(sys.argv[1]).read_text(encoding="utf-8")
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    reports = {
        "small": random_report(0, 60, 3, 3, 8, 4, swaps=True),
        "middle": random_report(2, 1500, 5, 4, 12, 3, swaps=False),
        "large": large_report(3, 1_000_000, 8, 5, 6),
        "hostile": hostile_report(4, 1000),
        "one": one_point_report(),
    }
    for name, report in reports.items():
        data = embedded(report)
        (folder / f"{name}.json").write_text(data, encoding="utf-8")
        (folder / f"{name}.html").write_text(template.replace("@REPSC_REPORT_DATA@", data), encoding="utf-8")


if __name__ == "__main__":
    main()
