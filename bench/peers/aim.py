"""The peer's side of bench/aim.ts: one release by OpenDP's AIM, which estimates with mbi. Runs in its own environment (README.md).

Input: file (gzipped CSV of codes), names and sizes of the columns, rho, triples (the workload), megabytes (largest model), iterations
(of estimation a round), split (share of rho for the one-way marginals before the first round).
Output: seconds of the release and of that in the estimator, rounds, mean error over the triples of the model and of rows drawn from
it (L1 distance over twice the number of rows), peak memory, processor time.
"""

import gzip
import json
import resource
import sys
import time

import numpy as np
import opendp.prelude as dp
import polars as pl
from mbi.estimation import mirror_descent
from triples import count, mean_error

task = json.load(sys.stdin)
names, sizes = task["names"], dict(zip(task["names"], task["sizes"]))
dp.enable_features("contrib")
with gzip.open(task["file"]) as file:
    frame = pl.read_csv(file.read(), schema_overrides=dict.fromkeys(names, pl.Int64)).select(names)
rows = frame.height

spent = {"rounds": 0, "seconds": 0.0}


def estimate(domain, measurements, *, potentials=None):
    start = time.perf_counter()
    model = mirror_descent(domain, measurements, potentials=potentials, iters=task["iterations"])
    for clique in model.cliques:
        model.marginals[clique].values.block_until_ready()
    seconds = time.perf_counter() - start
    spent["rounds"] += 1
    spent["seconds"] += seconds
    cells = sum(domain.size(clique) for clique in model.cliques)
    print(f"round {spent['rounds']}: {len(measurements)} measurements, {cells} cells, {seconds:.1f} s", file=sys.stderr, flush=True)
    return model


# Cuts after every code but the last give each column exactly its declared cells; keys would add one for null.
algorithm = dp.mbi.AIM(
    estimator=estimate,
    queries=[dp.mbi.Count(tuple(triple)) for triple in task["triples"]],
    max_size=task["megabytes"],
    measure_split=0.9,
    oneway_split=task["split"],
)
start = time.perf_counter()
context = dp.Context.compositor(
    data=frame.lazy(),
    privacy_unit=dp.unit_of(contributions=1),
    privacy_loss=dp.loss_of(rho=task["rho"]),
    split_evenly_over=1,
)
query = context.query().contingency_table(
    cuts={name: list(range(sizes[name] - 1)) for name in names}, algorithm=algorithm
)
table = query.release()
seconds = time.perf_counter() - start
usage = resource.getrusage(resource.RUSAGE_SELF)

start = time.perf_counter()
drawn = table.model.synthetic_data(rows).df
drawing = time.perf_counter() - start


def error(answer):
    return mean_error(frame, sizes, task["triples"], answer)


json.dump(
    {
        "seconds": seconds,
        "estimating": spent["seconds"],
        "rounds": spent["rounds"],
        "drawing": drawing,
        "model": error(lambda triple: np.asarray(table.model.project(tuple(triple)).values, dtype=np.float64)),
        "rows": error(lambda triple: count(drawn, triple, sizes)),
        "bytes": usage.ru_maxrss * 1024,
        "processor": usage.ru_utime + usage.ru_stime,
    },
    sys.stdout,
)
