"""Errors over a workload of triples, for the peers of bench/aim.ts."""

import numpy as np


def count(columns, triple, sizes):
    shape = [sizes[name] for name in triple]
    cell = np.ravel_multi_index([np.asarray(columns[name]) for name in triple], shape)
    return np.bincount(cell, minlength=np.prod(shape)).reshape(shape)


def mean_error(frame, sizes, triples, answer):
    """Mean over the triples of the L1 distance of answers from counts, over twice the number of rows."""
    distances = [np.abs(count(frame, triple, sizes) - answer(triple)).sum() for triple in triples]
    return float(np.mean(distances) / (2 * len(frame)))
