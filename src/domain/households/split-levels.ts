import type { Domain } from '../domain.js';

/** Some attributes by what they describe. */
export interface SplitLevels {
  /** Of households, their number of persons apart. */
  readonly household: readonly string[];
  /** Whether the number of persons is among them. */
  readonly bySize: boolean;
  readonly person: readonly string[];
  /** All of them: households', then the number of persons, then persons'. */
  readonly order: readonly string[];
}

/** Attributes by what they describe, in the order given. */
export const splitLevels = ({ households }: Pick<Domain, 'households'>, attributes: readonly string[]): SplitLevels => {
  const own = attributes.filter((name) => households?.attributes.includes(name));
  const household = own.filter((name) => name !== households?.size);
  const person = attributes.filter((name) => !own.includes(name));
  const size = own.filter((name) => name === households?.size);
  return { household, bySize: size.length > 0, person, order: [...household, ...size, ...person] };
};
