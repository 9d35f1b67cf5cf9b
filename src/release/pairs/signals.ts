import type { Domain } from '../../domain/domain.js';
import type { Turns } from '../../domain/turns.js';
import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Engine } from '../../kernel/engine.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { NoiseName } from '../../privacy/noise/noise-kinds.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { residualPart } from '../../query/residual.js';

/** What measurements of a pair say beyond a model. */
export interface Signal {
  readonly attributes: readonly string[];
  /** Standard deviations by which the squared distance from what the model says exceeds what noise explains. */
  readonly deviations: number;
  /** Numbers that the measurements of the pair tell. */
  readonly dimensions: number;
}

/** The variance of a squared noise, in squared variances: its kurtosis less 1. */
const spreadOfSquares: Readonly<Record<NoiseName, number>> = { gaussian: 2, laplace: 5 };

/** The signals of all measured pairs (each measured once: `together`), from noisy answers and a model of them alone, strongest first. */
export function* signalsOf(
  domain: Domain,
  measurements: readonly Measurement[],
  model: Pick<GraphicalModel, 'answering'>,
  engine?: Engine,
): Turns<Signal[]> {
  const pairs = measurements.filter(({ query }) => attributesOf(query).length === 2);
  const told = yield* model.answering(
    pairs.map(({ query }) => attributesOf(query)),
    engine,
  );
  return pairs
    .map((measurement, at) => {
      const { query, values, noise } = measurement;
      const expected = answerFrom(query, domain, told[at]);
      const squares = values.reduce((sum, value, i) => sum + (value - expected[i]) ** 2, 0) / varianceOf(measurement);
      const dimensions = values.length * residualPart(query, domain);
      const spread = noise.kind === 'none' ? 0 : spreadOfSquares[noise.kind];
      const deviations = (squares - dimensions) / Math.sqrt(spread * dimensions);
      return { attributes: attributesOf(query), deviations, dimensions };
    })
    .sort((a, b) => b.deviations - a.deviations);
}
