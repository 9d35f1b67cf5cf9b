import { command } from '../command.js';
import { writeDirectory } from '../files/write-directory.js';
import { checkSpreadsheet } from '../options/combined.js';
import { count, dim } from '../terminal/print.js';
import { version } from '../version.js';

export default command({
  name: 'estimate',
  usage: ['MEASUREMENTS.json --schema SCHEMA -o DIR [options]'],
  about: `Fits a graphical model to noisy answers that were measured elsewhere, and writes a new directory: synthetic rows, the model
(surmise query asks it), and estimate.json. No private table is opened and nothing is spent: whatever privacy the answers
have, the result has too.

MEASUREMENTS.json holds, for each measurement, the attributes (or a query, see docs/queries.md), the noisy counts, row-major
over the schema's cells or nested by attribute, and the noise:
  { "measurements": [
      { "attributes": ["sex"], "values": [512.3, 488.1], "noise": { "kind": "gaussian", "scale": 10 } } ] }
A "total" beside "measurements" gives the number of records where it is public. Noise is gaussian (scale: standard
deviation), laplace (scale: b), or none.`,
  examples: [
    'surmise estimate marginals.json --schema schema.json -o estimated',
    'surmise query estimated "SELECT sex, COUNT(*) FROM data GROUP BY sex"',
  ],
  run: async ({ values, operands: [file] }, io) => {
    const { out, until, iterations, approximate, format, spreadsheet, rows, seed } = values;
    checkSpreadsheet(values);
    const { estimateFiles, readJson, readSchema } = await import('../../adapters/index.js');
    const schema = await readSchema(values.schema);
    const json = await readJson(file, { what: 'a file of measurements' });
    const fill = (temporary: string) =>
      estimateFiles(temporary, {
        ...io.running,
        measurements: { json, name: file },
        schema,
        until,
        iterations,
        memory: 1e6 * values.memory,
        approximate,
        format,
        spreadsheet,
        software: `surmise ${version()}`,
        rows,
        seed,
      });
    const { facts, measurements, model } = await writeDirectory(out, fill, io);
    if (values.json) {
      const made = { directory: out, ...facts, measurements: measurements.length, total: model.total };
      io.out(`${JSON.stringify(made)}\n`);
      return;
    }
    const { steps, iteration, chi, approximate: isApproximate } = facts.fit as Record<string, number | boolean>;
    io.out(`Fitted in ${steps} steps, of which number ${iteration} was taken; normalised residual ${Number(chi).toPrecision(3)}\
 (noise alone would leave about 1).${isApproximate ? ' The fit is approximate: its exact tables would not fit the memory.' : ''}
${count(measurements.length)} measurements, about ${count(Math.round(model.total))} records; written to ${out}.
${dim('Ask it:', io)} surmise query ${out} "SELECT COUNT(*) FROM data"
`);
  },
});
