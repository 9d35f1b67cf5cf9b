"""The peer's side of bench/count.ts: three-way marginals by mbi's Dataset.project, and by bare NumPy.

Input: file (gzipped CSV of codes), names and sizes of the columns to use, part and parts (which marginals).
Output: seconds of mbi, seconds of NumPy, and a checksum of mbi's counts.
"""

import itertools
import json
import math
import sys
import time

import numpy as np
from mbi import Dataset, Domain

task = json.load(sys.stdin)
names, sizes = task["names"], task["sizes"]
header = np.loadtxt(task["file"], delimiter=",", dtype=str, max_rows=1)
places = {name.strip(): i for i, name in enumerate(header)}
codes = np.loadtxt(task["file"], delimiter=",", dtype=np.int64, skiprows=1)
# NumPy counts 64-bit contiguous columns fastest.
columns = {name: np.ascontiguousarray(codes[:, places[name]]) for name in names}
size_of = dict(zip(names, sizes))
dataset = Dataset(columns, Domain(names, sizes))
triples = list(itertools.combinations(names, 3))
chosen = range(task["part"], len(triples), task["parts"])

dataset.project(triples[0]).datavector()  # compile what there is to compile

checksum = 0
mbi_seconds = 0.0
numpy_seconds = 0.0
for i in chosen:
    start = time.perf_counter()
    counts = np.asarray(dataset.project(triples[i]).datavector())
    mbi_seconds += time.perf_counter() - start

    shape = [size_of[name] for name in triples[i]]
    start = time.perf_counter()
    index = np.ravel_multi_index([columns[name] for name in triples[i]], shape)
    bare = np.bincount(index, minlength=math.prod(shape))
    numpy_seconds += time.perf_counter() - start

    assert np.array_equal(counts, bare)
    weights = (np.arange(len(bare)) * 40503 + i * 7919) % 65521
    checksum += int(np.dot(bare, weights))

json.dump({"mbi": mbi_seconds, "numpy": numpy_seconds, "checksum": checksum}, sys.stdout)
