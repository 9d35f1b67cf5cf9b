import type { Domain } from '../domain/domain.js';
import { expectedError } from '../privacy/expected-error.js';
import type { Measurement, Noise } from '../privacy/measurement.js';
import type { Query } from '../query/query.js';
import { recordUnit } from '../query/record-unit.js';

/** Part of the records that the noise of a marginal may misplace before it says more of the noise than of the table. */
const most = 0.5;

/** What was measured, or will be: `times` times. */
interface Noisy {
  readonly noise: Noise;
  readonly answers: number;
  /** Unknown where it is chosen on the way. */
  readonly query?: Query | undefined;
  readonly times?: number | undefined;
}

/** Measurements, and those among them whose noise would put more than half of the records into wrong cells. */
export interface Drowning {
  readonly all: number;
  readonly lost: number;
}

/** How many measurements of several answers each their noise drowns, by a number of records that is noisy, expected or assumed. */
export const drowning = (measured: readonly Noisy[], domain: Domain, records: number): Drowning => {
  let [all, lost] = [0, 0];
  for (const { noise, answers, query, times = 1 } of measured) {
    if (answers < 2) continue;
    const unit = query === undefined ? 1 : recordUnit(query, domain);
    all += times;
    if ((expectedError(noise) * answers) / unit / 2 > most * records) lost += times;
  }
  return { all, lost };
};

/** Whether the noise drowns most of what is measured. */
export const isDrowned = ({ all, lost }: Drowning): boolean => 2 * lost > all;

/** Whether the noise of a release drowned most of what it measured, by its own noisy number of records. */
export const drownsRelease = (measurements: readonly Measurement[], domain: Domain, records: number): boolean =>
  isDrowned(
    drowning(
      measurements.map(({ noise, values, query }) => ({ noise, answers: values.length, query })),
      domain,
      records,
    ),
  );
