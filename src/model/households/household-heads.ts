import { type Domain, indexOf } from '../../domain/domain.js';
import { levelsOf } from '../../domain/households/levels-of.js';
import { InputError } from '../../domain/input-error.js';

/**
 * The distributions that make up one product distribution of households (H-GEM, section 4.2), in their order: of the number of persons, 1 to M; of each
 * household attribute; and M times, slot by slot, of each person attribute. A household of m persons has those of the first m slots.
 */
export interface HouseholdHeads {
  /** Cells of each. */
  readonly sizes: readonly number[];
  /** What each is of, for messages. */
  readonly names: readonly string[];
  /** M. */
  readonly maxSize: number;
  /** The number of the one of a household attribute; that of the number of persons is 0. */
  household(name: string): number;
  /** The number of the one of a person attribute in a slot, from 0. */
  person(slot: number, name: string): number;
}

/** The distributions of households over a domain. */
export const householdHeads = (domain: Domain): HouseholdHeads => {
  const { households } = domain;
  if (households === undefined)
    throw new InputError('domain: must declare households, got a plain one; see docs/households.md');
  const { maxSize } = households;
  const { household, person } = levelsOf(domain);
  const slots = Array.from({ length: maxSize }, () => person).flat();
  const names = [...household, ...slots];
  return {
    sizes: [maxSize, ...names.map((name) => domain.attributes[indexOf(domain, name)].size)],
    names: ['number of persons', ...names],
    maxSize,
    household: (name) => 1 + household.indexOf(name),
    person: (slot, name) => 1 + household.length + slot * person.length + person.indexOf(name),
  };
};
