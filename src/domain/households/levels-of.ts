import type { Domain } from '../domain.js';

/** The attributes that describe households, without their number of persons, and those that describe persons, in the order of the domain. */
export const levelsOf = ({
  attributes,
  households,
}: Domain): { readonly household: string[]; readonly person: string[] } => {
  const names = attributes.map(({ name }) => name).filter((name) => name !== households?.size);
  return {
    household: names.filter((name) => households?.attributes.includes(name)),
    person: names.filter((name) => !households?.attributes.includes(name)),
  };
};
