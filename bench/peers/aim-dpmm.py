"""The peer's side of bench/aim.ts: one release by dpmm's AIM, which carries mbi of the paper's time (NumPy) with it. Runs in its own
environment (README.md).

Input: file (gzipped CSV of codes), names and sizes of the columns, epsilon, delta, triples (the workload), megabytes (largest model),
iterations (of estimation a round).
Output: seconds of the release and of that in the estimator, rounds, mean error over the triples of the model and of rows drawn from
it (L1 distance over twice the number of rows), peak memory, processor time.

Alike: add-remove (sensitivity 1 of counts and of scores), 16 rounds for each column to start with, of which 90% measures, one-way
marginals first, the declared domain, no domain compression, no limit of cells for a marginal of the workload, zCDP by the tight
conversion.
Not alike, because there is no setting for it: mirror descent always runs all its iterations, where ours ends a round's estimate once it
gains little and the last one where more would fit noise; the noise is OpenDP's floating-point Gaussian, drawn cell by cell and not to be
seeded; selection uses NumPy's generator. dpmm's default of one worker less than there are processors is kept: none at two processors.
"""

import gzip
import json
import resource
import sys
import time

import numpy as np
import pandas as pd
from dpmm.models.aim import AIM
from dpmm.models.base.mbi import FactoredInference
from triples import count, mean_error

task = json.load(sys.stdin)
names, sizes = task["names"], dict(zip(task["names"], task["sizes"]))
with gzip.open(task["file"]) as file:
    frame = pd.read_csv(file)[names].astype(np.int64)
rows = len(frame)

spent = {"calls": 0, "seconds": 0.0}
plain_estimate = FactoredInference.estimate


def estimate(engine, measurements, *arguments, **options):
    start = time.perf_counter()
    model = plain_estimate(engine, measurements, *arguments, **options)
    seconds = time.perf_counter() - start
    spent["calls"] += 1
    spent["seconds"] += seconds
    print(
        f"{time.perf_counter() - begin:.1f} s: estimate {spent['calls']} from {len(measurements)} measurements,"
        f" {model.size} cells, {seconds:.1f} s, last {measurements[-1][3]}",
        file=sys.stderr,
        flush=True,
    )
    return model


FactoredInference.estimate = estimate

begin = time.perf_counter()
mechanism = AIM(
    epsilon=task["epsilon"],
    delta=task["delta"],
    rounds=16 * len(names),
    max_model_size=task["megabytes"],
    n_iters=task["iterations"],
    compress=False,
    domain=sizes,
)
mechanism.fit(frame, W=[(tuple(triple), 1.0) for triple in task["triples"]])
seconds = time.perf_counter() - begin
usage = resource.getrusage(resource.RUSAGE_SELF)

start = time.perf_counter()
drawn = mechanism.generate(n_records=rows)
drawing = time.perf_counter() - start


def error(answer):
    return mean_error(frame, sizes, task["triples"], answer)


json.dump(
    {
        "seconds": seconds,
        "estimating": spent["seconds"],
        "rounds": len(mechanism.cliques) - len(names),
        "drawing": drawing,
        "model": error(lambda triple: mechanism.model.project(tuple(triple)).datavector(flatten=False)),
        "rows": error(lambda triple: count(drawn, triple, sizes)),
        "bytes": usage.ru_maxrss * 1024,
        "processor": usage.ru_utime + usage.ru_stime,
    },
    sys.stdout,
)
