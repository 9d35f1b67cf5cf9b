import type { Random } from './random.js';
import { uniform } from './uniform.js';

/** A draw of Laplace's law of scale 1, for simulations only: private noise comes from the exact samplers. */
export const doubleExponential = (random: Random): number =>
  (random.uint32() & 1 ? 1 : -1) * -Math.log(1 - uniform(random));
