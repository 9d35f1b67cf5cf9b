import type { Table } from '../../src/domain/table.js';
import { sampleMarginals } from '../../src/query/workload/sample-marginals.js';
import { seeded } from '../../src/random/seeded.js';
import { loadCodes } from '../data/load-codes.js';
import { loadMassachusetts } from '../data/load-massachusetts.js';
import { rowsAt } from '../data/pick-rows.js';

/** A public and a private table over one domain, and the marginals by which a release is judged. */
export interface Setting {
  readonly publicTable: Table;
  readonly privateTable: Table;
  /** 55 three-way marginals; none of them is measured by the mechanisms that measure pairs. */
  readonly triples: readonly (readonly string[])[];
  /** Two parts of the public table, to tune other mechanisms on. */
  readonly rehearsal: { readonly publicTable: Table; readonly privateTable: Table };
}

export const settingNames = ['across time', 'across states', 'massachusetts'] as const;
export type SettingName = (typeof settingNames)[number];

/** Twelve attributes of the census extract that people ask about. */
const attributes = [
  'SEX',
  'AGE',
  'MARST',
  'RACE',
  'HISPAN',
  'CITIZEN',
  'HCOVANY',
  'EDUC',
  'EMPSTAT',
  'LABFORCE',
  'INCTOT',
  'POVERTY',
];

/** Illinois has the PUMA codes below this one, Ohio the others. */
const firstOfOhio = 88;

const pick = (table: Table, keep: (row: number) => boolean): Table => {
  const rows: number[] = [];
  for (let row = 0; row < table.length; row++) if (keep(row)) rows.push(row);
  return rowsAt(table, rows);
};

export const triplesOf = ({ domain }: Table): string[][] =>
  sampleMarginals(domain, 3, 55, seeded(55), { maxCells: 5000 }).queries.map(({ query }) =>
    query.kind === 'marginal' ? [...query.attributes] : [],
  );

export const loadSetting = async (name: SettingName, data: string): Promise<Setting> => {
  if (name === 'massachusetts') {
    const { earlier, later } = await loadMassachusetts(data);
    return {
      publicTable: earlier,
      privateTable: later,
      triples: triplesOf(earlier),
      rehearsal: {
        publicTable: pick(earlier, (row) => row % 2 === 0),
        privateTable: pick(earlier, (row) => row % 2 === 1),
      },
    };
  }
  const table = loadCodes(data, 'nist-sprint2', attributes);
  const [puma, year] = loadCodes(data, 'nist-sprint2', ['PUMA', 'YEAR']).columns;
  // Years are coded from 0 for 2012.
  const isPublic = name === 'across time' ? (row: number) => year[row] <= 2 : (row: number) => puma[row] < firstOfOhio;
  const isEarlier =
    name === 'across time' ? (row: number) => year[row] <= 1 : (row: number) => puma[row] < firstOfOhio / 2;
  const publicTable = pick(table, isPublic);
  return {
    publicTable,
    privateTable: pick(table, (row) => !isPublic(row)),
    triples: triplesOf(table),
    rehearsal: {
      publicTable: pick(table, (row) => isPublic(row) && isEarlier(row)),
      privateTable: pick(table, (row) => isPublic(row) && !isEarlier(row)),
    },
  };
};
