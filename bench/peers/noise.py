"""OpenDP's exact samplers and selection, one vectorised call each, best of some rounds: JSON lines {"name", "seconds"}.

Usage: noise.py DRAWS CANDIDATES ROUNDS. Seconds are for all draws of a call, or for one selection; the Python list that
OpenDP takes is made beforehand, its conversion is part of the call.
"""

import json
import sys
import time

import opendp.prelude as dp

dp.enable_features("contrib")
draws, candidates, rounds = (int(argument) for argument in sys.argv[1:4])
vectors = dp.vector_domain(dp.atom_domain(T="i64"))


def report(name, measurement, values):
    measurement(values[:1000])
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        measurement(values)
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"name": name, "seconds": best}), flush=True)


counts = [0] * draws
for scale in (1, 10, 1000):
    report(f"laplace {scale}", dp.m.make_laplace(vectors, dp.l1_distance(T="i64"), scale=float(scale)), counts)
    report(f"gaussian {scale}", dp.m.make_gaussian(vectors, dp.l2_distance(T="i64"), scale=float(scale)), counts)

# Scale 2 is epsilon 1 at sensitivity 1. With zCDP the noise is Gumbel: the exponential mechanism; else permute-and-flip.
scores = [(i * 7919) % 100003 for i in range(candidates)]
for name, measure in (
    ("exponential mechanism", dp.zero_concentrated_divergence()),
    ("permute-and-flip", dp.max_divergence()),
):
    report(name, dp.m.make_noisy_max(vectors, dp.linf_distance(T="i64"), measure, scale=2.0), scores)
