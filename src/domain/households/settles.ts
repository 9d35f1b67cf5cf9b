import type { Outside } from '../schema/outside.js';

/**
 * Whether rows that contradict one another are settled rather than refused: under a rule by which no value of any row stops a run, no key does either. Then
 * the first person speaks for a household, the first row of a household stands, and persons without a household are left out.
 */
export const settles = (outside: Outside = 'declared'): boolean => outside === 'other' || outside === 'clip';
