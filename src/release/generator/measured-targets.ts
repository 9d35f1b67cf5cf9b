import type { Target } from '../../estimate/generator/train.js';
import type { Measurement } from '../../privacy/measurement.js';

/** The noisy answers of one of a generator's tasks. */
export interface MeasuredTask {
  readonly index: number;
  readonly measurement: Measurement;
}

/** What the generator should answer: of each task the mean of its measurements, which all have the same noise, for each of so many records. */
export const measuredTargets = (
  measured: readonly MeasuredTask[],
  total: number,
  units: readonly number[],
): Target[] => {
  const byTask = new Map<number, Float64Array[]>();
  for (const { index, measurement } of measured) byTask.set(index, [...(byTask.get(index) ?? []), measurement.values]);
  return [...byTask].map(([task, lists]) => ({
    task,
    proportions: lists[0].map((_, cell) => lists.reduce((sum, list) => sum + list[cell], 0) / lists.length / total),
    weight: lists.length,
    unit: units[task],
  }));
};
