import type { Domain } from '../domain.js';
import { domainOf } from '../domain-of.js';
import { InputError } from '../input-error.js';
import type { Schema } from './schema.js';

/**
 * Households and their persons: the domain G x (I or nobody)^maxSize of the hierarchical release, kept as its two parts
 * because the product is never built.
 */
export interface TwoLevelDomain {
  /** G: what is said of a household. */
  readonly household: Domain;
  /** I: what is said of a person. */
  readonly person: Domain;
  /** The column in both tables that says which household a person belongs to. */
  readonly key: string;
  /** At most this many persons of a household are kept. */
  readonly maxSize: number;
}

/** The two-level domain of a schema with `twoLevel`; each part keeps the order of the schema's attributes. Frozen. */
export const twoLevelDomain = (schema: Schema): TwoLevelDomain => {
  const { twoLevel, attributes } = schema;
  if (twoLevel === undefined) {
    throw new InputError(
      'schema: households and persons need `twoLevel`, got none; add its key, household and maxSize',
    );
  }
  const household = new Set(twoLevel.household);
  return Object.freeze({
    household: domainOf(attributes.filter(({ name }) => household.has(name))),
    person: domainOf(attributes.filter(({ name }) => !household.has(name))),
    key: twoLevel.key,
    maxSize: twoLevel.maxSize,
  });
};
