import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Estimate, makeEstimateFiles } from '../src/bundle/estimate-files.js';
import { parseOutsideMeasurements } from '../src/bundle/outside-measurements.js';
import { cellsOf, type Domain } from '../src/domain/domain.js';
import { InputError } from '../src/domain/input-error.js';
import { bytesText, limits } from '../src/domain/limits.js';
import { listed } from '../src/domain/listed.js';
import type { Running } from '../src/domain/running.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import { distinctCliques } from '../src/estimate/graphical/targets.js';
import { checkRows } from '../src/flow/check-rows.js';
import { junctionTree, treeSize } from '../src/model/graphical/tree/junction-tree.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { attributesOf } from '../src/query/answer.js';
import { randomSeed } from '../src/random/random-seed.js';
import { seeded } from '../src/random/seeded.js';
import { describeFile } from './bundle-directory.js';
import { nodeWorkers } from './node-workers.js';
import { writeTable } from './table/write-table.js';

export interface MakeEstimateOptions extends Running {
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
  readonly format?: 'csv' | 'parquet' | undefined;
  /** Write the CSV file for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean | undefined;
  /** For drawing rows and for validation, below 2^52; random by default. */
  readonly seed?: number | undefined;
  readonly software: string;
}

/** Rows drawn and written at a time. */
const chunk = 200_000;

/** Fits a model to measurements from outside and writes it, with rows, into an empty directory. */
export const makeEstimate = async (directory: string, options: MakeEstimateOptions): Promise<Estimate> => {
  const { schema, format = 'csv', onProgress, signal } = options;
  const domain = domainFromSchema(schema);
  const { json, name } = options.measurements;
  const { measurements, total } = parseOutsideMeasurements(json, domain, name);
  // What the fit cannot change is refused before it, and what nobody could read back too.
  const known = options.rows ?? total;
  if (known !== undefined) checkRows(known, domain);
  const memory = memoryFor(domain, measurements, options);
  const seed = options.seed ?? randomSeed();
  const running = { onProgress, signal };
  const { model, chosen, trace } = await estimateGraphical(domain, measurements, {
    ...running,
    until: options.until ?? 'validated',
    random: seeded(seed + 2 ** 52),
    workers: nodeWorkers,
    total,
    iterations: options.iterations,
    memory,
    approximate: options.approximate,
  });
  const rows = options.rows ?? Math.max(1, Math.round(model.total));
  checkRows(rows, domain);
  const random = seeded(seed);
  const file = path.join(directory, `synthetic.${format}`);
  await writeTable(file, domain, model.sampleInChunks(rows, random, chunk), {
    random,
    ...(options.spreadsheet && { spreadsheet: true }),
    ...running,
    onProgress: (progress) => onProgress?.({ ...progress, total: rows }),
  });
  const fit = {
    steps: trace.length - 1,
    approximate: model.approximate,
    until: options.until ?? 'validated',
    ...chosen,
  };
  const facts = {
    software: options.software,
    fit,
    sampling: { file: path.basename(file), rows, seed, ...(options.spreadsheet && { spreadsheet: true as const }) },
  };
  const estimate: Estimate = { facts, schema, model, measurements };
  const files = makeEstimateFiles(estimate, await describeFile(file));
  for (const [entry, bytes] of Object.entries(files)) await writeFile(path.join(directory, entry), bytes);
  return estimate;
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
