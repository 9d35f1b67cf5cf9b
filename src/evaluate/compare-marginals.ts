import { codesAt } from '../domain/cell-index.js';
import { cellsOf, type Domain, sizesOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { eventYielder } from '../domain/turns.js';
import type { Answering } from '../model/model.js';
import { attributesOf } from '../query/answer.js';
import { binomial, combinations } from '../query/workload/combinations.js';
import { sampleMarginals } from '../query/workload/sample-marginals.js';
import type { Random } from '../random/random.js';

/** Which marginals are compared. */
export interface CompareMarginalsOptions extends Running {
  /** Numbers of attributes of the marginals; 1, 2 and 3 by default, as far as there are so many. */
  readonly ways?: readonly number[] | undefined;
  /** Marginals with more cells are left out; 100,000 by default. */
  readonly maxCells?: number | undefined;
  /** Of more marginals of one number of attributes than this, so many are drawn; 1,000 by default. */
  readonly most?: number | undefined;
  /** Draws them. */
  readonly random: Random;
  /** Worst cells listed for each number of attributes; 5 by default. */
  readonly worst?: number | undefined;
}

/** A marginal with how far apart the two are in it. */
export interface MarginalDistance {
  readonly attributes: readonly string[];
  /** Total variation distance: half of the summed differences of shares, 0 to 1. */
  readonly distance: number;
}

/** A cell with its share in both. */
export interface CellDifference {
  readonly attributes: readonly string[];
  /** Cell number of each attribute. */
  readonly cells: readonly number[];
  readonly first: number;
  readonly second: number;
}

/** All marginals of one number of attributes. */
export interface WayComparison {
  readonly way: number;
  /** Those that were compared, in the order of the attributes or as drawn. */
  readonly marginals: readonly MarginalDistance[];
  /** How many there are within the limit of cells, or in all where they are too many to count. */
  readonly all: number;
  readonly mean: number;
  readonly most: MarginalDistance;
  /** Cells with the largest differences of shares, the worst first. */
  readonly worst: readonly CellDifference[];
}

/** Above this many, marginals are drawn without listing them. */
const listed = 100_000;

const choose = (
  domain: Domain,
  way: number,
  maxCells: number,
  most: number,
  random: Random,
): { readonly chosen: readonly (readonly string[])[]; readonly all: number } => {
  const names = domain.attributes.map(({ name }) => name);
  const ways = binomial(names.length, way);
  const drawn = () =>
    sampleMarginals(domain, way, most, random, { maxCells }).queries.map(({ query }) => attributesOf(query));
  if (ways > listed) return { chosen: drawn(), all: ways };
  const eligible = [...combinations(names.length, way)]
    .map((indices) => indices.map((index) => names[index]))
    .filter((attributes) => cellsOf(domain, attributes) <= maxCells);
  return { chosen: eligible.length > most ? drawn() : eligible, all: eligible.length };
};

/**
 * Compares two distributions marginal by marginal, as shares of their own totals. Exact, so it is for what is public or
 * synthetic; with a private table on one side it is a laboratory act. Costs an evaluation of each marginal on both sides.
 */
export const compareMarginals = async (
  first: Pick<Answering, 'domain' | 'total' | 'marginal'>,
  second: Pick<Answering, 'domain' | 'total' | 'marginal'>,
  options: CompareMarginalsOptions,
): Promise<WayComparison[]> => {
  const { maxCells = 100_000, most = 1000, worst = 5, random, signal, onProgress } = options;
  const { domain } = first;
  if (JSON.stringify(domain) !== JSON.stringify(second.domain))
    throw new InputError('compare: both sides must be over one domain, got two; read both by one schema');
  const ways = options.ways ?? [1, 2, 3].filter((way) => way <= domain.attributes.length);
  const yieldToEvents = eventYielder(signal);
  const compared: WayComparison[] = [];
  for (const way of ways) {
    const { chosen, all } = choose(domain, way, maxCells, most, random);
    if (chosen.length === 0) continue;
    const marginals: MarginalDistance[] = [];
    let cells: CellDifference[] = [];
    for (const attributes of chosen) {
      await yieldToEvents();
      const [a, b] = [first, second].map((side) => sharesOf(side, attributes));
      const sizes = sizesOf(domain, attributes);
      let distance = 0;
      let floor = cells.length < worst ? 0 : gap(cells[cells.length - 1]);
      for (let cell = 0; cell < a.length; cell++) {
        const difference = Math.abs(a[cell] - b[cell]);
        distance += difference / 2;
        if (difference <= floor) continue;
        cells = [...cells, { attributes, cells: codesAt(cell, sizes), first: a[cell], second: b[cell] }]
          .sort((x, y) => gap(y) - gap(x))
          .slice(0, worst);
        floor = cells.length < worst ? 0 : gap(cells[cells.length - 1]);
      }
      marginals.push({ attributes, distance });
      onProgress?.({ stage: `compare ${way}-way marginals`, done: marginals.length, total: chosen.length });
    }
    compared.push({
      way,
      marginals,
      all,
      mean: marginals.reduce((sum, { distance }) => sum + distance, 0) / marginals.length,
      most: marginals.reduce((a, b) => (b.distance > a.distance ? b : a)),
      worst: cells,
    });
  }
  return compared;
};

const gap = ({ first, second }: CellDifference): number => Math.abs(first - second);

const sharesOf = (
  { total, marginal }: Pick<Answering, 'total' | 'marginal'>,
  attributes: readonly string[],
): Float64Array => marginal(attributes).map((count) => count / total);
