import { constraintsOf } from '../../domain/constraints/constraints-of.js';
import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { GroupRows } from '../../model/grouped-model.js';

/** Refuses constraints between what tells groups apart and what does not: every group draws on the same public rows. */
export const checkKeys = (domain: Domain, keys: readonly string[]): void => {
  for (const { place, text, attributes } of constraintsOf(domain)?.rules ?? []) {
    const of = attributes.map((at) => keys.includes(domain.attributes[at].name));
    if (of.includes(true) && of.includes(false))
      throw new InputError(
        `${place}: grouped draws all groups from the same public rows and cannot keep a constraint between its keys and other columns, got ${text}; take the column out of the keys, or use another mechanism`,
      );
  }
};

/** Groups without records where the constraints of the domain forbid their keys. */
export const keptGroups = (domain: Domain, keys: readonly string[], groups: readonly GroupRows[]): GroupRows[] => {
  const factors = (constraintsOf(domain)?.factors ?? []).filter(({ attributes }) =>
    attributes.every((at) => keys.includes(domain.attributes[at].name)),
  );
  return groups.map((group) => {
    const isKept = factors.every(({ attributes, allowed }) => {
      const cell = attributes.reduce((at, place) => {
        const { name, size } = domain.attributes[place];
        return at * size + group.key[keys.indexOf(name)];
      }, 0);
      return allowed[cell] === 1;
    });
    return isKept ? group : { ...group, total: 0 };
  });
};
