"""The peer's side of bench/ide.ts: the same update of weights, marginal after marginal, in NumPy.

Input: sizes and columns (codes) of the attributes, weights of the rows, pairs (which two columns each marginal has, in the
order of the updates), targets (proportions of each marginal's cells), epochs.
Output: seconds of each epoch, and the weights in the end.
"""

import json
import sys
import time

import numpy as np

task = json.load(sys.stdin)
sizes = task["sizes"]
columns = [np.array(column, dtype=np.intp) for column in task["columns"]]
weights = np.array(task["weights"])
targets = [np.array(target) for target in task["targets"]]
# As for ours, the cell of every row is worked out once.
cells = [columns[a] * sizes[b] + columns[b] for a, b in task["pairs"]]

seconds = []
for _ in range(task["epochs"]):
    start = time.perf_counter()
    for index, target in zip(cells, targets):
        current = np.bincount(index, weights=weights, minlength=len(target))
        ratio = np.divide(target, current, out=np.zeros_like(target), where=current > 0)
        weights *= ratio[index]
    seconds.append(time.perf_counter() - start)

json.dump({"seconds": seconds, "weights": weights.tolist()}, sys.stdout)
