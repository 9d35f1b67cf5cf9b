"""The peer's side of bench/pmw-pub.ts: rounds of multiplicative weights with every marginal re-evaluated by NumPy.

Input: file (gzipped CSV of codes), rows (how many, in order of the column `order`), names and sizes of the columns, marginals (lists of
names) of which every `stride`-th is evaluated, rounds: lists of updates, each a marginal, its codes and the measured proportion,
epsilon of a selection. The rows beyond `rows` are the private ones.
Output: seconds of each round for selecting a cell of the evaluated marginals by its error (exponential mechanism, in floating point),
for updates, and for the evaluated marginals; how many cells these have; and the last sums of the first marginal.
"""

import json
import math
import sys
import time

import numpy as np

task = json.load(sys.stdin)
sizes = dict(zip(task["names"], task["sizes"]))
header = [name.strip() for name in np.loadtxt(task["file"], delimiter=",", dtype=str, max_rows=1)]
codes = np.loadtxt(task["file"], delimiter=",", dtype=np.int64, skiprows=1)
order = np.argsort(codes[:, header.index(task["order"])], kind="stable")
public, private = order[: task["rows"]], order[task["rows"] :]
columns = {name: np.ascontiguousarray(codes[public, header.index(name)]) for name in task["names"]}

chosen = task["marginals"][:: task["stride"]]
cells = [math.prod(sizes[name] for name in names) for names in chosen]
# bincount wants native integers: computed once, as a careful user would.
index = [
    np.ravel_multi_index([columns[name] for name in names], [sizes[name] for name in names]).astype(np.intp)
    for names in chosen
]
counts = np.concatenate(
    [
        np.bincount(
            np.ravel_multi_index([codes[private, header.index(name)] for name in names], [sizes[name] for name in names]),
            minlength=n,
        )
        for names, n in zip(chosen, cells)
    ]
).astype(float)
total = len(private)
random = np.random.default_rng(1)
found = {}
for updates in task["rounds"]:
    for update in updates:
        key = (tuple(update["names"]), tuple(update["codes"]))
        if key not in found:
            mask = np.ones(task["rows"], dtype=bool)
            for name, code in zip(*key):
                mask &= columns[name] == code
            found[key] = np.flatnonzero(mask)

weights = np.full(task["rows"], 1 / task["rows"])
sums = [np.bincount(i, weights=weights, minlength=n) for i, n in zip(index, cells)]
select_seconds = []
update_seconds = []
answer_seconds = []
for updates in task["rounds"]:
    start = time.perf_counter()
    scores = np.abs(counts - total * np.concatenate(sums))
    # The largest of scores with Gumbel noise is selected with the chances of the exponential mechanism.
    int(np.argmax(scores * (task["epsilon"] / 2) + random.gumbel(size=len(scores))))
    select_seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    for update in updates:
        rows = found[(tuple(update["names"]), tuple(update["codes"]))]
        weights[rows] *= math.exp((update["proportion"] - weights[rows].sum() / weights.sum()) / 2)
    weights /= weights.sum()
    update_seconds.append(time.perf_counter() - start)
    start = time.perf_counter()
    sums = [np.bincount(i, weights=weights, minlength=n) for i, n in zip(index, cells)]
    answer_seconds.append(time.perf_counter() - start)

result = {
    "select": select_seconds,
    "update": update_seconds,
    "answers": answer_seconds,
    "cells": len(counts),
    "sums": sums[0].tolist(),
}
json.dump(result, sys.stdout)
