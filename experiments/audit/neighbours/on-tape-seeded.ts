import * as real from '../../../src/random/seeded.js';
import { currentTape } from './current-tape.js';

/** Stands in the place of src/random/seeded.js in an audit's process: how many words post-processing draws can be seen. */
export const seeded: typeof real.seeded = (seed) => {
  const { uint32 } = real.seeded(seed);
  return { uint32: currentTape()?.counted(seed, uint32) ?? uint32 };
};
