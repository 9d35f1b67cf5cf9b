import type { Outside } from '../../src/index.js';

/** The rules in the order in which they are offered. The page loads nothing of the core but types: the core is in its worker. */
export const outsideRules = ['declared', 'other', 'clip', 'stop'] as const satisfies readonly Outside[];
