import { indexOf } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import { type NistScore, nistScore, rowsByGroup } from '../../src/evaluate/nist-score.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';
import { rowsAt } from '../data/pick-rows.js';
import { type ContestTables, groups, type Split } from './tables.js';

/** Draws a group's rows from a table: group number, its true size, its true row numbers. */
type Draw = (group: number, size: number, own: Uint32Array) => number[];

/** A table with each true group's number of rows, drawn from another table and put under the group's key. */
const redrawn = (truth: Table, from: Table, draw: Draw): Table => {
  const positions: number[] = [];
  const keys: number[] = [];
  for (const [group, own] of rowsByGroup(truth, groups))
    for (const row of draw(group, own.length, own)) {
      positions.push(row);
      keys.push(group);
    }
  const table = rowsAt(from, positions);
  const years = truth.domain.attributes[indexOf(truth.domain, 'YEAR')].size;
  keys.forEach((group, row) => {
    table.columns[indexOf(truth.domain, 'PUMA')][row] = Math.floor(group / years);
    table.columns[indexOf(truth.domain, 'YEAR')][row] = group % years;
  });
  return table;
};

/** `count` different entries of a list; all entries, then more of them at random, where it is shorter. */
const some = (list: readonly number[], count: number, random: Random): number[] => {
  const rest = [...list];
  return Array.from({ length: count }, (_, i) => {
    if (i >= rest.length) return list[uniformInteger(random, list.length)];
    const j = i + uniformInteger(random, rest.length - i);
    [rest[i], rest[j]] = [rest[j], rest[i]];
    return rest[i];
  });
};

/** Rows of a table by PUMA. */
const byPuma = (table: Table): Map<number, number[]> =>
  new Map([...rowsByGroup(table, ['PUMA'])].map(([puma, rows]) => [puma, [...rows]]));

/**
 * What to hold a release against, scored on the same pairs. Every reference has the true number of rows in each group:
 *
 * - `own rows again`: the group's own true rows drawn with replacement, as by a perfect model that samples independently;
 * - `another year`: true rows of the same PUMA in other private years, without replacement: a second survey of the place;
 * - `public as it is`: rows of the whole public table;
 * - `public, same PUMA`: public rows of the same PUMA. None in `same`, where these are the private ones.
 */
export const references = (
  { publicTable, privateTable }: ContestTables,
  split: Split,
  seed: number,
  pairs: () => Random,
): Record<string, NistScore> => {
  const random = seeded(seed);
  const years = privateTable.domain.attributes[indexOf(privateTable.domain, 'YEAR')].size;
  const year = privateTable.columns[indexOf(privateTable.domain, 'YEAR')];
  const here = byPuma(privateTable);
  const there = byPuma(publicTable);
  const score = (from: Table, draw: Draw): NistScore =>
    nistScore(privateTable, redrawn(privateTable, from, draw), { groups, random: pairs() });
  return {
    'own rows again': score(privateTable, (_, size, own) =>
      Array.from({ length: size }, () => own[uniformInteger(random, own.length)]),
    ),
    'another year': score(privateTable, (group, size) =>
      some(
        here.get(Math.floor(group / years))!.filter((row) => year[row] !== group % years),
        size,
        random,
      ),
    ),
    'public as it is': score(publicTable, (_, size) =>
      Array.from({ length: size }, () => uniformInteger(random, publicTable.length)),
    ),
    ...(split === 'same'
      ? {}
      : {
          'public, same PUMA': score(publicTable, (group, size) =>
            some(there.get(Math.floor(group / years))!, size, random),
          ),
        }),
  };
};
