import { cellsOf } from '../../src/domain/domain.js';
import { type Bounds, type BoundsSource, boundsOf, boundsOfStatistic } from '../../src/evaluate/bounds.js';
import { noiseBounds } from '../../src/evaluate/noise-bounds.js';
import type { Answering } from '../../src/model/model.js';
import { marginal } from '../../src/query/marginal.js';

/** What is asked; a set of attributes is measured where measurements alone determine its counts. */
export const kinds = ['one-way', 'pairs measured', 'pairs not measured', 'triples', 'shares', 'means'] as const;
export type Kind = (typeof kinds)[number];

/** How often bounds held, over cells in which there is a record or the model expects one in 100,000; `large` have a hundredth of the records. */
export interface Coverage {
  readonly held: number;
  readonly bounded: number;
  readonly cells: number;
  readonly heldLarge: number;
  readonly large: number;
  /** Sums over bounded cells. */
  readonly width: number;
  readonly error: number;
}

const none: Coverage = { held: 0, bounded: 0, cells: 0, heldLarge: 0, large: 0, width: 0, error: 0 };

export const together = (all: readonly Coverage[]): Coverage =>
  all.reduce(
    (sum, one) => ({
      held: sum.held + one.held,
      bounded: sum.bounded + one.bounded,
      cells: sum.cells + one.cells,
      heldLarge: sum.heldLarge + one.heldLarge,
      large: sum.large + one.large,
      width: sum.width + one.width,
      error: sum.error + one.error,
    }),
    none,
  );

/** `isLarge` and `isEmpty` look at the truth; cells that are empty in both are right without saying anything. */
const covered = (
  { values, low, high }: Bounds,
  truth: Float64Array,
  isLarge: (truth: number, i: number) => boolean,
  isEmpty: (truth: number, value: number) => boolean,
): Coverage => {
  const count = { ...none } as { -readonly [Name in keyof Coverage]: number };
  truth.forEach((right, i) => {
    if (isEmpty(right, values[i])) return;
    count.cells++;
    if (Number.isNaN(low[i])) return;
    count.bounded++;
    const held = low[i] <= right && right <= high[i] ? 1 : 0;
    count.held += held;
    count.width += high[i] - low[i];
    count.error += Math.abs(values[i] - right);
    if (!isLarge(right, i)) return;
    count.large++;
    count.heldLarge += held;
  });
  return count;
};

/** Pairs of more cells are not asked for. */
const pairCells = 5000;

/** Shares of an attribute's cells within the first cell of the next one, and how many records that cell has. */
const sharesOf = (model: Answering, a: string, b: string): { shares: Float64Array; sum: number } => {
  const counts = model.marginal([a, b]);
  const first = counts.subarray(0, counts.length / model.marginal([a]).length);
  const sum = first.reduce((total, cell) => total + cell, 0);
  return { shares: first.map((cell) => cell / sum), sum };
};

/** The mean code of an attribute in each cell of another, as AVG ... GROUP BY has it. */
const meansOf = (model: Answering, by: string, of: string): Float64Array => {
  const counts = model.marginal([by, of]);
  const groups = model.marginal([by]).length;
  const size = counts.length / groups;
  return Float64Array.from({ length: groups }, (_, group) => {
    const own = counts.subarray(group * size, (group + 1) * size);
    const sum = own.reduce((total, cell) => total + cell, 0);
    return own.reduce((total, cell, code) => total + cell * code, 0) / sum;
  });
};

/** How often the bounds of a release hold, by kind of question. Looks at the truth. */
export const judgeBounds = (
  source: BoundsSource,
  truth: Answering,
  triples: readonly (readonly string[])[],
): Record<Kind, Coverage> => {
  const { domain, total } = truth;
  const names = domain.attributes.map(({ name }) => name);
  const pairs = names
    .flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]))
    .filter((pair) => cellsOf(domain, pair) <= pairCells);
  const isMeasured = (set: readonly string[]): boolean =>
    noiseBounds(source.measurements, domain, marginal(...set)) !== undefined;
  const counts = (sets: readonly (readonly string[])[]): Coverage =>
    together(
      sets.map((set) => {
        const query = marginal(...set);
        return covered(
          boundsOf(source, query),
          truth.answer(query),
          (right) => right >= total / 100,
          (right, value) => right === 0 && value < total / 1e5,
        );
      }),
    );
  const measured = pairs.filter(isMeasured);
  const next = names.slice(1).map((name, i) => [names[i], name] as const);
  return {
    'one-way': counts(names.map((name) => [name])),
    'pairs measured': counts(measured),
    'pairs not measured': counts(pairs.filter((pair) => !measured.includes(pair))),
    triples: counts(triples),
    shares: together(
      next.map(([a, b]) => {
        const { shares, sum } = sharesOf(truth, a, b);
        return covered(
          boundsOfStatistic(source, (model) => sharesOf(model, a, b).shares),
          shares,
          (right) => right * sum >= total / 100,
          (right, value) => Number.isNaN(right) || (right === 0 && value < 1e-5),
        );
      }),
    ),
    means: together(
      next.map(([a, b]) => {
        const groups = truth.marginal([a]);
        return covered(
          boundsOfStatistic(source, (model) => meansOf(model, a, b)),
          meansOf(truth, a, b),
          (_, i) => groups[i] >= total / 100,
          (right) => Number.isNaN(right),
        );
      }),
    ),
  };
};
