import { indexOf } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import type { GroupKey } from '../../src/privacy/session/session.js';
import { loadCodes } from '../data/load-codes.js';
import { rowsWhere } from '../data/pick-rows.js';

/** What the contest groups by. */
export const groups = ['PUMA', 'YEAR'] as const;

/** The first PUMAs are of Illinois, the others of Ohio. */
export const states = [
  { name: 'Illinois', from: 0, to: 88 },
  { name: 'Ohio', from: 88, to: 181 },
] as const;

/** STATE, inferred from PUMA as the contest did. */
export const stateOfPuma: GroupKey = {
  attribute: 'PUMA',
  groups: Array.from({ length: 181 }, (_, puma) => (puma < states[1].from ? 0 : 1)),
  size: 2,
};

/** `same`: the private table is the public one, as in the paper; `later`: public 2012 to 2014, private 2015 to 2018. */
export const splits = ['same', 'later'] as const;
export type Split = (typeof splits)[number];

export interface ContestTables {
  readonly publicTable: Table;
  readonly privateTable: Table;
}

export const contestTables = (data: string, split: Split): ContestTables => {
  const all = loadCodes(data, 'nist-sprint2');
  if (split === 'same') return { publicTable: all, privateTable: all };
  const year = all.columns[indexOf(all.domain, 'YEAR')];
  return {
    publicTable: rowsWhere(all, (row) => year[row] <= 2),
    privateTable: rowsWhere(all, (row) => year[row] > 2),
  };
};
