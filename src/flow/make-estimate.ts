import { type Estimate, makeEstimateFiles } from '../bundle/estimate-files.js';
import { parseOutsideMeasurements } from '../bundle/outside-measurements.js';
import type { Running } from '../domain/running.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Table } from '../domain/table.js';
import { estimateGraphical } from '../estimate/graphical/estimate.js';
import { fitMemory } from '../estimate/graphical/fit-memory.js';
import type { Threads } from '../model/support/weighted-rows.js';
import { randomSeed } from '../random/random-seed.js';
import { seeded } from '../random/seeded.js';
import { checkRows } from './check-rows.js';
import { type KeepRows, rowsAmong } from './keep-rows.js';

export interface MakeEstimateOptions extends Running, Threads {
  /** Parsed JSON of measurements, with a name for messages. */
  readonly measurements: { readonly json: unknown; readonly name: string };
  readonly schema: Schema;
  readonly until?: 'validated' | 'converged' | undefined;
  readonly iterations?: number | undefined;
  /** Bytes of the junction tree's tables at most. */
  readonly memory?: number | undefined;
  /** Whether an approximation may be made above that. */
  readonly approximate?: boolean | undefined;
  /** Number of synthetic rows; the model's total by default. */
  readonly rows?: number | undefined;
  /** Write the CSV file for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean | undefined;
  /** For drawing rows and for validation, below 2^52; random by default. */
  readonly seed?: number | undefined;
  readonly software: string;
  /** Where the synthetic rows go, part by part; among the files, as CSV, by default. */
  readonly keepRows?: KeepRows<Iterable<Table>> | undefined;
}

export interface MadeEstimate {
  readonly estimate: Estimate;
  /** The files by name: with the synthetic rows unless `keepRows` has them. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Rows drawn at a time. */
const chunk = 200_000;

/** Fits a model to measurements from outside, and draws rows from it. */
export const makeEstimate = async (options: MakeEstimateOptions): Promise<MadeEstimate> => {
  const { schema, onProgress, signal, until = 'validated', approximate, iterations, threads, workers } = options;
  const running: Running = { onProgress, signal };
  const domain = domainFromSchema(schema);
  const { json, name } = options.measurements;
  const { measurements, total } = parseOutsideMeasurements(json, domain, name);
  // What the fit cannot change is refused before it, and what nobody could read back too.
  const known = options.rows ?? total;
  if (known !== undefined) checkRows(known, domain);
  const memory = fitMemory(domain, measurements, options);
  const seed = options.seed ?? randomSeed();
  const { model, chosen, trace } = await estimateGraphical(domain, measurements, {
    ...running,
    until,
    random: seeded(seed + 2 ** 52),
    threads,
    workers,
    total,
    iterations,
    memory,
    approximate,
  });
  const rows = options.rows ?? Math.max(1, Math.round(model.total));
  checkRows(rows, domain);
  const random = seeded(seed);
  const kept: Record<string, Uint8Array> = {};
  const keepRows = options.keepRows ?? rowsAmong(kept, domain, options.spreadsheet);
  const file = await keepRows(model.sampleInChunks(rows, random, chunk), {
    random,
    signal,
    onProgress: (progress) => onProgress?.({ ...progress, total: rows }),
  });
  const estimate: Estimate = {
    facts: {
      software: options.software,
      fit: { steps: trace.length - 1, approximate: model.approximate, until, ...chosen },
      sampling: { file: file.name, rows, seed, spreadsheet: options.spreadsheet || undefined },
    },
    schema,
    model,
    measurements,
  };
  return { estimate, files: { ...makeEstimateFiles(estimate, file), ...kept } };
};
