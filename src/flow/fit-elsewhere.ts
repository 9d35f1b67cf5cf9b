/** Fits as plain data, and who carries them out: for adapters that bring threads of their own. */
export type { FitApart, FitFound, FitJob, Fitters, OpenFitters } from '../estimate/graphical/apart.js';
export { carryOut } from '../estimate/graphical/carry-out.js';
