"""The peer's side of bench/pgm.ts: mbi's estimators, marginal oracle and row generators, on a task that the bench has written.

Input: task (path of its JSON; values beside it, in .f64), part, and what the part needs: "fit": estimator, iterations; "step": iterations
(0 for the oracle alone), calls; "rows": rows, method. Output: seconds as each part says, peak memory, and processor time.

Double precision throughout; compiling is timed apart; every clock stops only when the arrays are ready.
"""

import functools
import json
import os
import resource
import sys
import time

request = json.load(sys.stdin)

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_enable_compilation_cache", False)
import mbi
from mbi import estimation, marginal_loss, marginal_oracles

task = json.load(open(request["task"]))
values = np.fromfile(os.path.splitext(request["task"])[0] + ".f64", dtype=np.float64)
domain = mbi.Domain(task["names"], task["sizes"])
tables = [(tuple(t["attributes"]), values[t["offset"] : t["offset"] + t["length"]]) for t in task["tables"]]
total = task["total"]


def clock(work):
    start = time.perf_counter()
    result = jax.block_until_ready(work())
    return time.perf_counter() - start, result


class Enough(Exception):
    """Leaves the estimator after its last block: turning an averaged iterate into a model is not part of the time."""


def blocks(estimator, loss, count, compiled):
    """Runs blocks of iterations from the start; the clock stands still while the loss is worked out."""
    seconds, losses = [0.0], [float(compiled(initial(loss)))]
    start = time.perf_counter()

    def callback(marginals):
        nonlocal start
        jax.block_until_ready(marginals)
        seconds.append(seconds[-1] + time.perf_counter() - start)
        losses.append(float(compiled(marginals)))
        if len(losses) > count:
            raise Enough
        start = time.perf_counter()

    try:
        estimator.estimate(domain, loss, known_total=total, iters=count * estimation.CALLBACK_EVERY, callback_fn=callback)
    except Enough:
        pass
    return seconds, losses


def initial(loss):
    oracle = marginal_oracles.default_oracle(loss.cliques, domain, has_constraints=False)
    return oracle(mbi.CliqueVector.zeros(domain, loss.cliques), total)


def measured_loss():
    measurements = [mbi.LinearMeasurement(y, clique, task["stddev"]) for clique, y in tables]
    return marginal_loss.from_linear_measurements(measurements, domain)


def fit():
    estimators = {
        "MirrorDescent": estimation.MirrorDescent,
        "DualAveraging": estimation.DualAveraging,
        "InteriorGradient": estimation.InteriorGradient,
        "UniversalAccelerated": estimation.UniversalAcceleratedMethod,
        "UniversalAccelerated, line search": lambda: estimation.UniversalAcceleratedMethod(linesearch=True),
        "LBFGS": estimation.LBFGS,
    }
    estimator = estimators[request["estimator"]]()
    loss = measured_loss()
    compiled = functools.partial(jax.jit(lambda loss, marginals: loss(marginals)), loss)
    compiled(initial(loss))
    # From nothing: what a user waits for the first block, compiling included.
    first, _ = blocks(estimator, loss, 1, compiled)
    count = -(-request["iterations"] // estimation.CALLBACK_EVERY)
    seconds, losses = blocks(estimator, loss, count, compiled)
    return {"every": estimation.CALLBACK_EVERY, "compile": first[1] - seconds[1], "seconds": seconds, "losses": losses}


def step():
    """Seconds an iteration of mirror descent, or a call of the oracle, after the first."""
    loss = measured_loss()
    if request["iterations"] == 0:
        oracle = jax.jit(marginal_oracles.default_oracle(loss.cliques, domain, has_constraints=False))
        potentials = jax.tree.map(jax.numpy.asarray, mbi.CliqueVector.random(domain, loss.cliques))
        first, _ = clock(lambda: oracle(potentials, total))
        times = [clock(lambda: oracle(potentials, total))[0] for _ in range(request["calls"])]
        return {"compile": first - min(times), "seconds": min(times)}
    estimator = estimation.MirrorDescent()
    state = jax.tree.map(jax.numpy.copy, estimator._init(domain, loss, total))
    # Shorter blocks than the library's own where an iteration is long: the same steps, fused in the same way.
    every = estimation.CALLBACK_EVERY = request["iterations"]
    first, state = clock(lambda: estimator._multi_step(state, loss, total))
    times = []
    for _ in range(request["calls"]):
        seconds, state = clock(lambda: estimator._multi_step(state, loss, total))
        times.append(seconds / every)
    return {"compile": first - min(times) * every, "seconds": min(times)}


def rows():
    cliques = [clique for clique, _ in tables]
    factors = {
        clique: mbi.Factor(domain.project(clique), jax.numpy.asarray(potential.reshape(domain.project(clique).shape)))
        for clique, potential in tables
    }
    potentials = mbi.CliqueVector(domain, cliques, factors)
    marginals = marginal_oracles.message_passing_stable(potentials, total)
    model = mbi.MarkovRandomField(potentials=potentials, marginals=marginals, total=total)
    if request["method"] == "round":
        draw = lambda count: model.synthetic_data(count, "round")
    else:
        from mbi.extensions import synthetic_data

        draw = lambda count: synthetic_data(model, count)
    # The NumPy way compiles the same for any number of rows, the other for each: it is called twice.
    times, drawn = [], None
    for count in [1 if request["method"] == "round" else request["rows"], request["rows"]]:
        start = time.perf_counter()
        drawn = draw(count)
        times.append(time.perf_counter() - start)
    away, cells = 0.0, 0
    for clique in cliques:
        shape = domain.project(clique).shape
        codes = [drawn.to_dict()[name].astype(np.int64) for name in clique]
        counts = np.bincount(np.ravel_multi_index(codes, shape), minlength=int(np.prod(shape)))
        expected = np.asarray(marginals.project(clique).datavector()) * (request["rows"] / total)
        away += np.abs(counts - expected).sum()
        cells += counts.size
    compiling = times[0] if request["method"] == "round" else times[0] - times[1]
    return {"compile": compiling, "seconds": times[1], "deviation": away / cells}


result = {"fit": fit, "step": step, "rows": rows}[request["part"]]()
usage = resource.getrusage(resource.RUSAGE_SELF)
result["bytes"] = usage.ru_maxrss * 1024
result["processor"] = usage.ru_utime + usage.ru_stime
json.dump(result, sys.stdout)
