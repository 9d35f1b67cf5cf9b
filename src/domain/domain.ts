import type { Attribute } from './attribute/attribute.js';
import type { ConstraintSpec } from './constraints/constraint.js';

/** The attributes of a table in column order, each with a finite number of cells. Frozen, comparable, clonable. */
export interface Domain {
  readonly attributes: readonly Attribute[];
  /** Where rows are persons who live in households; a plain table has none. */
  readonly households?: Households | undefined;
  /** What rows cannot be; `constraintsOf` reads them. A part of a domain has none. */
  readonly constraints?: readonly ConstraintSpec[] | undefined;
}

/** What a domain says of households, whose persons are the rows. */
export interface Households {
  /** The attributes that all persons of a household share, for they are the household's. All others are the person's own. */
  readonly attributes: readonly string[];
  /** No household has more persons, and none has nobody. */
  readonly maxSize: number;
  /** One of those attributes that is the number of persons itself: cell i stands for i + 1. Made of the rows, not read. */
  readonly size?: string | undefined;
}

/** Places of names, for domains of hundreds of attributes that are asked for thousands of them. */
const places = new WeakMap<readonly Attribute[], ReadonlyMap<string, number>>();

const placeOf = (attributes: readonly Attribute[], name: string): number => {
  let known = places.get(attributes);
  if (known === undefined) {
    known = new Map(attributes.map((attribute, index) => [attribute.name, index]));
    places.set(attributes, known);
  }
  const index = known.get(name);
  // A list that somebody changed meanwhile is searched.
  return index !== undefined && attributes[index]?.name === name
    ? index
    : attributes.findIndex((attribute) => attribute.name === name);
};

/** The attribute of that name, where there is one. */
export const attributeNamed = ({ attributes }: Domain, name: string): Attribute | undefined =>
  attributes[placeOf(attributes, name)];

/** Position of an attribute in the domain; an unknown name is an error that lists what there is. */
export const indexOf = (domain: Domain, name: string): number => {
  const index = placeOf(domain.attributes, name);
  if (index < 0) {
    const known = domain.attributes.map((attribute) => attribute.name).join(', ');
    throw new RangeError(`attribute: must be one of ${known}, got ${JSON.stringify(name)}`);
  }
  return index;
};

/** Number of cells of each named attribute. */
export const sizesOf = (domain: Domain, names: readonly string[]): number[] =>
  names.map((name) => domain.attributes[indexOf(domain, name)].size);

/** Number of cells of the product of the named attributes (a double: it may be 1e100). */
export const cellsOf = (domain: Domain, names: readonly string[]): number =>
  sizesOf(domain, names).reduce((product, size) => product * size, 1);

/** The part of a domain that the named attributes span, in domain order. */
export const project = (domain: Domain, names: readonly string[]): Domain => {
  const keep = new Set(names.map((name) => indexOf(domain, name)));
  return { attributes: domain.attributes.filter((_, index) => keep.has(index)) };
};
