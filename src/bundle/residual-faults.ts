import type { Domain } from '../domain/domain.js';
import type { Measurement } from '../privacy/measurement.js';
import { answerFrom } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import { residualSizes } from '../query/residual.js';

/** Rounding errors of sums and centring, in units of the last place of the largest value. */
const roundings = 64;

/**
 * Noisy residuals must be residuals (no line along an axis has a sum), and lie on the grid on which noise was drawn: cells times the
 * difference of two values that are neighbours along the only axis, or cells times a contrast, is whole. A sentence for each that is not.
 */
export const residualFaults = (measurements: readonly Measurement[], domain: Domain): string[] =>
  measurements.flatMap(({ query, values }, index) => {
    const sizes = residualSizes(query, domain);
    if (sizes === undefined) return [];
    const which = `measurement ${index + 1} (${describeQuery(query)})`;
    const rounding = roundings * 2 ** -52 * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const again = answerFrom(query, domain, values);
    if (again.some((value, cell) => Math.abs(value - values[cell]) > rounding))
      return [`${which}: must be a residual, which sums to 0 along each attribute, got another table`];
    const fine = values.length * 2 ** sizes.length * rounding < 0.25;
    const whole = contrasts(values, sizes).every((contrast) => {
      const onGrid = contrast * values.length;
      return Math.abs(onGrid - Math.round(onGrid)) <= values.length * 2 ** sizes.length * rounding;
    });
    return fine && !whole
      ? [`${which}: contrasts of its values times its cells must be whole numbers, got others`]
      : [];
  });

/** Differences of neighbours along every axis. */
const contrasts = (values: Float64Array, sizes: readonly number[]): Float64Array => {
  let result = values;
  let inner = values.length;
  for (const size of sizes) {
    inner /= size;
    const from = result;
    const step = inner;
    const lines = from.length / (size * step);
    const out = new Float64Array(lines * (size - 1) * step);
    for (let o = 0; o < lines; o++)
      for (let k = 0; k < (size - 1) * step; k++)
        out[o * (size - 1) * step + k] = from[(o * size + 1) * step + k] - from[o * size * step + k];
    result = out;
  }
  return result;
};
