"""The peer's side of experiments/rivals.ts: one release by dpmm's AIM or MST. Runs in its own environment (README.md).

Input: mechanism (aim or mst), file (gzipped CSV of codes), names and sizes of the columns, epsilon, delta, sets (attributes of the
marginals that are judged).
Output: seconds of the release, and the model's shares of the cells of every set.

dpmm's own defaults but for the domain, which is the declared one and is not compressed, and AIM's workload: all sets of three columns, as ours
has by default. The noise is OpenDP's and cannot be seeded.
"""

import gzip
import itertools
import json
import sys
import time

import numpy as np
import pandas as pd
from dpmm.models.aim import AIM
from dpmm.models.mst import MST

task = json.load(sys.stdin)
names, sizes = task["names"], dict(zip(task["names"], task["sizes"]))
with gzip.open(task["file"]) as file:
    frame = pd.read_csv(file)[names].astype(np.int64)

begin = time.perf_counter()
common = {"epsilon": task["epsilon"], "delta": task["delta"], "compress": False, "domain": sizes}
if task["mechanism"] == "aim":
    model = AIM(max_model_size=80, **common)
    triples = [
        triple
        for triple in itertools.combinations(names, 3)
        if np.prod([sizes[name] for name in triple]) <= 10_000
    ]
    pairs = [pair for pair in itertools.combinations(names, 2) if np.prod([sizes[name] for name in pair]) <= 10_000]
    model.fit(frame, W=[(tuple(each), 1.0) for each in (triples if 0 < len(triples) <= 2000 else pairs)])
else:
    model = MST(**common)
    model.fit(frame)
seconds = time.perf_counter() - begin


def shares(names_of_set):
    counts = np.asarray(model.model.project(tuple(names_of_set)).datavector(flatten=False), dtype=float)
    return (counts / counts.sum()).flatten().tolist()


json.dump({"seconds": seconds, "shares": [shares(each) for each in task["sets"]]}, sys.stdout)
