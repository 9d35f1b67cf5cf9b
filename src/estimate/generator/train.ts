import type { Generator } from './generator.js';

/** Answers that a generator should give. */
export interface Target {
  /** The task's place in the generator's list. */
  readonly task: number;
  /** What it should answer, as the task's answers are: probabilities of its cells. */
  readonly proportions: ArrayLike<number>;
  /** What an error counts for; 1 by default. */
  readonly weight?: number | undefined;
  /** What an error is divided by before it is looked at; 1 by default. */
  readonly unit?: number | undefined;
}

/** How the inner loop goes. */
export interface TrainingOptions {
  /** Steps at most (T_max). */
  readonly steps: number;
  /** Adam's learning rate. */
  readonly rate: number;
  /** Errors below it are let be, and training ends when none is above. */
  readonly gamma: number;
  /** What is made small: the sum of absolute errors, as equation 1 has it, or of squares. */
  readonly loss: Loss;
  /** Hears of every step. */
  readonly onStep?: ((step: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The slope of what an error counts for. */
const slopes = {
  absolute: Math.sign,
  squares: (error: number) => 2 * error,
} as const;

export type Loss = keyof typeof slopes;

/** Puts the gradients of errors from `gamma` on in place; the targets that have one, and the largest error. */
const pull = (
  answers: readonly Float32Array[],
  gradients: readonly Float32Array[],
  targets: readonly Target[],
  { gamma, loss }: TrainingOptions,
): { readonly active: number[]; readonly largest: number } => {
  const slope = slopes[loss];
  const active: number[] = [];
  let largest = 0;
  for (const [i, { proportions, weight = 1, unit = 1 }] of targets.entries()) {
    const [own, gradient] = [answers[i], gradients[i]];
    let worst = 0;
    for (let cell = 0; cell < own.length; cell++) {
      const error = (own[cell] - proportions[cell]) / unit;
      const size = Math.abs(error);
      if (size > worst) worst = size;
      gradient[cell] = size >= gamma ? (weight / unit) * slope(error) : 0;
    }
    if (worst >= gamma) active.push(i);
    largest = Math.max(largest, worst);
  }
  return { active, largest };
};

/**
 * H-GEM's Algorithm 4, which is GEM's as well: steps on the answers whose error is at least gamma, until there is none or T_max steps are
 * made. The noise vectors are the same in every step, so that what is trained is what is released. Steps made, and the largest error before the last.
 */
export const train = async (
  generator: Generator,
  targets: readonly Target[],
  options: TrainingOptions,
): Promise<{ readonly steps: number; readonly largest: number }> => {
  const which = targets.map(({ task }) => task);
  let largest = 0;
  for (let step = 0; step < options.steps; step++) {
    options.signal?.throwIfAborted();
    const answers = await generator.forward(which);
    const pulled = pull(answers, generator.gradients(), targets, options);
    largest = pulled.largest;
    if (pulled.active.length === 0) return { steps: step, largest };
    await generator.step(options.rate, pulled.active);
    options.onStep?.(step + 1);
  }
  return { steps: options.steps, largest };
};
