import { readFile } from 'node:fs/promises';
import { InputError } from '../../src/domain/input-error.js';
import { parseJson } from '../../src/domain/parse-json.js';
import { command } from '../command.js';
import { readSchema } from '../options/read-schema.js';
import { wholeNumber } from '../options/whole-number.js';
import { systemReason } from '../system-error.js';
import { count, dim } from '../terminal/print.js';
import { version } from '../version.js';

const largestSeed = 2 ** 52 - 1;

export default command({
  name: 'estimate',
  summary: 'make a model and synthetic rows from noisy marginals that another system measured',
  help: `usage: surmise estimate MEASUREMENTS.json --schema SCHEMA -o DIR [options]

Fits a graphical model to noisy answers that were measured elsewhere, and writes a new directory: synthetic rows, the model
(surmise query asks it), and estimate.json. No private table is opened and nothing is spent: whatever privacy the answers
have, the result has too.

MEASUREMENTS.json holds, for each measurement, the attributes (or a query, see docs/queries.md), the noisy counts, row-major
over the schema's cells or nested by attribute, and the noise:
  { "measurements": [
      { "attributes": ["sex"], "values": [512.3, 488.1], "noise": { "kind": "gaussian", "scale": 10 } } ] }
A "total" beside "measurements" gives the number of records where it is public. Noise is gaussian (scale: standard
deviation), laplace (scale: b), or none.

  -o, --out DIR           the directory to make; it appears whole or not at all
      --schema FILE       the schema, which fixes the cells
      --until U           validated (stop before the noise is fitted; the default) or converged
      --iterations N      steps of the fit at most (1000)
      --memory MB         what the fit may hold at most (2000); the model's own tables must fit in 512 MiB
      --approximate       when they would not fit, use an approximation, which the result says
      --rows N            number of synthetic rows (the estimated number of records)
      --format F          csv or parquet (csv)
      --spreadsheet       an apostrophe before texts that a spreadsheet would take for a formula (=, +, -, @); csv only
      --seed N            for drawing rows, so that they can be drawn again
      --json              print the summary as JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

example:
  surmise estimate marginals.json --schema schema.json -o estimated
  surmise query estimated "SELECT sex, COUNT(*) FROM data GROUP BY sex"`,
  options: {
    out: { type: 'string', short: 'o' },
    schema: { type: 'string' },
    until: { type: 'string' },
    iterations: { type: 'string' },
    memory: { type: 'string' },
    approximate: { type: 'boolean' },
    rows: { type: 'string' },
    format: { type: 'string' },
    spreadsheet: { type: 'boolean' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: ['MEASUREMENTS'],
  run: async ({ values, positionals: [file] }, io) => {
    const { out, schema: schemaFile, until = 'validated', format = 'csv' } = values;
    if (out === undefined) throw new InputError('option --out: must name the directory to make, got none; add -o DIR');
    if (schemaFile === undefined)
      throw new InputError('option --schema: must name the schema that fixes the cells, got none; see docs/domain.md');
    if (until !== 'validated' && until !== 'converged')
      throw new InputError(`option --until: must be validated or converged, got ${JSON.stringify(until)}`);
    if (format !== 'csv' && format !== 'parquet')
      throw new InputError(`option --format: must be csv or parquet, got ${JSON.stringify(format)}`);
    if (values.spreadsheet && format !== 'csv')
      throw new InputError('option --spreadsheet: is for csv, got --format parquet; leave one of them out');
    const iterations = wholeNumber('iterations', values.iterations, { min: 1, max: 1e6, otherwise: 1000 });
    const memory = 1e6 * wholeNumber('memory', values.memory, { min: 1, max: 4000, otherwise: 2000 });
    const rows = wholeNumber('rows', values.rows, { min: 1, max: 1e10, otherwise: undefined });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: largestSeed, otherwise: undefined });
    const schema = await readSchema(schemaFile);
    const json = parseMeasurementsText(await readBytes(file), file);
    const [{ estimateFiles }, { writeWholeDirectory }] = await Promise.all([
      import('../../adapters/estimate-files.js'),
      import('../../adapters/write-whole.js'),
    ]);
    let made: Awaited<ReturnType<typeof estimateFiles>> | undefined;
    try {
      await writeWholeDirectory(
        out,
        async (temporary) => {
          made = await estimateFiles(temporary, {
            onProgress: io.progress,
            signal: io.signal,
            measurements: { json, name: file },
            schema,
            until,
            iterations,
            memory,
            approximate: values.approximate ?? false,
            format,
            ...(values.spreadsheet && { spreadsheet: true }),
            software: `surmise ${version()}`,
            rows,
            seed,
          });
        },
        { signal: io.signal },
      );
    } catch (error) {
      const reason = systemReason(error);
      throw reason === undefined ? error : new InputError(`${out}: ${reason}`);
    }
    if (made === undefined) return;
    const { facts, measurements, model } = made;
    if (values.json) {
      io.out(
        `${JSON.stringify({ directory: out, ...facts, measurements: measurements.length, total: model.total })}\n`,
      );
      return;
    }
    const { steps, iteration, chi, approximate } = facts.fit as Record<string, number | boolean>;
    io.out(`Fitted in ${steps} steps, of which number ${iteration} was taken; normalised residual ${Number(chi).toPrecision(3)}\
 (noise alone would leave about 1).${approximate ? ' The fit is approximate: its exact tables would not fit the memory.' : ''}
${count(measurements.length)} measurements, about ${count(Math.round(model.total))} records; written to ${out}.
${dim('Ask it:', io)} surmise query ${out} "SELECT COUNT(*) FROM data"
`);
  },
});

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new InputError(`${file}: ${systemReason(error) ?? 'must be a readable file'}; check the path`);
  });

/** The JSON of a measurements file. */
export const parseMeasurementsText = (bytes: Uint8Array, file: string): unknown => {
  try {
    return parseJson(new TextDecoder().decode(bytes), file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: must be JSON, got something else; see surmise estimate --help for its form`);
  }
};
