import type { Domain } from '../domain/domain.js';
import type { Charge } from '../privacy/accounting/charge.js';
import { errorSensitivity, unitsPerRecord } from '../privacy/answers/error-statistics.js';
import { chargeToJson } from '../privacy/ledger/record/charge-json.js';
import type { GaussianTerms } from '../privacy/noise/gaussian.js';
import { gaussianDetails } from '../privacy/noise/gaussian-details.js';
import { isNoiseCharge, type NoiseName, noiseIn, noiseKinds } from '../privacy/noise/noise-kinds.js';
import { type Rational, rational } from '../privacy/rational.js';
import type { PrivacyStatement } from '../privacy/session/statement.js';
import { describeQuery } from '../query/describe-query.js';
import type { Query } from '../query/query.js';
import { residualSizes } from '../query/residual.js';
import { larger } from '../query/sensitivity/larger.js';
import { residualSensitivity } from '../query/sensitivity/residual-sensitivity.js';
import { sensitivity } from '../query/sensitivity/sensitivity.js';
import type { Measured } from './codec/measurements-file.js';

type Setting = Pick<PrivacyStatement, 'relation' | 'unit'> & { readonly domain: Domain };

type Details = Pick<GaussianTerms, 'records' | 'grid'>;

const keyOf = (
  kind: string,
  scale: number,
  { numerator, denominator }: Rational,
  { records, grid }: Details = {},
): string =>
  `${kind} ${scale} ${numerator}/${denominator}${[records, grid].map((term) => (term === undefined ? ' -' : ` ${term.numerator}/${term.denominator}`)).join('')}`;

/** The sensitivities at which a query may have been charged: in the whole table, or in one of several groups. */
const sensitivitiesOf = (query: Query, kind: NoiseName, { domain, relation, unit }: Setting): Rational[] => {
  const sizes = residualSizes(query, domain);
  // In a group no more than in the whole table.
  if (sizes !== undefined) {
    const size = kind === 'gaussian' ? residualSensitivity(sizes, relation, unit.maxRecords) : undefined;
    return size === undefined ? [] : [rational(size.numerator, size.denominator)];
  }
  const of = (under: typeof relation) => noiseKinds[kind].sensitivityIn(sensitivity(query, domain, under, unit));
  const whole = of(relation);
  // In groups under replace-one a unit may leave one group and enter another (src/privacy/session/partition.ts).
  const moved = relation === 'replace-one' ? 2n * of('add-remove') : whole;
  return [...new Set([whole, larger(whole, moved)])].filter((size) => size > 0n).map((size) => rational(size));
};

/** Whether neighbours can differ in the answers. */
const moves = (query: Query, { domain, relation, unit }: Setting): boolean => {
  const sizes = residualSizes(query, domain);
  return sizes === undefined
    ? sensitivity(query, domain, relation, unit).l1 > 0
    : residualSensitivity(sizes, relation, unit.maxRecords) !== undefined;
};

/** A noisy error that was paid for beside the measurements: of what, how it was measured, and the noise in records. */
export interface PaidError extends Pick<Measured, 'noise'> {
  readonly file: string;
  readonly kind: 'exact' | 'upper bound';
}

/** The charge that an error must have: its noise and its sensitivity are counted in units, and a unit of privacy moves a cell by its rows. */
const keyOfError = ({ kind, noise }: PaidError, { unit }: Setting): string => {
  const size = errorSensitivity(kind === 'exact' ? 'best mixture' : 'largest', unit.maxRecords);
  return keyOf(noise.kind, noise.scale * unitsPerRecord, rational(size));
};

/**
 * Compares what was measured with what was charged: every measurement must have a charge of its own with the noise it
 * states and the sensitivity its query has under the relation and unit, and every charge of noise a measurement, or one of the
 * errors that public tables were chosen by. Charges of parallel
 * groups stand for all groups that were charged alike, so they serve any number of measurements. A sentence for each fault.
 */
export const matchCharges = (
  measured: readonly Measured[],
  charges: readonly Charge[],
  setting: Setting,
  errors: readonly PaidError[] = [],
): string[] => {
  const faults: string[] = [];
  const single = new Map<string, number[]>();
  const shared = new Set<string>();
  const collect = (charge: Charge, index: number, inGroup: boolean): void => {
    if (charge.kind === 'parallel')
      for (const group of charge.groups) for (const own of group) collect(own, index, true);
    if (!isNoiseCharge(charge)) return;
    const { sensitivity: size, parameter } = noiseIn(charge);
    const key = keyOf(charge.kind, noiseKinds[charge.kind].scaleOf(parameter), size, charge as Details);
    if (inGroup) shared.add(key);
    else {
      const list = single.get(key);
      if (list === undefined) single.set(key, [index]);
      else list.push(index);
    }
  };
  charges.forEach((charge, index) => {
    collect(charge, index, false);
  });
  // The last first: taking from the front would move all others each time.
  for (const list of single.values()) list.reverse();
  measured.forEach(({ query, noise: { kind, scale } }, index) => {
    const which = `measurement ${index + 1} (${describeQuery(query)})`;
    if (kind === 'none') {
      if (moves(query, setting)) faults.push(`${which}: must have noise, got none`);
      return;
    }
    // A charge may say how the answers move, and then it must be true; or not, as those in rho do.
    const details = gaussianDetails(query, kind, setting.unit, residualSizes(query, setting.domain));
    const keys = sensitivitiesOf(query, kind, setting).flatMap((size) => [
      keyOf(kind, scale, size, details),
      keyOf(kind, scale, size),
    ]);
    const own = keys
      .slice(0, 2)
      .map((key) => single.get(key))
      .find((list) => list !== undefined && list.length > 0);
    if (own !== undefined) own.pop();
    else if (!keys.some((key) => shared.has(key)))
      faults.push(
        `${which}: must have a charge for ${kind} noise of scale ${scale} on its sensitivity, got none left over`,
      );
  });
  for (const error of errors)
    if (single.get(keyOfError(error, setting))?.pop() === undefined)
      faults.push(
        `the error of ${error.file}: must have a charge for ${error.noise.kind} noise of scale ${error.noise.scale} on its sensitivity, got none left over`,
      );
  const left = [...single.values()].flat().sort((a, b) => a - b);
  for (const index of left)
    faults.push(
      `charge ${index + 1} (${JSON.stringify(chargeToJson(charges[index]))}): must belong to a measurement, got none with its noise and sensitivity`,
    );
  return faults;
};
