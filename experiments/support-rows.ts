import { domainOf } from '../src/domain/domain-of.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { atOnce } from '../src/domain/turns.js';
import { balancedCounts } from '../src/model/balanced-counts.js';
import { roundedCounts } from '../src/model/rounded-counts.js';
import { type Support, supportOf } from '../src/model/support/support.js';
import { normal } from '../src/random/normal.js';
import type { Random } from '../src/random/random.js';
import { seeded } from '../src/random/seeded.js';
import { uniform, uniformInteger } from '../src/random/uniform.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { loadSetting } from './reweighting/settings.js';

const outputs = [125, 1000, 10_000, 100_000];
const wayNames = ['independent', 'systematic', 'balanced'] as const;
type WayName = (typeof wayNames)[number];

/** How often each row of a support comes among so many, by each way to draw. */
const ways: Readonly<Record<WayName, (support: Support, rows: number, random: Random) => Uint32Array>> = {
  independent: ({ weights }, rows, random) => {
    const counts = new Uint32Array(weights.length);
    let [row, sum] = [0, weights[0]];
    for (const point of Float64Array.from({ length: rows }, () => uniform(random)).sort()) {
      while (row < weights.length - 1 && point >= sum) sum += weights[++row];
      counts[row]++;
    }
    return counts;
  },
  systematic: ({ weights }, rows, random) => roundedCounts(weights, rows, random),
  balanced: ({ domain, columns, weights }, rows, random) =>
    atOnce(balancedCounts({ columns, sizes: domain.attributes.map(({ size }) => size), weights }, rows, random)),
};

/** Rows whose attributes hang together by two hidden numbers. */
const madeUp = (sizes: readonly number[], length: number, seed: number): Table => {
  const random = seeded(seed);
  const domain = domainOf(sizes.map((size, a) => ({ type: 'integer', name: `a${a}`, min: 0, max: size - 1 })));
  const columns = sizes.map((size) => codeColumn(size, length));
  for (let row = 0; row < length; row++) {
    const hidden = [uniform(random), uniform(random)];
    for (const [a, size] of sizes.entries())
      columns[a][row] = uniform(random) < 0.6 ? Math.floor(hidden[a % 2] ** 2 * size) : uniformInteger(random, size);
  }
  return { domain, length, columns };
};

/** A support with uneven weights, as a fit leaves them: those of the table times e to normal noise. */
const weighted = (table: Table): Support => {
  const support = supportOf(table);
  const random = seeded(7);
  const weights = support.weights.map((weight) => weight * Math.exp(normal(random)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { ...support, weights: weights.map((weight) => weight / sum) };
};

/** Mean and largest total variation of marginals of `order` attributes between counts of rows and their weights; at most 100 of them. */
const deviation = (support: Support, counts: Uint32Array, rows: number, order: 1 | 2 | 3) => {
  const sizes = support.domain.attributes.map(({ size }) => size);
  const sets: number[][] = [];
  for (let a = 0; a < sizes.length; a++)
    if (order === 1) sets.push([a]);
    else
      for (let b = a + 1; b < sizes.length; b++)
        if (order === 2) sets.push([a, b]);
        else for (let c = b + 1; c < sizes.length; c++) sets.push([a, b, c]);
  const every = Math.max(1, Math.floor(sets.length / 100));
  const all = sets
    .filter((set, i) => i % every === 0 && set.reduce((cells, a) => cells * sizes[a], 1) <= 1e6)
    .map((set) => {
      const off = new Float64Array(set.reduce((cells, a) => cells * sizes[a], 1));
      for (let row = 0; row < support.length; row++)
        off[set.reduce((at, a) => at * sizes[a] + support.columns[a][row], 0)] +=
          counts[row] / rows - support.weights[row];
      return off.reduce((sum, value) => sum + Math.abs(value), 0) / 2;
    });
  return { mean: all.reduce((sum, value) => sum + value, 0) / all.length, largest: Math.max(...all) };
};

/** How far rows drawn from weighted supports are from their weights, by the way they are drawn. */
const experiment: Experiment = async ({ data, seeds = 3, quick, say }) => {
  const tables: Record<string, () => Promise<Table>> = {
    'made up, 14 attributes': async () => madeUp([2, 3, 5, 8, 10, 16, 7, 4, 9, 12, 2, 6, 20, 5], 20_000, 1),
    'made up, one of 300': async () => madeUp([300, 12, 6, 4, 9], 20_000, 2),
    'made up, 30 binary': async () => madeUp(new Array<number>(30).fill(2), 20_000, 3),
    ...(quick
      ? {}
      : { 'across states': async () => (await loadSetting('across states', dataFolder(data))).publicTable }),
  };
  const rows = [];
  for (const [table, load] of Object.entries(tables)) {
    const support = weighted(await load());
    for (const output of outputs) {
      const errors = Object.fromEntries(
        wayNames.map((name) => {
          const own = Array.from({ length: seeds }, (_, seed) => {
            const started = process.cpuUsage();
            const counts = ways[name](support, output, seeded(1000 * seed + output));
            const { user } = process.cpuUsage(started);
            const orders = ([1, 2, 3] as const).map((order) => deviation(support, counts, output, order));
            return { orders, seconds: user / 1e6 };
          });
          const over = (of: (one: (typeof own)[number]) => number) =>
            own.reduce((sum, one) => sum + of(one), 0) / seeds;
          const [ones, pairs, triples] = [0, 1, 2].map((i) => over(({ orders }) => orders[i].mean));
          const largest = over(({ orders }) => orders[1].largest);
          return [name, { ones, pairs, largest, triples, seconds: over(({ seconds }) => seconds) }];
        }),
      );
      rows.push({ table, support: support.length, rows: output, errors });
      say(`${table}, ${output} rows`);
    }
  }
  const four = (value: number) => value.toFixed(4);
  return {
    figures: { rows },
    text: [
      'table | rows | way | single | pairs | worst pair | triples | s',
      ...rows.flatMap(({ table, rows: output, errors }) =>
        wayNames.map((name) => {
          const { ones, pairs, largest, triples, seconds } = errors[name];
          return `${table} | ${output} | ${name} | ${four(ones)} | ${four(pairs)} | ${four(largest)} | ${four(triples)} | ${seconds.toFixed(2)}`;
        }),
      ),
    ].join('\n'),
  };
};

export default experiment;
