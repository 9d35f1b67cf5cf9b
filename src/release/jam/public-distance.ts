import type { Running } from '../../domain/running.js';
import { inTurns } from '../../domain/turns.js';
import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Model } from '../../model/model.js';
import { fewestDraws, redrawing } from '../../model/redraw.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Marginal } from '../../query/marginal.js';
import type { Random } from '../../random/random.js';

/** Standard deviations of the estimated distance that are added to it: what noise hides is not shown to be absent. */
const caution = 0.5;

/**
 * How far the public table is from the private one, by the marginals that were measured: the size of the clumps of equal records in which a table of the same number of
 * records, drawn from the private one, would be as far from it. Of what is measured the public table says less than of what is taken
 * from it, so this is rather too far; and two tables of so many records differ by chance at least. Post-processing: `publicOf` are public counts, what was measured is noisy.
 */
export const clumpBetween = (
  measured: readonly Measurement[],
  publicOf: (attributes: readonly string[]) => Float64Array,
  publicRecords: number,
): number => {
  let [distance, spread, scatter, records] = [0, 0, 0, 0];
  for (const measurement of measured) {
    const ours = publicOf((measurement.query as Marginal).attributes);
    const total = ours.reduce((sum, count) => sum + count, 0);
    const variance = varianceOf(measurement);
    ours.forEach((count, i) => {
      distance += (measurement.values[i] - count) ** 2 - variance;
      scatter += count * (1 - count / total);
    });
    spread += 2 * ours.length * variance ** 2;
    records = Math.max(records, total);
  }
  if (!(scatter > 0)) return 1;
  const found = (distance + caution * Math.sqrt(spread)) / scatter;
  // Two samples of the same population are as far from each other.
  const least = 1 + records / publicRecords;
  return Math.max(1, Math.min(Math.max(found, least), records / fewestDraws));
};

/**
 * Public answers with the noise that they are worth: the root mean square of what a table in such clumps is off by, or the noise that they were preferred to where
 * that is less. A fit that is told of more noise than there is stops before it has learned what they say.
 */
export const worth = (taken: readonly Measurement[], clump: number): readonly Measurement[] =>
  taken.map((one) => {
    const { values, noise } = one;
    const total = values.reduce((sum, count) => sum + count, 0);
    const scatter = values.reduce((sum, count) => sum + count * (1 - count / total), 0);
    const scale = Math.sqrt(Math.max(1, (clump * scatter) / values.length));
    const { kind } = noise;
    return kind === 'none' ? one : { ...one, noise: { kind, scale: Math.min(noise.scale, scale) } };
  });

/**
 * What another public table, as far from the private one, would have said where the model is the truth: one table for all marginals, since what is wrong of an attribute
 * is wrong in all of them.
 */
export const drawnAnew = async (
  taken: readonly Measurement[],
  model: Model,
  clump: number,
  random: Random,
  running: Running,
): Promise<readonly Measurement[]> => {
  if (taken.length === 0) return taken;
  const table = await inTurns(redrawing(model, random, clump), running);
  return taken.map((one) => ({ ...one, values: table.answer(one.query) }));
};
