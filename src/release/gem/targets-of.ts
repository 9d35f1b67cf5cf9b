import type { Target } from '../../estimate/generator/train.js';
import type { Measurement } from '../../privacy/measurement.js';

/** What the generator should answer: of each marginal the mean of its measurements, which all have the same noise, as proportions. */
export const targetsOf = (
  measured: readonly { readonly index: number; readonly measurement: Measurement }[],
  total: number,
): Target[] => {
  const byTask = new Map<number, Float64Array[]>();
  for (const { index, measurement } of measured) byTask.set(index, [...(byTask.get(index) ?? []), measurement.values]);
  return [...byTask].map(([task, lists]) => ({
    task,
    proportions: lists[0].map((_, cell) => lists.reduce((sum, list) => sum + list[cell], 0) / lists.length / total),
    weight: lists.length,
  }));
};
