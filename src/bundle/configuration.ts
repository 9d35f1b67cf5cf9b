import * as v from 'valibot';
import { limits } from '../domain/limits.js';
import { outsideRules } from '../domain/schema/outside.js';
import { workloadShape } from '../query/workload/parse-workload.js';
import type { Workload } from '../query/workload/workload.js';

const text = v.pipe(v.string(), v.nonEmpty());
const amount = v.union([v.pipe(v.number(), v.finite()), text]);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What a release can be told, other than where files are. */
export const configurationShape = v.strictObject({
  /** Name of the public table, or names of several. */
  public: v.exactOptional(v.union([text, v.array(text)])),
  /** Name of the table of the public households, where their persons have one of their own. */
  publicHouseholds: v.exactOptional(text),
  /** What became of several public tables. */
  publics: v.exactOptional(v.picklist(['together', 'stand-in', 'paid'])),
  /** What each of several tables that serve together counted for, where it was not the same for all. */
  publicWeights: v.exactOptional(v.array(v.pipe(v.number(), v.finite(), v.gtValue(0)))),
  /** Name of the public table that played the private one. */
  standIn: v.exactOptional(text),
  /** The part of the budget for choosing a public table. */
  share: v.exactOptional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1))),
  epsilon: v.exactOptional(amount),
  delta: v.exactOptional(amount),
  pure: v.exactOptional(v.boolean()),
  relation: v.exactOptional(v.picklist(['add-remove', 'replace-one'])),
  /** What becomes of values that the schema does not name. */
  outside: v.exactOptional(v.picklist(outsideRules)),
  /** Texts that a spreadsheet would take for a formula begin with an apostrophe in the CSV file. */
  spreadsheet: v.exactOptional(v.boolean()),
  unitId: v.exactOptional(text),
  maxRecords: v.exactOptional(count),
  /** Whom the release protects, where the table has households. */
  unit: v.exactOptional(v.picklist(['household', 'person'])),
  dataset: v.exactOptional(text),
  /** What the report is called. */
  title: v.exactOptional(v.pipe(text, v.maxLength(limits.titleLength))),
  mechanism: v.exactOptional(text),
  /** What is set of the mechanism. */
  set: v.exactOptional(v.record(v.string(), v.union([v.pipe(v.number(), v.finite()), v.string(), v.boolean()]))),
  rows: v.exactOptional(count),
  /** Number of replicates for bounds. */
  bootstrap: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  format: v.exactOptional(v.picklist(['csv', 'parquet'])),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  rho: v.exactOptional(amount),
  /** What the run was to stay within, and what was given up for that. */
  limits: v.exactOptional(
    v.strictObject({
      seconds: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
      bytes: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
      gaveUp: v.array(text),
    }),
  ),
  /** Why the mechanism was chosen, where nobody named one. */
  why: v.exactOptional(text),
  /** What the release was to answer well, where that was said. */
  workload: v.exactOptional(
    v.pipe(
      workloadShape,
      v.transform((workload): Workload => workload),
    ),
  ),
});

/**
 * How a release was made, so that it can be made again: the choices in effect, with names of files and no paths. What the
 * private table and its ledger are called is not in it.
 */
export type Configuration = {
  readonly [Key in keyof v.InferOutput<typeof configurationShape>]:
    | v.InferOutput<typeof configurationShape>[Key]
    | undefined;
};
