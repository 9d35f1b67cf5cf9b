import { domainOf } from '../../src/domain/domain-of.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';

/** Kinds of tables that are made up: what a graphical model can hold exactly, and two that it cannot. */
export const madeNames = ['chain', 'classes', 'weak'] as const;
export type MadeName = (typeof madeNames)[number];

const sizes = [2, 3, 5, 4, 8, 2, 6, 3, 10, 4];

const domain = domainOf(sizes.map((size, i) => ({ type: 'integer', name: `x${i}`, min: 0, max: size - 1 })));

/** A value that is the rarer the larger it is. */
const skewed = (size: number, random: Random): number =>
  Math.min(uniformInteger(random, size), uniformInteger(random, size));

/**
 * `chain`: each attribute leans on the one before it, so that a tree holds all there is. `classes`: six hidden classes decide all
 * attributes, so that every pair and triple depends a little. `weak`: each attribute leans weakly on two earlier ones, by their sum.
 */
const rowOf: Record<MadeName, (random: Random) => number[]> = {
  chain: (random) => {
    const row: number[] = [];
    for (const size of sizes)
      row.push(row.length > 0 && uniform(random) < 0.6 ? row[row.length - 1] % size : skewed(size, random));
    return row;
  },
  classes: (random) => {
    const hidden = skewed(6, random);
    return sizes.map((size, i) => (uniform(random) < 0.5 ? (hidden * (i + 2)) % size : skewed(size, random)));
  },
  weak: (random) => {
    const row: number[] = [];
    for (const [i, size] of sizes.entries())
      row.push(
        i > 1 && uniform(random) < 0.3 ? (row[(i * 7) % i] + row[(i * 5 + 1) % i]) % size : skewed(size, random),
      );
    return row;
  },
};

/** A table of so many made-up records, the same for the same seed. */
export const madeTable = (name: MadeName, length: number, seed: number): Table => {
  const random = seeded(seed);
  const columns = sizes.map((size) => codeColumn(size, length));
  for (let row = 0; row < length; row++)
    rowOf[name](random).forEach((code, i) => {
      columns[i][row] = code;
    });
  return { domain, length, columns };
};
