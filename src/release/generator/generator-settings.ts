import { InputError } from '../../domain/input-error.js';
import type { Loss } from '../../estimate/generator/train.js';

/** How a generator is trained in rounds. */
export interface GeneratorSettings {
  /** Noise vectors B, each of which becomes a product distribution. */
  readonly batch: number;
  /** Steps of training after a measurement, at most (T_max). */
  readonly steps: number;
  /** Adam's learning rate. */
  readonly rate: number;
  /** Part of a round's epsilon that selects. */
  readonly alpha: number;
  /** How a query's error is scored: by the sum of its cells' errors, beyond what measuring it would leave, or by the largest. */
  readonly score: 'sum' | 'largest';
  /** What training makes small. */
  readonly loss: Loss;
  /** What the threshold keeps of itself from round to round, and which part of it errors must reach. */
  readonly gammaKeep: number;
  readonly gammaPart: number;
  /** What the averaged parameters keep of themselves from round to round. */
  readonly averageKeep: number;
  /** Steps of training on what is public, where there is such a thing. */
  readonly publicSteps: number;
}

/** The words that may be set. */
export const generatorChoices = { score: ['sum', 'largest'], loss: ['squares', 'absolute'] } as const;

/** Refuses parts that are none. */
export const checkParts = (parts: Readonly<Record<string, number>>): void => {
  for (const [name, value] of Object.entries(parts))
    if (!(value > 0 && value < 1)) throw new InputError(`${name}: must be between 0 and 1, got ${value}`);
};
