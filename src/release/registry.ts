import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import { aimEntry } from './aim/entry.js';
import { dualQueryEntry } from './dual-query/entry.js';
import { gemEntry } from './gem/entry.js';
import { groupedEntry } from './grouped/entry.js';
import { hGemEntry } from './h-gem/entry.js';
import { hMwemEntry } from './h-mwem/entry.js';
import { hReweightEntry } from './h-reweight/entry.js';
import { hdmmEntry } from './hdmm/entry.js';
import { ideEntry } from './ide/entry.js';
import { jamEntry } from './jam/entry.js';
import type { AnyMechanism, HouseholdMechanism, Mechanism } from './mechanism.js';
import { mstEntry } from './mst/entry.js';
import { mwemEntry } from './mwem/entry.js';
import { pairsEntry } from './pairs/entry.js';
import { pmwPubEntry } from './pmw-pub/entry.js';
import { privbayesEntry } from './privbayes/entry.js';
import { residualPlannerEntry } from './residual-planner/entry.js';
import { reweightEntry } from './reweight/entry.js';

/** All mechanisms for a table of rows; which one is the default is for `chooseMechanism` to say. A mechanism joins by its folder and a line here. */
export const mechanisms: readonly Mechanism[] = [
  reweightEntry,
  ideEntry,
  pmwPubEntry,
  mwemEntry,
  aimEntry,
  pairsEntry,
  mstEntry,
  jamEntry,
  dualQueryEntry,
  residualPlannerEntry,
  groupedEntry,
  privbayesEntry,
  hdmmEntry,
  gemEntry,
];

/** All mechanisms for households with their persons. One joins by its folder and a line here. */
export const householdMechanisms: readonly HouseholdMechanism[] = [hReweightEntry, hMwemEntry, hGemEntry];

/** The mechanism of that name for one table, or an `InputError` that lists what there is. */
export const mechanismNamed = (name: string): Mechanism => {
  if (householdMechanisms.some((mechanism) => mechanism.name === name))
    throw new InputError(
      `mechanism: must be one for a table of rows, got ${name}, which is for households; name another`,
    );
  return named(name, mechanisms);
};

/** The mechanism of that name, of either level. */
export const anyMechanismNamed = (name: string): AnyMechanism =>
  named<AnyMechanism>(name, [...mechanisms, ...householdMechanisms]);

const named = <M extends AnyMechanism>(name: string, among: readonly M[]): M => {
  const found = among.find((mechanism) => mechanism.name === name);
  if (found !== undefined) return found;
  const names = among.map((mechanism) => mechanism.name);
  const near = nearest(name, names);
  throw new InputError(
    `mechanism: must be one of ${names.join(', ')}, got ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
};
