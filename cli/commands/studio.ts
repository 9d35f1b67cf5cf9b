import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../src/index.js';
import { command } from '../command.js';

export default command({
  name: 'studio',
  usage: ['[--port N] [--no-open] [--json]'],
  about: `Serves the studio on 127.0.0.1, to this machine alone, and opens it in the browser: a release by hand and eye, from the
table to the report. Everything runs in the page. No table is uploaded, to this program either: the page may connect to
nothing. Ends with Ctrl-C.`,
  examples: ['surmise studio', 'surmise studio --port 4173 --no-open'],
  run: async ({ values }, io) => {
    const { serveFolder } = await import('../../adapters/index.js');
    const served = await serveFolder(studioFolder(), { port: values.port });
    io.out(
      values.json
        ? `${JSON.stringify({ address: served.address })}\n`
        : `The studio is at ${served.address}\nNothing leaves this machine. Ctrl-C ends it.\n`,
    );
    try {
      if (!values['no-open']) openBrowser(served.address);
      const { signal } = io.running;
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    } finally {
      await served.close();
    }
  },
});

/** Where the built pages are: beside this program, or in the build of a clone. */
const studioFolder = (): string => {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = [path.join(here, '../../studio'), path.join(here, '../../dist/studio')];
  const built = places.find((place) => existsSync(path.join(place, 'offline.js')));
  if (built === undefined)
    throw new InputError('studio: must be built before it is served, got no dist/studio; run npm run build');
  return built;
};

/** Opens the person's browser; where there is none, the address was printed. */
const openBrowser = (address: string): void => {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  spawn(program, words, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
};
