import { rowsKept } from '../../domain/constraints/mended.js';
import { type Domain, indexOf } from '../../domain/domain.js';
import { rowsAt } from '../../domain/resample.js';
import { codeColumn, type Table } from '../../domain/table.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { NoiseName } from '../../privacy/noise/noise-kinds.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { residualSizes } from '../../query/residual.js';
import type { Random } from '../../random/random.js';
import { fromResiduals, residualsIn } from '../residuals/from-residuals.js';

/** Rows that a cell gets, and cells that get some at most. */
export const rowsEach = 8;
const mostCells = 1000;
/** Rows of the support that the new ones are made of. */
const donors = 2048;
/** Cells that noise alone would lift so high, of all that are measured: one release in so many has one. */
const onceIn = 10;

/** What noise alone exceeds in one of `cells` answers less than once in `onceIn` releases. */
const threshold: Readonly<Record<NoiseName, (scale: number, cells: number) => number>> = {
  gaussian: (scale, cells) => scale * Math.sqrt(2 * Math.log(onceIn * cells)),
  laplace: (scale, cells) => scale * Math.log(onceIn * cells),
};

/** A cell of a measured marginal. */
interface HeldUp {
  readonly attributes: readonly string[];
  readonly codes: readonly number[];
}

/** Cells of measured marginals that hold records beyond what noise explains, and that no row of the support is in: the first `mostCells` of them. */
const heldUp = (support: Support, measurements: readonly Measurement[]): HeldUp[] => {
  const { domain } = support;
  const model = supportModel(support, 1);
  const answers = measurements.reduce((sum, { values }) => sum + values.length, 0);
  const residuals = residualsIn(measurements, domain);
  const found: HeldUp[] = [];
  for (const measurement of measurements) {
    if (found.length >= mostCells) break;
    const attributes = attributesOf(measurement.query);
    const high = attributes.length === 0 ? [] : cellsAbove(domain, measurement, residuals, answers);
    if (high.length === 0) continue;
    const held = model.marginal(attributes);
    const sizes = attributes.map((name) => domain.attributes[indexOf(domain, name)].size);
    for (const cell of high) if (held[cell] === 0) found.push({ attributes, codes: codesOf(cell, sizes) });
  }
  return found.slice(0, mostCells);
};

/** The cells whose noisy counts are beyond what noise reaches: of a marginal as it was measured, or as residuals tell it. */
const cellsAbove = (
  domain: Domain,
  { query, values, noise }: Measurement,
  residuals: ReadonlyMap<string, Measurement>,
  answers: number,
): number[] => {
  if (noise.kind === 'none') return [];
  if (query.kind === 'marginal') {
    const least = threshold[noise.kind](noise.scale, answers);
    return cellsWhere(values, (value) => value > least);
  }
  if (residualSizes(query, domain) === undefined) return [];
  const told = fromResiduals(residuals, domain, marginal(...attributesOf(query)));
  if (told === undefined) return [];
  const { variances } = told;
  return cellsWhere(told.values, (value, cell) => value > threshold.gaussian(Math.sqrt(variances[cell]), answers));
};

const cellsWhere = (values: Float64Array, holds: (value: number, cell: number) => boolean): number[] => {
  const cells: number[] = [];
  for (let cell = 0; cell < values.length; cell++) if (holds(values[cell], cell)) cells.push(cell);
  return cells;
};

const codesOf = (cell: number, sizes: readonly number[]): number[] => {
  const codes = new Array<number>(sizes.length);
  for (let a = sizes.length - 1; a >= 0; a--) {
    codes[a] = cell % sizes[a];
    cell = Math.floor(cell / sizes[a]);
  }
  return codes;
};

/**
 * Rows for cells that measurements hold up and no row is in: rows of the support that agree with the cell in as many attributes as can be, moved
 * into it. Post-processing: it looks at noisy answers. No rows where there is no such cell.
 */
export const cellRows = (support: Support, measurements: readonly Measurement[], random: Random): Table | undefined => {
  const cells = heldUp(support, measurements);
  if (cells.length === 0) return undefined;
  const { domain } = support;
  const pool = supportModel(support, 1).sample(donors, random);
  const made = cells.map(({ attributes, codes }) => {
    const columns = attributes.map((name) => pool.columns[indexOf(domain, name)]);
    const agreeing = (row: number): number =>
      columns.reduce((sum, column, a) => sum + Number(column[row] === codes[a]), 0);
    const nearest = Array.from({ length: donors }, (_, row) => ({ row, agreeing: agreeing(row) }))
      .sort((a, b) => b.agreeing - a.agreeing)
      .slice(0, rowsEach);
    return { attributes, codes, rows: nearest.map(({ row }) => row) };
  });
  const table = rowsAt(
    pool,
    made.flatMap(({ rows }) => rows),
  );
  const columns = domain.attributes.map(({ size }, a) => {
    const column = codeColumn(size, table.length);
    column.set(table.columns[a]);
    return column;
  });
  made.forEach(({ attributes, codes }, c) => {
    attributes.forEach((name, a) => {
      columns[indexOf(domain, name)].fill(codes[a], c * rowsEach, (c + 1) * rowsEach);
    });
  });
  const kept = rowsKept({ ...table, columns });
  return kept.length === 0 ? undefined : kept;
};
