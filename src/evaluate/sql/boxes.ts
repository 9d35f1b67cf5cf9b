import { InputError } from '../../domain/input-error.js';
import { limits } from '../../domain/limits.js';

/** A set of records that is a product: for each attribute named, by its position, the pieces of it that are in (bits). */
export type Box = ReadonlyMap<number, bigint>;

const withPart = (box: Box, attribute: number, pieces: bigint): Box => new Map(box).set(attribute, pieces);

/** The records in both, or undefined when there are none. */
const common = (a: Box, b: Box): Box | undefined => {
  const both = new Map(a);
  for (const [attribute, pieces] of b) {
    const own = both.get(attribute);
    const shared = own === undefined ? pieces : own & pieces;
    if (shared === 0n) return undefined;
    both.set(attribute, shared);
  }
  return both;
};

/** The records of `a` that are not in `b`, as disjoint boxes: at most one for each attribute of `b`. */
const difference = (a: Box, b: Box, all: (attribute: number) => bigint): Box[] => {
  if (common(a, b) === undefined) return [a];
  const rest: Box[] = [];
  let within = a;
  for (const [attribute, pieces] of b) {
    const own = within.get(attribute) ?? all(attribute);
    if ((own & ~pieces) !== 0n) rest.push(withPart(within, attribute, own & ~pieces));
    within = withPart(within, attribute, own & pieces);
  }
  return rest;
};

/** Records in one of each: disjoint when the boxes of either are. */
export const intersection = (a: readonly Box[], b: readonly Box[]): Box[] => {
  const boxes: Box[] = [];
  for (const one of a)
    for (const other of b) {
      const both = common(one, other);
      if (both !== undefined) boxes.push(both);
      checkBoxes(boxes.length);
    }
  return boxes;
};

/** Refuses while boxes are made, so that no list of them grows beyond the limit. */
export const checkBoxes = (count: number): void => {
  if (count > limits.sqlBoxes)
    throw new InputError(
      `SQL: conditions must fall into at most ${limits.sqlBoxes} products of conditions, got more; use fewer ORs between different attributes`,
    );
};

/** Records in either, as disjoint boxes. */
export const union = (a: readonly Box[], b: readonly Box[], all: (attribute: number) => bigint): Box[] => {
  const joined = [...a];
  for (const box of b) {
    const twin = joined.findIndex((other) => sameAttribute(other, box));
    if (twin >= 0 && joined.length === 1) {
      const [[attribute, pieces]] = box;
      joined[twin] = new Map([[attribute, joined[twin].get(attribute)! | pieces]]);
      continue;
    }
    let rest: Box[] = [box];
    for (const other of a) {
      rest = rest.flatMap((part) => difference(part, other, all));
      checkBoxes(rest.length);
    }
    joined.push(...rest);
    checkBoxes(joined.length);
  }
  return joined;
};

/** Records in `a` and in none of `b`, as disjoint boxes. */
export const without = (a: readonly Box[], b: readonly Box[], all: (attribute: number) => bigint): readonly Box[] => {
  let rest = a;
  for (const other of b) {
    rest = rest.flatMap((part) => difference(part, other, all));
    checkBoxes(rest.length);
  }
  return rest;
};

const sameAttribute = (a: Box, b: Box): boolean =>
  a.size === 1 && b.size === 1 && [...a.keys()][0] === [...b.keys()][0];
