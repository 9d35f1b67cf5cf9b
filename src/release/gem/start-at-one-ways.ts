import type { Running } from '../../domain/running.js';
import type { Generator } from '../../estimate/generator/generator.js';
import { withHeadBias } from '../../estimate/generator/network-shape.js';
import { train } from '../../estimate/generator/train.js';
import { independentModel } from '../../estimate/graphical/independent-model.js';
import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Support } from '../../model/support/support.js';
import type { Session } from '../../privacy/session/session.js';
import { type MeasuredTask, measuredTargets } from '../generator/measured-targets.js';
import { roundShares } from '../generator/selecting-part.js';
import type { GemWork } from './gem-work.js';
import type { GemSettings } from './settings.js';

interface StartOptions extends GemSettings, Running {
  readonly prior?: Support | undefined;
}

/**
 * Measures all single attributes with their share of the budget, as AIM does first, and takes the generator there: without a public table
 * the biases of its last layer become the logits of the nearest distributions, so that not even an attribute of thousands of cells has to be
 * learned from an even start. One act of the session; the rest is post-processing.
 */
export const startAtOneWays = async (
  session: Session,
  generator: Generator,
  { singles, rounds, units }: GemWork,
  total: number,
  { oneWayShare, alpha, prior, signal, onProgress, ...settings }: StartOptions,
): Promise<MeasuredTask[]> => {
  const share = oneWayShare * session.remaining;
  const { measuring } = roundShares(session.remaining - share, rounds, alpha, session.budget.currency);
  const noises = singles.map((query) => session.preview([query], measuring)[0]);
  const measurements = await session.measure(singles, share);
  const known = measurements.map((measurement, index) => ({
    index,
    measurement,
    // An attribute of one cell is known where the number of records is.
    precision: varianceOf({ noise: noises[index] }) / varianceOf(measurement) || 1,
  }));
  if (prior === undefined) {
    const { factors } = independentModel(session.domain, measurements, total);
    const bias = Float32Array.from(factors.flatMap(({ potential }) => [...potential]));
    generator.load(withHeadBias(generator.shape, generator.parameters(), bias));
  }
  const onStep = (done: number): void => onProgress?.({ stage: 'one-ways', done, total: settings.steps });
  await train(generator, measuredTargets(known, total, units), { ...settings, gamma: 0, signal, onStep });
  return known;
};
