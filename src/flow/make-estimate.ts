import { type Estimate, makeEstimateFiles } from '../bundle/estimate-files.js';
import { parseOutsideMeasurements } from '../bundle/outside-measurements.js';
import { cellsOf, type Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { bytesText, limits } from '../domain/limits.js';
import { listed } from '../domain/listed.js';
import type { Running } from '../domain/running.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Table } from '../domain/table.js';
import { estimateGraphical } from '../estimate/graphical/estimate.js';
import { distinctCliques } from '../estimate/graphical/targets.js';
import { junctionTree, treeSize } from '../model/graphical/tree/junction-tree.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { Measurement } from '../privacy/measurement.js';
import { attributesOf } from '../query/answer.js';
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
  const memory = memoryFor(domain, measurements, options);
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

/**
 * Bytes that a fit may take. A model of larger tables than a reader takes is not made: that is refused with the size, or, where an approximation is
 * allowed, the fit gets so little memory that it is one.
 */
const memoryFor = (
  domain: Domain,
  measurements: readonly Measurement[],
  { memory = 2e9, approximate = false }: Pick<MakeEstimateOptions, 'memory' | 'approximate'>,
): number => {
  const cliques = distinctCliques(measurements.map(({ query }) => attributesOf(query)));
  const refuse = (bytes: number, attributes: readonly string[], next: string): never => {
    throw new InputError(
      `measurements: the tables of their model must fit in ${bytesText(limits.modelBytes)}, got a need of ${bytesText(bytes)} ` +
        `(${cellsOf(domain, attributes)} cells of ${listed(attributes)}); measure fewer or smaller marginals${next}`,
    );
  };
  // One that is too large alone is told before a tree is made of all: no approximation would divide it.
  for (const clique of cliques) {
    const bytes = 8 * cellsOf(domain, clique);
    if (bytes > limits.modelBytes) refuse(bytes, clique, '');
  }
  const { bytes, largest } = treeSize(junctionTree(domain, cliques));
  if (bytes <= limits.modelBytes) return memory;
  if (approximate) return Math.min(memory, limits.modelBytes);
  return refuse(bytes, largest.attributes, ', or allow an approximation');
};
