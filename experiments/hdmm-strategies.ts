import type { Block } from '../src/query/block/block.js';
import { seeded } from '../src/random/seeded.js';
import { gramOf } from '../src/release/hdmm/strategy/gram.js';
import { type Norm, optimisePIdentity } from '../src/release/hdmm/strategy/p-identity.js';
import { errorOf, strategyFor } from '../src/release/hdmm/strategy/strategy.js';
import { strategyTrace } from '../src/release/hdmm/strategy/strategy-trace.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';

interface Job {
  readonly size: number;
  readonly norm: Norm;
  /** Real strategies that are optimised with other seeds and numbers of rows, to see what the best are like. */
  readonly tries: number;
}

interface Outcome {
  readonly cells: number;
  /** Where the size is a power of two. */
  readonly tree: number | undefined;
  readonly wavelet: number | undefined;
  /** What the mechanism measures, in whole numbers, and how long that took to find. */
  readonly ours: number;
  readonly seconds: number;
  /** The least error of all real strategies that were tried. */
  readonly best: number;
}

const prefix: Block = { kind: 'prefix' };

/** Rows of the binary tree (H2): sums of 1, 2, 4, ... cells; or of the Haar wavelet: the total, and differences of halves. */
const dyadic = (size: number, kind: 'tree' | 'wavelet'): number[][] => {
  const rows: number[][] = kind === 'wavelet' ? [new Array<number>(size).fill(1)] : [];
  for (let width = size; width >= (kind === 'tree' ? 1 : 2); width /= 2)
    for (let start = 0; start < size; start += width)
      rows.push(
        Array.from({ length: size }, (_, cell) => {
          if (cell < start || cell >= start + width) return 0;
          return kind === 'tree' || cell < start + width / 2 ? 1 : -1;
        }),
      );
  return rows;
};

/** Squared error of all prefixes by a matrix, for noise that costs the same. */
const errorBy = (rows: number[][], size: number, norm: Norm): number => {
  const columns = Array.from({ length: size }, (_, cell) =>
    rows.reduce((sum, row) => sum + (norm === 'l1' ? Math.abs(row[cell]) : row[cell] ** 2), 0),
  );
  const largest = Math.max(...columns);
  return strategyTrace({ kind: 'matrix', rows }, gramOf(prefix, size))! * (norm === 'l1' ? largest ** 2 : largest);
};

export const runJob = async ({ size, norm, tries }: Job): Promise<Outcome> => {
  const isDyadic = Number.isInteger(Math.log2(size));
  const gram = gramOf(prefix, size);
  const start = performance.now();
  const ours = errorOf(strategyFor(prefix, size, norm));
  const seconds = (performance.now() - start) / 1000;
  let best = Number.POSITIVE_INFINITY;
  // A descent on a thousand cells takes half a minute, and more with more rows.
  const rowsTried =
    size > 256 ? [1 / 24, 1 / 16] : norm === 'l1' ? [1 / 24, 1 / 16, 1 / 12, 1 / 8] : [1 / 16, 1 / 8, 1 / 4];
  for (const part of rowsTried)
    for (let seed = 1; seed <= tries; seed++) {
      const options = {
        random: seeded(seed),
        rows: Math.max(1, Math.round(size * part)),
        restarts: 1,
        iterations: 1000,
      };
      best = Math.min(best, optimisePIdentity(gram, norm, options).error);
    }
  return {
    cells: strategyTrace({ kind: 'keep' }, gram)!,
    tree: isDyadic ? errorBy(dyadic(size, 'tree'), size, norm) : undefined,
    wavelet: isDyadic ? errorBy(dyadic(size, 'wavelet'), size, norm) : undefined,
    ours,
    seconds,
    best,
  };
};

const norms = ['l1', 'l2'] as const;

/** How much less error HDMM's strategies have than older ones, on all prefixes of one attribute. No data: only the workload enters. */
const experiment: Experiment = async ({ quick = false, say }) => {
  const sizes = quick ? [64] : [100, 128, 1024];
  const jobs = sizes.flatMap((size) => norms.map((norm): Job => ({ size, norm, tries: size > 256 ? 2 : 10 })));
  const outcomes = await inWorkers<Job, Outcome>(import.meta.url, jobs, ({ size, norm }, { ours, best }, done) =>
    say(`${done}/${jobs.length} ${size} cells, ${norm}: ${ours.toFixed(0)}, best of the tried ${best.toFixed(0)}`),
  );
  const rows = jobs.map(({ size, norm }, i) => ({ size, norm, ...outcomes[i] }));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.padEnd(14))
      .join('')
      .trimEnd();
  const whole = (value: number | undefined): string =>
    value === undefined ? '' : Math.round(value).toLocaleString('en-US');
  return {
    figures: { rows },
    text: [
      'Squared error of all prefixes of an attribute, trace((A^T A)^-1 W^T W) times the squared norm of the largest column: what noise of the same price leaves.',
      '"ours" is measured, in whole numbers; "best tried" the least of real p-Identity strategies with other seeds and numbers of rows.',
      line(['cells', 'norm', 'one by one', 'binary tree', 'wavelet', 'ours', 'best tried', 'ours / best', 'seconds']),
      ...rows.map(({ size, norm, cells, tree, wavelet, ours, best, seconds }) =>
        line([
          `${size}`,
          norm,
          ...[cells, tree, wavelet, ours, best].map(whole),
          (ours / best).toFixed(3),
          seconds.toFixed(1),
        ]),
      ),
    ].join('\n'),
  };
};

export default experiment;
