import type { Random } from './random.js';
import { uniform } from './uniform.js';

/** A standard normal draw (polar method), for simulations only: private noise comes from the exact samplers. */
export const normal = (random: Random): number => {
  for (;;) {
    const u = 2 * uniform(random) - 1;
    const v = 2 * uniform(random) - 1;
    const s = u * u + v * v;
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
  }
};
