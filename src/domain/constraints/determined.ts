import type { Domain } from '../domain.js';
import type { ConstraintSpec } from './constraint.js';
import { constraintsOf } from './constraints-of.js';

/** The columns that say all that these say, where some of them are determined by others: each in the place of what it determines. */
export const determining = (domain: Domain, names: readonly string[]): string[] => {
  const { rules } = constraintsOf(domain) ?? { rules: [] };
  let now = [...new Set(names)];
  // Each turn takes one column out; columns that determine each other would go on for ever.
  for (let turn = 0; turn < rules.length; turn++) {
    const rule = rules.find(
      ({ determined }) => determined !== undefined && now.includes(domain.attributes[determined].name),
    );
    if (rule === undefined) break;
    const to = domain.attributes[rule.determined!].name;
    const from = rule.attributes.filter((at) => at !== rule.determined).map((at) => domain.attributes[at].name);
    now = [...new Set([...now.filter((name) => name !== to), ...from])];
  }
  return now;
};

/** The constraints of a domain that speak of these columns alone. */
export const constraintsAmong = (domain: Domain, names: readonly string[]): ConstraintSpec[] => {
  const { rules } = constraintsOf(domain) ?? { rules: [] };
  return (domain.constraints ?? []).filter((_, i) =>
    rules[i].attributes.every((at) => names.includes(domain.attributes[at].name)),
  );
};
