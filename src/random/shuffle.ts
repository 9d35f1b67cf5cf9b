import type { Random } from './random.js';
import { uniformInteger } from './uniform.js';

/** A uniformly random order of the items (Fisher-Yates), as a new array. */
export const shuffle = <T>(items: Iterable<T>, random: Random): T[] => {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = uniformInteger(random, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
};
