import path from 'node:path';
import { reportOf } from '../../src/advanced.js';
import { InputError } from '../../src/index.js';
import { command } from '../command.js';
import { writeText } from '../files/write-text.js';
import { count } from '../terminal/print.js';

export default command({
  name: 'report',
  usage: ['DIR [--public TABLE] [--title TEXT] [-o FILE] [--force]'],
  about: `Makes the report of a release anew: one HTML page that needs no network, with the privacy statement in words and
numbers, what was measured with which noise, every attribute's distribution, and how attributes go together. With
the public table that the release started from, it shows everything beside it. It reads no private data and costs nothing.

surmise release writes the same page into the release itself. A release is not changed: the page goes beside it.`,
  examples: ['surmise report released --public survey-2018.csv --title "Survey of 2024" -o survey.html'],
  run: async ({ values, operands: [directory] }, io) => {
    const place = path.resolve(directory);
    const file = values.out ?? path.join(path.dirname(directory), `${path.basename(place)}-report.html`);
    if (path.dirname(path.resolve(file)) === place)
      throw new InputError(
        `${file}: must not be in the release, whose files are sealed by their hashes, got a name in it; write it elsewhere`,
      );
    const { assertPublic, readAnyBundle, readPublic } = await import('../../adapters/index.js');
    const households = values['public-households'];
    for (const name of [values.public, households]) if (name !== undefined) await assertPublic(name);
    const make = async (): Promise<string> => {
      const bundle = await readAnyBundle(directory);
      const { schema } = bundle.manifest;
      if (households !== undefined && (values.public === undefined || schema.twoLevel === undefined))
        throw new InputError(
          'option --public-households: is for a release of households with --public, the table of their persons, got none; leave it out, or name it',
        );
      const read =
        values.public === undefined
          ? undefined
          : await readPublic(values.public, schema, { ...io.running, households });
      return reportOf(bundle, { ...io.running, public: read?.table, title: values.title });
    };
    const options = { overwrite: values.force, signal: io.running.signal };
    const bytes = Buffer.byteLength(await writeText(file, make, (text) => text, options));
    io.out(
      values.json
        ? `${JSON.stringify({ report: file, bytes }, null, 2)}\n`
        : `${file}: the report (${count(bytes)} bytes); open it in a browser\n`,
    );
  },
});
