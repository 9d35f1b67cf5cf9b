import type { Target } from '../../estimate/generator/train.js';
import type { Measurement } from '../../privacy/measurement.js';

/** The noisy answers of one of a generator's tasks. */
export interface MeasuredTask {
  readonly index: number;
  readonly measurement: Measurement;
  /** What it counts for beside those of the rounds: the inverse of its variance in theirs; 1 by default. */
  readonly precision?: number | undefined;
}

/** What the generator should answer: of each task the mean of its measurements, by their precision, for each of so many records. */
export const measuredTargets = (
  measured: readonly MeasuredTask[],
  total: number,
  units: readonly number[],
): Target[] => {
  const byTask = new Map<number, MeasuredTask[]>();
  for (const one of measured) byTask.set(one.index, [...(byTask.get(one.index) ?? []), one]);
  return [...byTask].map(([task, own]) => {
    const weight = own.reduce((sum, { precision = 1 }) => sum + precision, 0);
    const meanOf = (cell: number): number =>
      own.reduce((sum, { measurement, precision = 1 }) => sum + precision * measurement.values[cell], 0) / weight;
    return {
      task,
      proportions: own[0].measurement.values.map((_, cell) => meanOf(cell) / total),
      weight,
      unit: units[task],
    };
  });
};
