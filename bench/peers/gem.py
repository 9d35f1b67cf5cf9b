"""The peer's side of bench/gem.ts: a generator with softmax heads in PyTorch, trained on marginals, and the scoring of all marginals.

Input: sizes of the attributes, noise (numbers of a noise vector), hidden (widths), batch, threads, train and score (marginals, as lists of
attribute numbers), steps of a round, rounds, rate, gamma, most (cells of the gathered products at a time).
Output: seconds of each round of training, with the answers by einsum; of one step with the answers query by query, as the published
implementation has them (an index of B x queries x attributes, and its product); of each scoring, by einsum and query by query; and the
loss before and after.

With `slots`, the heads are those of households of so many persons at most: their size, `own` household attributes, and the person attributes of each
slot. A query is then {once, set}: attributes by number, the household's first, and whether a household counts once in a cell or each of its
persons does. There is no answer query by query of these.
"""

import json
import math
import sys
import time

import torch

task = json.load(sys.stdin)
torch.set_num_threads(task["threads"])
torch.manual_seed(1)
sizes, batch = task["sizes"], task["batch"]
first = [sum(sizes[:i]) for i in range(len(sizes))]


households = "slots" in task


class Generator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        inputs, layers = task["noise"], []
        for width in task["hidden"]:
            layers.append(torch.nn.Linear(inputs, width))
            inputs += width
        self.layers = torch.nn.ModuleList(layers)
        self.last = torch.nn.Linear(inputs, sum(sizes))

    def forward(self, x):
        for layer in self.layers:
            x = torch.cat([x, torch.relu(layer(x))], 1)
        return [torch.softmax(head, 1) for head in torch.split(self.last(x), sizes, 1)]


letters = "bcdefghij"


def by_einsum(heads, marginals):
    """The mean over the batch of the products of heads: a contraction for each marginal."""
    answers = []
    for names in marginals:
        axes = letters[: len(names)]
        spec = ",".join("a" + axis for axis in axes) + "->" + axes
        answers.append(torch.einsum(spec, *[heads[i] for i in names]).reshape(-1) / batch)
    return torch.cat(answers)


def of_households(heads, queries):
    """H-GEM, section 4.2: what a household counts in each cell, by one contraction for each query over the parts of both levels."""
    own, slots = task["own"], task["slots"]
    persons = (len(heads) - 1 - own) // slots
    answers = []
    for query in queries:
        g = torch.ones(batch, 1)
        for i in [i for i in query["set"] if i < own]:
            g = torch.einsum("ab,ac->abc", g, heads[1 + i]).flatten(1)
        members = []
        for slot in range(slots):
            p = torch.ones(batch, 1)
            for i in [i for i in query["set"] if i >= own]:
                p = torch.einsum("ab,ac->abc", p, heads[1 + own + slot * persons + i - own]).flatten(1)
            members.append(p)
        p = torch.stack(members)
        seen = 1 - torch.cumprod(1 - p, 0) if query["once"] else torch.cumsum(p, 0)
        inner = torch.einsum("bm,mbp->bp", heads[0], seen)
        answers.append((g.T @ inner).reshape(-1) / batch)
    return torch.cat(answers)


def cells_of(query):
    if not households:
        return math.prod(sizes[i] for i in query)
    # Slots have the sizes of the first one.
    return math.prod(sizes[1 + i] for i in query["set"])


def queries_of(marginals):
    """The columns of every query, for marginals of the same number of attributes."""
    parts = []
    for names in marginals:
        codes = torch.cartesian_prod(*[torch.arange(sizes[i]) + first[i] for i in names])
        parts.append(codes.reshape(-1, len(names)))
    return torch.cat(parts)


def by_query(heads, queries, most):
    """Query by query: columns of the probabilities gathered, multiplied, and averaged over the batch."""
    probabilities = torch.cat(heads, 1)
    step = max(1, most // (batch * queries.shape[1]))
    return torch.cat(
        [probabilities[:, queries[at : at + step]].prod(-1).mean(0) for at in range(0, len(queries), step)]
    )


def loss_of(answers, targets):
    error = (answers - targets).abs()
    return error[error >= task["gamma"]].sum()


noise = torch.randn(batch, task["noise"])
network = Generator()
adam = torch.optim.Adam(network.parameters(), lr=task["rate"])
targets = torch.rand(sum(cells_of(query) for query in task["train"]))
offset = 0
for query in task["train"]:
    count = cells_of(query)
    targets[offset : offset + count] /= targets[offset : offset + count].sum()
    offset += count


def step(answer):
    adam.zero_grad()
    loss = loss_of(answer(network(noise)), targets)
    loss.backward()
    adam.step()
    return loss


whole = of_households if households else by_einsum
einsum = lambda heads: whole(heads, task["train"])
before = step(einsum).item()
train = []
for _ in range(task["rounds"]):
    start = time.perf_counter()
    for _ in range(task["steps"]):
        after = step(einsum)
    train.append(time.perf_counter() - start)

gathered = []
if not households:
    trained = queries_of(task["train"])
    for _ in range(3):
        start = time.perf_counter()
        step(lambda heads: by_query(heads, trained, 10**12))
        gathered.append(time.perf_counter() - start)

score, score_queries = [], []
with torch.no_grad():
    for _ in range(task["rounds"] + 2):
        start = time.perf_counter()
        a = whole(network(noise), task["score"])
        score.append(time.perf_counter() - start)
    if not households:
        scored = queries_of(task["score"])
        for _ in range(2):
            start = time.perf_counter()
            b = by_query(network(noise), scored, task["most"])
            score_queries.append(time.perf_counter() - start)
        assert float((a - b).abs().max()) < 1e-5

result = {
    "train": train,
    "trainQueryStep": gathered,
    "score": score,
    "scoreQueries": score_queries,
    "loss": [before, after.item()],
}
json.dump(result, sys.stdout)
