import type { Domain } from '../../domain/domain.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { uniformInteger } from '../../random/uniform.js';
import type { Condition } from './binary-queries.js';

/** A signed query that a record may satisfy: how often it was drawn, positive or negative. */
export interface Wish {
  readonly weight: number;
  readonly conditions: readonly Condition[];
}

/** The sum of the weights of the wishes that a record satisfies. */
export const worthOf = (wishes: readonly Wish[], record: ArrayLike<number>): number => {
  let sum = 0;
  for (const { weight, conditions } of wishes)
    if (conditions.every(({ attribute, cells }) => cells[record[attribute]] === 1)) sum += weight;
  return sum;
};

/** For each attribute, the wishes with a condition on it and the cells that satisfy it. */
const byAttribute = (wishes: readonly Wish[], attributes: number) => {
  const touching = Array.from({ length: attributes }, (): { wish: number; cells: Uint8Array }[] => []);
  for (const [wish, { conditions }] of wishes.entries())
    for (const { attribute, cells } of conditions) touching[attribute].push({ wish, cells });
  return touching;
};

/** Moves one attribute after the other to its best cell, at random among equals, until none moves: the value that is reached. */
const climb = (
  wishes: readonly Wish[],
  touching: ReturnType<typeof byAttribute>,
  sizes: readonly number[],
  record: number[],
  random: Random,
): number => {
  /** How many conditions of each wish the record does not satisfy. */
  const unmet = Int32Array.from(wishes, ({ conditions }) =>
    conditions.reduce((sum, { attribute, cells }) => sum + 1 - cells[record[attribute]], 0),
  );
  const touched = [...touching.keys()].filter((attribute) => touching[attribute].length > 0);
  for (let moved = true; moved; ) {
    moved = false;
    for (const attribute of shuffle(touched, random)) {
      const gains = new Float64Array(sizes[attribute]);
      const present = record[attribute];
      for (const { wish, cells } of touching[attribute]) {
        if (unmet[wish] - 1 + cells[present] > 0) continue;
        const { weight } = wishes[wish];
        for (let cell = 0; cell < gains.length; cell++) gains[cell] += weight * cells[cell];
      }
      const most = gains.reduce((best, gain) => Math.max(best, gain), -Infinity);
      if (most <= gains[present]) continue;
      const best = [...gains.keys()].filter((cell) => gains[cell] === most);
      const next = best[uniformInteger(random, best.length)];
      for (const { wish, cells } of touching[attribute]) unmet[wish] += cells[present] - cells[next];
      record[attribute] = next;
      moved = true;
    }
  }
  return wishes.reduce((sum, { weight }, i) => (unmet[i] === 0 ? sum + weight : sum), 0);
};

/**
 * A record that satisfies as many positive wishes, taken in random order, as agree with each other. From a record at random one
 * attribute alone would rarely satisfy a wish about three of them, and nothing would move.
 */
const agreeing = (wishes: readonly Wish[], sizes: readonly number[], random: Random): number[] => {
  const allowed = sizes.map((size) => new Uint8Array(size).fill(1));
  for (const { weight, conditions } of shuffle(wishes, random)) {
    if (weight < 0) continue;
    const met = conditions.map(({ attribute, cells }) => cells.map((own, cell) => own & allowed[attribute][cell]));
    if (!met.every((cells) => cells.includes(1))) continue;
    for (const [i, { attribute }] of conditions.entries()) allowed[attribute] = met[i];
  }
  return allowed.map((cells) => {
    const open = [...cells.keys()].filter((cell) => cells[cell] === 1);
    return open[uniformInteger(random, open.length)];
  });
};

/**
 * A record that satisfies wishes of high weight: coordinate ascent from records that satisfy wishes which agree, the best of
 * `restarts`. What no wish is about stays as random as it was.
 */
export const climbToRecord = (
  domain: Domain,
  wishes: readonly Wish[],
  restarts: number,
  random: Random,
): { readonly record: number[]; readonly value: number } => {
  const sizes = domain.attributes.map(({ size }) => size);
  const touching = byAttribute(wishes, sizes.length);
  let found = { record: [] as number[], value: -Infinity };
  for (let start = 0; start < restarts; start++) {
    const record = agreeing(wishes, sizes, random);
    const value = climb(wishes, touching, sizes, record, random);
    if (value > found.value) found = { record, value };
  }
  return found;
};
