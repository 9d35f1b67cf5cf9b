import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { nodeWorkers } from '../adapters/node-workers.js';
import { domainOf } from '../src/domain/domain-of.js';
import { codeColumn } from '../src/domain/table.js';
import { type IdeOrder, startIde } from '../src/estimate/ide/fit.js';
import { type IdeRows, openIdeRows } from '../src/estimate/ide/rows.js';
import { partialWorkloads } from '../src/estimate/ide/workloads.js';
import { reweighted, type Support, supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { allMarginals } from '../src/query/workload/all-marginals.js';
import { normal } from '../src/random/normal.js';
import { seeded } from '../src/random/seeded.js';
import { shuffle } from '../src/random/shuffle.js';
import { type Bench, smaller } from './figures.js';

const ATTRIBUTES =
  'SEX AGE MARST RACE HISPAN CITIZEN EDUC EMPSTAT LABFORCE INCTOT INCWAGE POVERTY HCOVANY WORKEDYR'.split(' ');
const EPOCHS = 4;
const ROUNDS = 3;

/** The distinct rows of the census extract, of some attributes. */
const readSupport = (data: string): Support => {
  const folder = path.join(data, 'nist-sprint2');
  const sizes = JSON.parse(readFileSync(path.join(folder, 'acs-il-oh-domain.json'), 'utf8')) as Record<string, number>;
  const text = gunzipSync(readFileSync(path.join(folder, 'acs-il-oh.csv.gz'))).toString('latin1');
  const [header, ...lines] = text.trimEnd().split('\n');
  const names = header.split(',').map((name) => name.trim());
  const domain = domainOf(ATTRIBUTES.map((name) => ({ type: 'integer', name, min: 0, max: sizes[name] - 1 })));
  const columns = domain.attributes.map(({ size }) => codeColumn(size, lines.length));
  const places = ATTRIBUTES.map((name) => names.indexOf(name));
  lines.forEach((line, row) => {
    const fields = line.split(',');
    places.forEach((place, i) => {
      columns[i][row] = Number(fields[place]);
    });
  });
  return supportOf({ domain, length: lines.length, columns });
};

interface Timed {
  readonly seconds: readonly number[];
  readonly weights: ArrayLike<number>;
}

const distance = (x: ArrayLike<number>, y: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i] - y[i]);
  return sum;
};

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const runPeer = (python: string, input: object): Timed =>
  JSON.parse(
    execFileSync(python, [path.join(root, 'bench', 'peers', 'ide.py')], {
      input: JSON.stringify(input),
      maxBuffer: 2 ** 28,
    }).toString(),
  ) as Timed;

/**
 * Epochs of IDE over all pair marginals of a census extract, on one thread and on two, and the same updates in the same order
 * in NumPy. Rounds alternate, so that both meet the same machine; the best epoch of each counts.
 */
const bench: Bench = async ({ data, python, say }) => {
  if (!data) throw new Error('bench ide: needs the folder of tables, give --data DIR');
  const support = readSupport(data);
  const random = seeded(1);
  // Answers of another distribution on the same rows: consistent, so that both sides aim at the same numbers.
  const other = reweighted(
    support,
    support.weights.map((weight) => weight * Math.exp(normal(random))),
  );
  const model = supportModel(other, 1);
  const measurements = allMarginals(support.domain, 2).queries.map(
    ({ query }): Measurement => ({ query, values: model.answer(query), noise: { kind: 'none', scale: 0 } }),
  );
  const workloads = partialWorkloads(measurements, support.domain);
  const targets = measurements.map(({ values }) => values);
  say(`${support.length} distinct rows of ${ATTRIBUTES.length} attributes, ${workloads.length} pair marginals`);

  const opened: IdeRows[] = [];
  for (const threads of [1, 2]) {
    const start = performance.now();
    opened.push(await openIdeRows(support, workloads, { threads, workers: nodeWorkers }));
    const seconds = (performance.now() - start) / 1000;
    say(`opened for ${threads} thread(s) in ${seconds.toFixed(2)} s, ${opened[0].joints.length} joints`);
  }
  const [{ members }] = opened;
  const order: IdeOrder = shuffle(members.keys(), random).map((joint) => ({
    joint,
    workloads: shuffle(members[joint], random),
  }));
  const updates = order.flatMap((each) => each.workloads);

  const best = { one: Infinity, two: Infinity, peer: Infinity };
  const ours = async (which: 0 | 1): Promise<Timed> => {
    const fit = startIde(opened[which], targets);
    const seconds = [];
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      const start = performance.now();
      await fit.epoch(order);
      seconds.push((performance.now() - start) / 1000);
    }
    return { seconds, weights: fit.distribution('last') };
  };
  const input = {
    sizes: support.domain.attributes.map(({ size }) => size),
    columns: support.columns.map((column) => [...column]),
    weights: [...support.weights],
    pairs: updates.map((s) => workloads[s].attributes.map((name) => ATTRIBUTES.indexOf(name))),
    targets: updates.map((s) => [...targets[s]]),
    epochs: EPOCHS,
  };
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [await ours(0), await ours(1)];
    best.one = Math.min(best.one, ...one.seconds);
    best.two = Math.min(best.two, ...two.seconds);
    if (!python) continue;
    const peer = runPeer(python, input);
    best.peer = Math.min(best.peer, ...peer.seconds);
    // Sums of targets round to 1 or just beside it, and ours then moves a cell by that much.
    for (const { weights } of [one, two])
      if (distance(weights, peer.weights) > 1e-9) throw new Error('bench ide: the weights differ from the peer');
    say(`round ${round + 1}: ours ${best.one.toFixed(4)} s an epoch, NumPy ${best.peer.toFixed(4)} s`);
  }
  for (const { rows } of opened) rows.close();

  const each = (seconds: number): number => (seconds * 1e9) / support.length / workloads.length;
  const peer = python ? each(best.peer) : null;
  return [
    smaller('marginal update on one thread, against NumPy', each(best.one), peer, 'ns/row'),
    smaller('marginal update on two threads, against NumPy', each(best.two), peer, 'ns/row'),
  ];
};

export default bench;
