import type { Running } from '../../domain/running.js';
import { inTurns } from '../../domain/turns.js';
import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Model } from '../../model/model.js';
import { redrawing } from '../../model/redraw.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Marginal } from '../../query/marginal.js';
import type { Random } from '../../random/random.js';

/** Draws that a table of clumps has at least. */
const fewestDraws = 100;

/**
 * How far the public table is from the private one, by the marginals that were measured: the size of the clumps of equal records in which a table of the same number of
 * records, drawn from the private one, would be as far from it. Of what is measured the public table says less than of what is taken
 * from it, so this is rather too far. Post-processing: `publicOf` are public counts, what was measured is noisy.
 */
export const clumpBetween = (
  measured: readonly Measurement[],
  publicOf: (attributes: readonly string[]) => Float64Array,
): number => {
  let [distance, scatter, records] = [0, 0, 0];
  for (const measurement of measured) {
    const ours = publicOf((measurement.query as Marginal).attributes);
    const total = ours.reduce((sum, count) => sum + count, 0);
    const variance = varianceOf(measurement);
    ours.forEach((count, i) => {
      distance += (measurement.values[i] - count) ** 2 - variance;
      scatter += count * (1 - count / total);
    });
    records = Math.max(records, total);
  }
  return scatter > 0 ? Math.max(1, Math.min(distance / scatter, records / fewestDraws)) : 1;
};

/**
 * What another public table, as far from the private one, would have said where the model is the truth: one table for all marginals, since what is wrong of an attribute
 * is wrong in all of them. A marginal is no farther from the truth than the noise that it was preferred to.
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
  return taken.map((one) => {
    const right = model.answer(one.query);
    const off = table.answer(one.query).map((count, i) => count - right[i]);
    const distance = off.reduce((sum, count) => sum + Math.abs(count), 0);
    const part = Math.min(1, (expectedError(one.noise) * off.length) / distance);
    return { ...one, values: right.map((count, i) => count + part * off[i]) };
  });
};
