import path from 'node:path';
import { readColumns } from '../../adapters/table/read-columns.js';
import { readTable } from '../../adapters/table/read-table.js';
import type { Domain } from '../../src/domain/domain.js';
import { type LearnOptions, schemaLearner } from '../../src/domain/learn/learn-schema.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Table } from '../../src/domain/table.js';

export interface Massachusetts {
  /** Learned from the 2018 table alone. */
  readonly domain: Domain;
  /** 2018: the public prior. */
  readonly earlier: Table;
  /** 2019: the private table. */
  readonly later: Table;
}

/** Both years of acs-massachusetts over the schema that the public year, 2018, teaches. */
export const loadMassachusetts = async (
  dir: string,
  options: Omit<LearnOptions, 'file'> = {},
): Promise<Massachusetts> => {
  const [earlier, later] = ['ma2018.csv', 'ma2019.csv'].map((file) => path.join(dir, 'acs-massachusetts', file));
  const learner = schemaLearner({ ...options, file: 'ma2018.csv' });
  for await (const part of readColumns(earlier)) learner.add(part);
  const domain = domainFromSchema(learner.finish().schema);
  return { domain, earlier: await readTable(earlier, domain), later: await readTable(later, domain) };
};
