import type { GeneratorNeeds } from './layout.js';

/**
 * A network that maps a fixed batch of noise vectors to product distributions, in kernel memory: what it answers, and steps of Adam.
 * From the same start everything is the same to the bit for any number of threads. Answers are means over the batch: probabilities.
 */
export interface Generator extends GeneratorNeeds {
  /** Answers of all tasks at the present parameters: views that the next call overwrites. */
  answers(): Promise<readonly Float32Array[]>;
  /** Answers of these tasks (by their place in `tasks`), to be trained on: views that the next call overwrites. */
  forward(which: readonly number[]): Promise<readonly Float32Array[]>;
  /**
   * After `forward` and once the gradients by its answers are in `gradients`, takes a step of Adam with this learning rate. `active`
   * are the places, in the last `which`, of tasks whose gradient is not all 0.
   */
  step(rate: number, active: readonly number[]): Promise<void>;
  /** Gradients by the answers of the last `forward`, for the caller to fill before `step`: views. */
  gradients(): readonly Float32Array[];
  /** The gradient by the parameters of the last `step`: a new array. */
  parameterGradient(): Float32Array;
  /** The present parameters: a copy. */
  parameters(): Float32Array;
  /** Puts these parameters in their place; Adam's memory stays. */
  load(parameters: Float32Array): void;
  /** Forgets what Adam remembers of earlier steps. */
  restart(): void;
  /** The probabilities of all cells of all heads for each noise vector, at the present parameters: a copy. */
  probabilities(): Promise<Float32Array>;
  close(): void;
}
