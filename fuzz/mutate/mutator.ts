import type { Random } from '../../src/random/random.js';
import { uniformInteger } from '../../src/random/uniform.js';

/** A new input from an old one; `other` is a second one to take parts from. Never changes its arguments. */
export type Mutator = (bytes: Uint8Array, other: Uint8Array, random: Random) => Uint8Array;

/** A whole number from 0 to below `bound`. */
export const below = (bound: number, random: Random): number => uniformInteger(random, Math.max(1, bound));

export const oneOf = <T>(list: readonly T[], random: Random): T => list[below(list.length, random)];

/** One of several mutators, each as likely as its weight says. */
export const mixed =
  (...choices: readonly (readonly [weight: number, mutator: Mutator])[]): Mutator =>
  (bytes, other, random) => {
    let at = below(
      choices.reduce((sum, [weight]) => sum + weight, 0),
      random,
    );
    for (const [weight, mutator] of choices) {
      at -= weight;
      if (at < 0) return mutator(bytes, other, random);
    }
    return bytes;
  };
