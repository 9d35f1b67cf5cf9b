import type { BundleParts } from '../bundle/make-bundle.js';
import type { Columns } from '../domain/encode/encode-table.js';
import { keyedTables } from '../domain/households/keyed-tables.js';
import type { Progress, Running } from '../domain/running.js';
import type { Schema } from '../domain/schema/schema.js';
import { type AnyModel, drawRows, modelsHouseholds } from '../model/model.js';
import { seeded } from '../random/seeded.js';
import { mostRows } from './check-rows.js';
import { type KeepHouseholds, type KeepRows, keepBoth, rowsAmong } from './keep-rows.js';

/** Where synthetic rows go, and how many. */
export interface SyntheticOptions extends Running {
  readonly schema: Schema;
  /** Number of synthetic rows, or of households; the model's noisy total by default. */
  readonly rows?: number | undefined;
  /** Public values of the attributes whose cells hold several, to draw values like; uniform within cells without. */
  readonly like?: Columns | undefined;
  /** Write CSV for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean | undefined;
  /** Where the rows go; among the files, as CSV, by default. */
  readonly keepRows?: KeepRows | undefined;
  readonly keepHouseholds?: KeepHouseholds | undefined;
}

/** Draws the synthetic rows of a model and keeps them, among `kept` unless told otherwise. */
export const drawSynthetic = async (
  model: AnyModel,
  seed: number,
  kept: Record<string, Uint8Array>,
  options: SyntheticOptions,
): Promise<NonNullable<BundleParts['synthetic']>> => {
  const { domain } = model;
  const { schema, spreadsheet, like, onProgress, signal } = options;
  const random = seeded(seed);
  const decoding = (total: number) => ({
    random,
    like,
    signal,
    onProgress: (progress: Progress) => onProgress?.({ ...progress, total }),
  });
  // The budget is spent by now: more rows than can be drawn are no reason to lose it.
  const rows = Math.min(mostRows(domain), Math.round(modelsHouseholds(model) ? model.householdTotal : model.total));
  const count = options.rows ?? Math.max(1, rows);
  const values = valuesText(options);
  if (!modelsHouseholds(model)) {
    const keep = options.keepRows ?? rowsAmong(kept, domain, spreadsheet);
    return {
      sampling: { rows: count, seed, values },
      file: await keep(await drawRows(model, count, random, options), decoding(count)),
    };
  }
  const tables = keyedTables(model.households(count, random), schema.twoLevel!.key);
  const keep = options.keepHouseholds ?? keepBoth((of, name) => rowsAmong(kept, of, spreadsheet, name));
  const { persons, households } = await keep(tables, decoding(tables.persons.length));
  const homes = { file: households.name, rows: count };
  return {
    sampling: { rows: tables.persons.length, households: homes, seed, values },
    file: persons,
    households,
  };
};

/** How values were drawn, in words. */
const valuesText = ({ like, spreadsheet }: SyntheticOptions): string => {
  const drawn = like === undefined ? 'uniform within cells' : 'like the public table within cells';
  return spreadsheet ? `${drawn}; an apostrophe before what a spreadsheet takes for a formula` : drawn;
};
