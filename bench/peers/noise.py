"""Draws a second of OpenDP's exact samplers, one vectorised call each: JSON lines {"kind", "scale", "rate"}."""

import json
import sys
import time

import opendp.prelude as dp

dp.enable_features("contrib")

DRAWS = int(sys.argv[1])
ROUNDS = int(sys.argv[2])
space = dp.vector_domain(dp.atom_domain(T="i64"))
makers = {
    "laplace": lambda scale: dp.m.make_laplace(space, dp.l1_distance(T="i64"), scale=scale),
    "gaussian": lambda scale: dp.m.make_gaussian(space, dp.l2_distance(T="i64"), scale=scale),
}
counts = [0] * DRAWS
for kind, make in makers.items():
    for scale in (1.0, 10.0, 1000.0):
        measurement = make(scale)
        measurement(counts[:1000])
        rates = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            measurement(counts)
            rates.append(DRAWS / (time.perf_counter() - start))
        print(json.dumps({"kind": kind, "scale": scale, "rate": max(rates)}), flush=True)
