"""The peer's side of the out-of-core case of bench/count.ts: all pairs of the columns of a Parquet file by Polars, lazily and streaming.

Input: file, sizes of the columns x0, x1, ... Output: seconds of counting, processor time, peak memory, the checksum of bench/beyond/task.ts.
"""

import itertools
import json
import resource
import sys
import time

import polars as pl

task = json.load(sys.stdin)
sizes = task["sizes"]
names = [f"x{i}" for i in range(len(sizes))]

start = time.perf_counter()
frame = pl.scan_parquet(task["file"])
pairs = list(itertools.combinations(range(len(sizes)), 2))
total = 0
# All at once would read the file once, and hold 190 hash tables of every thread.
for first in range(0, len(pairs), 32):
    part = pairs[first : first + 32]
    queries = [frame.group_by(names[a], names[b]).len() for a, b in part]
    for (a, b), counts in zip(part, pl.collect_all(queries, engine="streaming")):
        pair = pairs.index((a, b))
        for x, y, count in counts.iter_rows():
            cell = x * sizes[b] + y
            total += count * ((cell * 40503 + pair * 7919) % 8191)
seconds = time.perf_counter() - start
usage = resource.getrusage(resource.RUSAGE_SELF)
json.dump(
    {
        "load": 0,
        "count": seconds,
        "processor": usage.ru_utime + usage.ru_stime,
        "bytes": usage.ru_maxrss * 1024,
        "checksum": total,
    },
    sys.stdout,
)
