"""The peer's side of experiments/rivals.ts: one release by AIM, MST or JAM as the scripts of mbi's own repository have them, which its wheel
does not hold. Runs in its own environment, with the repository beside it (README.md).

Input: mechanism (aim, mst or jam), file (gzipped CSV of codes), publicFile (for jam), names and sizes of the columns, epsilon, delta, sets
(attributes of the marginals that are judged).
Output: seconds of the release, and the shares of the cells of every set.

The scripts' own defaults but for AIM's workload: all sets of three columns, as ours has by default (all pairs beyond 2,000), as JAM's is. JAM is
stated for replacing a record; here its noise and its choices are what adding or removing one needs (sensitivities 1 and 2 for sqrt 2 and 4). The scripts were written for a mbi whose Dataset had `data`, its codes as one array.
Marginals of the model are summed out of its potentials by NumPy: mbi's `project` compiles anew for every marginal, which takes minutes for all.
"""

import contextlib
import gzip
import itertools
import json
import math
import sys
import time
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
import numpy as np
import pandas as pd
from mbi import Dataset, Domain, MarkovRandomField
from scipy.special import logsumexp

sys.path.insert(0, str(Path(__file__).parent / ".mbi" / "mechanisms"))
if not hasattr(Dataset, "data"):
    Dataset.data = property(lambda self: self.df[list(self.domain.attrs)].values)

task = json.load(sys.stdin)
names, sizes = task["names"], task["sizes"]
domain = Domain(names, sizes)
budget = (task["epsilon"], task["delta"])
np.random.seed(task["seed"])


def dataset(path):
    with gzip.open(path) as file:
        return Dataset(pd.read_csv(file)[names].astype(np.int64).values, domain)


def sets_of(degree):
    return [each for each in itertools.combinations(names, degree) if domain.size(each) <= 10_000]


def workload():
    triples = sets_of(3)
    return triples if 0 < len(triples) <= 2000 else sets_of(2)


def aim():
    from aim import AIM

    mechanism = AIM(*budget)
    # Its constructor hands its generator on in the place of another argument, so the default one stands.
    return Summed(mechanism.run(data, [(each, 1.0) for each in workload()])[0])


class Summed:
    """Marginals of a model by elimination: in each step the attribute is summed out whose neighbours have the fewest cells."""

    def __init__(self, model):
        potentials = model.potentials
        self.sizes = {name: potentials.domain[name] for name in potentials.domain.attrs}
        self.factors = [
            (tuple(factor.domain.attrs), np.asarray(factor.values, dtype=float)) for factor in potentials.arrays.values()
        ]

    def product(self, factors):
        axes = tuple(dict.fromkeys(name for own, _ in factors for name in own))
        table = np.zeros([self.sizes[name] for name in axes])
        for own, values in factors:
            order = sorted(range(len(own)), key=lambda i: axes.index(own[i]))
            table += values.transpose(order).reshape([self.sizes[name] if name in own else 1 for name in axes])
        return axes, table

    def counts(self, wanted):
        factors = [*self.factors, *(((name,), np.zeros(self.sizes[name])) for name in wanted)]
        gone = {name for own, _ in factors for name in own} - set(wanted)

        def cost(name):
            return math.prod(self.sizes[other] for other in {other for own, _ in factors if name in own for other in own})

        while gone:
            name = min(gone, key=cost)
            gone.remove(name)
            axes, table = self.product([each for each in factors if name in each[0]])
            axis = axes.index(name)
            factors = [each for each in factors if name not in each[0]]
            factors.append((axes[:axis] + axes[axis + 1 :], logsumexp(table, axis=axis)))
        axes, table = self.product(factors)
        return np.exp(table - table.max()).transpose([axes.index(name) for name in wanted])


class Expanded:
    """MST's model of merged values, told on all values: what was merged is shared evenly, as its rows share it."""

    def __init__(self, model, supports):
        self.model, self.supports = model, supports

    def counts(self, wanted):
        counts = self.model.counts(wanted)
        for axis, name in enumerate(wanted):
            support = np.asarray(self.supports[name])
            kept, merged = np.where(support)[0], np.where(~support)[0]
            order = np.concatenate([kept, merged]).argsort()
            part = np.take(counts, range(kept.size), axis)
            if merged.size > 0:
                rest = np.take(counts, [kept.size], axis).repeat(merged.size, axis) / merged.size
                part = np.concatenate([part, rest], axis)
            counts = np.take(part, order, axis)
        return counts


def mst():
    import mst as script

    # Rows of this mbi have more error than the model, so the model is judged, as the others' are: it is told in the place of rows.
    MarkovRandomField.synthetic_data = lambda self, *_, **__: self
    script.reverse_data = lambda merged, supports: Expanded(Summed(merged), supports)
    # Where values are merged, this pandas gives the codes as objects.
    script.Dataset = lambda values, of: Dataset(values.astype(np.int64), of)
    return script.MST(data, *budget)


def jam():
    from jam import JAM

    mechanism = JAM(*budget)
    mechanism.rho *= 2
    choose = mechanism.exponential_mechanism
    mechanism.exponential_mechanism = lambda scores, epsilon, sensitivity: choose(
        scores, epsilon / math.sqrt(2), sensitivity / 2
    )
    return Summed(mechanism.run(data, dataset(task["publicFile"]), workload())[0])


data = dataset(task["file"])
begin = time.perf_counter()
with contextlib.redirect_stdout(sys.stderr):
    model = {"aim": aim, "mst": mst, "jam": jam}[task["mechanism"]]()
seconds = time.perf_counter() - begin


def shares(wanted):
    counts = model.counts(wanted)
    return (counts / counts.sum()).flatten().tolist()


json.dump({"seconds": seconds, "shares": [shares(each) for each in task["sets"]]}, sys.stdout)
