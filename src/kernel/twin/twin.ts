import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';
import { countTwin } from './count-twin.js';
import { factorTwin } from './factor-twin.js';
import { floatTwin } from './float-twin.js';
import { jointTwin } from './joint-twin.js';
import { networkTwin } from './network-twin.js';
import { projectTwin } from './project-twin.js';
import { roundTwin } from './round-twin.js';
import { slotTwin } from './slot-twin.js';

/** The kernels in plain TypeScript over the same memory: what they mean, one element at a time. Slow; for tests. */
export const twin = (memory: WasmMemory): Kernels => ({
  ...countTwin(memory),
  ...floatTwin(memory),
  ...jointTwin(memory),
  ...projectTwin(memory),
  ...factorTwin(memory),
  ...networkTwin(memory),
  ...roundTwin(memory),
  ...slotTwin(memory),
});
