import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import { aimEntry } from './aim/entry.js';
import { dualQueryEntry } from './dual-query/entry.js';
import { gemEntry } from './gem/entry.js';
import { groupedEntry } from './grouped/entry.js';
import { hdmmEntry } from './hdmm/entry.js';
import { ideEntry } from './ide/entry.js';
import type { Mechanism } from './mechanism.js';
import { mwemEntry } from './mwem/entry.js';
import { pmwPubEntry } from './pmw-pub/entry.js';
import { privbayesEntry } from './privbayes/entry.js';
import { residualPlannerEntry } from './residual-planner/entry.js';
import { reweightEntry } from './reweight/entry.js';

/** All mechanisms; which one is the default is for `chooseMechanism` to say. A mechanism joins by its folder and a line here. */
export const mechanisms: readonly Mechanism[] = [
  reweightEntry,
  ideEntry,
  pmwPubEntry,
  mwemEntry,
  aimEntry,
  dualQueryEntry,
  residualPlannerEntry,
  groupedEntry,
  privbayesEntry,
  hdmmEntry,
  gemEntry,
];

/** The mechanism of that name, or an `InputError` that lists what there is. */
export const mechanismNamed = (name: string): Mechanism => {
  const found = mechanisms.find((mechanism) => mechanism.name === name);
  if (found !== undefined) return found;
  const names = mechanisms.map((mechanism) => mechanism.name);
  const near = nearest(name, names);
  throw new InputError(
    `mechanism: must be one of ${names.join(', ')}, got ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
};
