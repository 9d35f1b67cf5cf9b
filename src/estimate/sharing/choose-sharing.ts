import { attributeNamed, type Domain } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import { eventYielder } from '../../domain/turns.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { factorsOf } from '../../query/factors.js';
import { residualSizes } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';
import { type Alone, riskAlone } from './risk-alone.js';
import { canShare, type Sharing, sharedAxes } from './sharing.js';

/** Weights of a cell alone that are tried, from next to no sharing on as long as more of it is better. */
const tried = [64, 8, 1];

export interface ChooseSharingOptions extends Running {
  /** Number of records. */
  readonly total: number;
}

/** Measured numbers of records in the cells of one attribute, with the variance of their noise. */
type Told = Pick<Alone, 'values' | 'variance'>;

/** What a measurement tells of the cells of one attribute: as it is, or added up over others. Undefined where it does not tell them. */
const toldOf = (domain: Domain, measurement: Measurement, name: string, total: number): Told | undefined => {
  const { query, values } = measurement;
  const names = attributesOf(query);
  const at = names.indexOf(name);
  if (at < 0) return undefined;
  const variance = varianceOf(measurement);
  const { size } = attributeNamed(domain, name)!;
  // What a residual leaves out is the even part of all records.
  if (residualSizes(query, domain) !== undefined)
    return names.length > 1 ? undefined : { values: values.map((value) => value + total / size), variance };
  const factors = factorsOf(query, domain);
  if (!factors.every(({ block }) => block.kind === 'keep')) return undefined;
  const inner = factors.slice(at + 1).reduce((product, factor) => product * factor.size, 1);
  const sums = new Float64Array(size);
  for (const [cell, value] of values.entries()) sums[Math.floor(cell / inner) % size] += value;
  return { values: sums, variance: (variance * values.length) / size };
};

/** All that is told of an attribute, weighed by how exactly. */
const together = (list: readonly Told[]): Told => {
  const precision = list.reduce((sum, { variance }) => sum + 1 / variance, 0);
  const values = new Float64Array(list[0].values.length);
  for (const told of list)
    for (const [i, value] of told.values.entries()) values[i] += value / told.variance / precision;
  return { values, variance: 1 / precision };
};

/**
 * How a validated fit to these measurements is to share its steps: for each ordered attribute the way by which its own cells are fitted with the least estimated
 * error, which may be not to share. Only measurements enter: post-processing.
 */
export const chooseSharing = async (
  domain: Domain,
  measurements: readonly Measurement[],
  { total, onProgress, signal }: ChooseSharingOptions,
): Promise<Sharing> => {
  const chosen = new Map<string, number>();
  const yieldToEvents = eventYielder(signal);
  const noisy = measurements.filter((measurement) => varianceOf(measurement) > 0);
  const names = domain.attributes.map(({ name }) => name).filter((name) => canShare(domain, name));
  for (const [done, name] of names.entries()) {
    onProgress?.({ stage: 'neighbours', done, total: names.length });
    const told: Told[] = [];
    for (const measurement of noisy) {
      await yieldToEvents();
      const own = toldOf(domain, measurement, name, total);
      if (own !== undefined) told.push(own);
    }
    if (told.length === 0) continue;
    const alone: Alone = { ...together(told), total };
    let least = await riskAlone(alone, undefined, { signal });
    for (const own of tried) {
      const [axis] = sharedAxes(domain, [name], new Map([[name, own]]));
      const risk = await riskAlone(alone, axis, { signal });
      if (!(risk < least)) break;
      least = risk;
      chosen.set(name, own);
    }
  }
  return chosen;
};
