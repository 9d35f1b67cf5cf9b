import { domainOf } from '../../src/domain/domain-of.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';

/** Codes that nearly determine each other: each is a coarser view of a spot that no attribute tells, but for a few records. */
export interface MadeShape {
  readonly sizes: readonly number[];
  readonly rows: number;
  /** Spots of each family of attributes; attributes take turns among families. */
  readonly spots: readonly number[];
  /** The part of an attribute's records whose code is not the one of their spot, from and to. */
  readonly loose: readonly [number, number];
}

/** Shares of codes that fall as 1 / rank does, so that many cells are nearly empty. */
const skewed = (size: number): Float64Array => {
  const sums = new Float64Array(size);
  for (let code = 0, sum = 0; code < size; code++) sums[code] = sum += 1 / (code + 1);
  return sums.map((sum) => sum / sums[size - 1]);
};

const draw = (sums: Float64Array, random: Random): number => {
  const at = uniform(random);
  let code = 0;
  while (sums[code] < at) code++;
  return Math.min(code, sums.length - 1);
};

/** How one attribute comes about: the code of each spot of its family, and how often it is another one. */
interface Rule {
  readonly family: number;
  readonly codes: Int32Array;
  readonly loose: number;
  readonly sums: Float64Array;
}

/**
 * Codes are stretches of spots that differ from attribute to attribute, as districts, stations and postcodes do: any two of a family tell most of
 * each other, and no tree of a few of them says it all.
 */
const stretches = (spots: number, size: number, random: Random): Int32Array => {
  const shift = uniformInteger(random, spots);
  const names = shuffle(
    Array.from({ length: size }, (_, code) => code),
    random,
  );
  return Int32Array.from({ length: spots }, (_, spot) => names[Math.floor((((spot + shift) % spots) * size) / spots)]);
};

/**
 * The rules depend on the seed alone, the rows on `draws` as well: two tables of one seed are those of one population. With `drift` the second
 * is a neighbouring population's, with more exceptions.
 */
export const madeTable = ({ sizes, rows, spots, loose }: MadeShape, seed: number, draws = 1, drift = 0): Table => {
  const making = seeded(seed);
  const rules = sizes.map((size, i): Rule => {
    const family = i % spots.length;
    return {
      family,
      codes: stretches(spots[family], size, making),
      loose: loose[0] + (loose[1] - loose[0]) * uniform(making),
      sums: skewed(size),
    };
  });
  const random = seeded(1000 * seed + draws);
  const domain = domainOf(sizes.map((size, i) => ({ type: 'integer', name: `a${i}`, min: 0, max: size - 1 })));
  const columns = sizes.map((size) => codeColumn(size, rows));
  const chances = spots.map((count) => skewed(count));
  for (let row = 0; row < rows; row++) {
    const at = chances.map((sums) => draw(sums, random));
    for (const [attribute, { family, codes, loose: part, sums }] of rules.entries())
      columns[attribute][row] = uniform(random) < part + drift ? draw(sums, random) : codes[at[family]];
  }
  return { domain, length: rows, columns };
};
