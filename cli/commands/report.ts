import path from 'node:path';
import { assertPublic } from '../../adapters/private/looks-private.js';
import { InputError } from '../../src/domain/input-error.js';
import { command } from '../command.js';
import { count } from '../terminal/print.js';
import { writeText } from '../text/write-text.js';

export default command({
  name: 'report',
  summary: 'make the report of a release: one page for a browser, from the release and public data only',
  help: `usage: surmise report DIR [--public TABLE] [-o FILE] [--force]

Makes the report of a release anew: one HTML page that needs no network, with the privacy statement in words and
numbers, what was measured with which noise, every attribute's distribution, and how attributes go together. With
the public table that the release started from, it shows everything beside it. It reads no private data and costs nothing.

surmise release writes the same page into the release itself. A release is not changed: the page goes beside it.

      --public TABLE  the public table, with the release's columns
  -o, --out FILE      where to write it (DIR-report.html beside DIR)
      --force         replace FILE
      --json          print where it is as JSON
      --verbose       say where an unexpected error came from
  -h, --help          this text

example: surmise report released --public survey-2018.csv -o survey.html`,
  options: {
    public: { type: 'string' },
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: ['DIR'],
  run: async ({ values, positionals: [directory] }, io) => {
    const place = path.resolve(directory);
    const file = values.out ?? path.join(path.dirname(directory), `${path.basename(place)}-report.html`);
    if (path.dirname(path.resolve(file)) === place)
      throw new InputError(
        `${file}: must not be in the release, whose files are sealed by their hashes, got a name in it; write it elsewhere`,
      );
    const running = { onProgress: io.progress, signal: io.signal };
    if (values.public !== undefined) await assertPublic(values.public);
    let bytes = 0;
    const make = async (): Promise<string> => {
      const [{ readBundle }, { reportOf }] = await Promise.all([
        import('../../adapters/bundle-directory.js'),
        import('../../src/flow/add-report.js'),
      ]);
      const bundle = await readBundle(directory);
      const table =
        values.public === undefined
          ? undefined
          : await (await import('../../adapters/table/read-table.js')).readTable(
              values.public,
              bundle.model.domain,
              running,
            );
      const text = await reportOf(bundle, { ...running, public: table });
      bytes = new TextEncoder().encode(text).length;
      return text;
    };
    await writeText(file, make, { overwrite: values.force === true, signal: io.signal });
    io.out(
      values.json
        ? `${JSON.stringify({ report: file, bytes }, null, 2)}\n`
        : `${file}: the report (${count(bytes)} bytes); open it in a browser\n`,
    );
  },
});
