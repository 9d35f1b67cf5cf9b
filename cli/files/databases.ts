import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError, type Schema } from '../../src/index.js';
import type { Args, Io } from '../command.js';

type ReleaseArgs = Args<'release'>;

/** What a table of a database goes with, told before anything is read. */
export const checkAddress = async ({ values }: ReleaseArgs, file: string | undefined): Promise<void> => {
  const { isAddress, tableAddress } = await import('../../adapters/index.js');
  const isElsewhere = file !== undefined && isAddress(file);
  if (isElsewhere) tableAddress(file);
  if (values.query !== undefined && !isElsewhere)
    throw new InputError('option --query: is for a private table of a database, got none; leave it out');
};

/** The query of one's own that is released, and a unit that somebody stated for its rows: nothing tells whose they are. */
export const queryOf = async (
  values: ReleaseArgs['values'],
  schema: Pick<Schema, 'unit' | 'twoLevel'> | undefined,
): Promise<string | undefined> => {
  if (values.query === undefined) return undefined;
  const isStated = schema?.unit !== undefined || schema?.twoLevel !== undefined;
  if (values['unit-id'] === undefined && values.unit === undefined && !isStated)
    throw new InputError(
      'option --query: somebody must say whose its rows are, got no unit; add --unit-id COLUMN --max-records N, or --unit row where nobody is in more than one of its rows',
    );
  const { readQuery } = await import('../../adapters/index.js');
  return readQuery(values.query);
};

/** Writes the rows of a release that is whole to a table of a database. */
export const writeTo = async (out: string, to: string | undefined, io: Io): Promise<void> => {
  if (to === undefined) return;
  const { readAnswerable, readColumns, writeDatabaseRows } = await import('../../adapters/index.js');
  const file = ['csv', 'parquet'].map((ending) => path.join(out, `synthetic.${ending}`)).find((one) => existsSync(one));
  try {
    if (file === undefined)
      throw new InputError('option --to: needs a release with one table of rows, got one without; leave it out');
    const { domain } = (await readAnswerable(out)).model;
    const columns = domain.attributes.map(({ name }) => name);
    const rows = await writeDatabaseRows(to, domain, readColumns(file, { ...io.running, columns }), io.running);
    io.err(`note: ${rows} synthetic rows were written to the table.\n`);
  } catch (error) {
    io.err(`surmise: the release is whole in ${out}; its rows are in no table.\n`);
    throw error;
  }
};
