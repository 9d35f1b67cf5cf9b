import type { Domain } from '../domain.js';
import type { ConstraintSpec } from './constraint.js';
import { constraintsOf } from './constraints-of.js';

/** The constraints of a domain that speak of these columns alone. */
export const constraintsAmong = (domain: Domain, names: readonly string[]): ConstraintSpec[] => {
  const { rules } = constraintsOf(domain) ?? { rules: [] };
  return (domain.constraints ?? []).filter((_, i) =>
    rules[i].attributes.every((at) => names.includes(domain.attributes[at].name)),
  );
};
