import { openCells } from '../../domain/attribute/cells.js';
import { cellsOf, type Domain } from '../../domain/domain.js';
import type { CodeColumn } from '../../domain/table.js';
import { sumTo } from '../../model/sum-to.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { fromResiduals, residualsIn } from '../residuals/from-residuals.js';
import { estimateTotal, varianceOf } from '../total/estimate-total.js';

/** Fewer standard deviations of noise than this, and an open end is taken to hold nobody until the fit says otherwise. */
const clear = 3;
/** Each end is brought to its share in turn; copies beyond two ends move both, so it is done over. */
const turns = 4;

/** An open end: who lies there, and the share that they begin with. */
interface End {
  readonly codes: CodeColumn;
  readonly cell: number;
  readonly share: number;
  readonly isClear: boolean;
}

/**
 * The support with as much weight beyond its open ends as the measurements clearly say. No public row lies there, so the rows that stand for
 * what does begin with next to no weight, from which a fit that multiplies weights would be long on its way: half of the records may lie
 * there. All other weights keep their proportions, but for rows beyond two ends. `total` is the number of records where it is public.
 * Post-processing; the same measurements give the same start.
 */
export const withOpenShares = (support: Support, measurements: readonly Measurement[], total?: number): Support => {
  const { domain } = support;
  if (domain.attributes.every(({ spec }) => openCells(spec).length === 0)) return support;
  const records = total ?? estimateTotal(measurements, domain);
  const ends = domain.attributes.flatMap(({ name, spec }, attribute): End[] => {
    const open = openCells(spec);
    if (open.length === 0) return [];
    const codes = support.columns[attribute];
    const counts = countsOf(measurements, domain, name);
    return open.map((cell) => {
      const count = counts === undefined ? 0 : counts.values[cell];
      const isClear = count > clear * Math.sqrt(counts?.variances[cell] ?? 0) && count < records;
      return { codes, cell, share: isClear ? count / records : heldBy(support.weights, codes, cell), isClear };
    });
  });
  if (!ends.some(({ isClear }) => isClear)) return support;
  const weights = support.weights.slice();
  for (let turn = 0; turn < turns; turn++)
    for (const { codes, cell, share } of ends) {
      const held = heldBy(weights, codes, cell);
      if (!(held > 0 && held < 1)) continue;
      const [inside, outside] = [share / held, (1 - share) / (1 - held)];
      for (let row = 0; row < weights.length; row++) weights[row] *= codes[row] === cell ? inside : outside;
    }
  return reweighted(support, weights);
};

/** What the rows of one cell weigh. */
const heldBy = (weights: Float64Array, codes: CodeColumn, cell: number): number => {
  let held = 0;
  for (let row = 0; row < weights.length; row++) if (codes[row] === cell) held += weights[row];
  return held;
};

/** The counts of one attribute that measured marginals tell, or residuals, with their variances; undefined where none holds it. */
const countsOf = (
  measurements: readonly Measurement[],
  domain: Domain,
  name: string,
): { readonly values: Float64Array; readonly variances: Float64Array } | undefined => {
  let precision = 0;
  let sums: Float64Array | undefined;
  for (const measurement of measurements) {
    const { query, values } = measurement;
    if (query.kind !== 'marginal' || !query.attributes.includes(name)) continue;
    const own = sumTo(values, domain, query.attributes, [name]);
    // An answer without noise weighs more than all others.
    const variance = (varianceOf(measurement) * cellsOf(domain, query.attributes)) / own.length;
    const weight = 1 / Math.max(variance, 1e-12);
    precision += weight;
    sums ??= new Float64Array(own.length);
    for (let cell = 0; cell < own.length; cell++) sums[cell] += weight * own[cell];
  }
  if (sums === undefined) return fromResiduals(residualsIn(measurements, domain), domain, marginal(name));
  return {
    values: sums.map((sum) => sum / precision),
    variances: new Float64Array(sums.length).fill(1 / precision),
  };
};
