import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InputError } from '../src/domain/input-error.js';
import { chooseScript, commonOptions } from './command/choose-script.js';
import type { Experiment } from './experiment.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...commonOptions, seeds: { type: 'string' }, quick: { type: 'boolean' }, add: { type: 'boolean' } },
});
const name = chooseScript(
  here,
  ['main', 'experiment', 'parallel', 'parallel-worker', 'resume', 'spread'],
  { name: positionals[0], help: values.help },
  (names) => `npm run experiment -- NAME [--data DIR] [--seeds N] [--only MECHANISM] [--quick] [--json] [--keep [--add]]

NAME is one of: ${names || '(none yet)'}
--keep writes the figures to experiments/results/NAME.json, as docs/results.md quotes them.
--add puts them among the figures that are kept there already, where the experiment can be run part by part.
An experiment is a laboratory act: it looks at private truth to measure errors, and its output must not be taken for a release.
`,
);

const { default: experiment } = (await import(`./${name}.js`)) as { default: Experiment };
const outcome = await experiment({
  data: values.data ?? process.env.SURMISE_DATA,
  seeds: values.seeds === undefined ? undefined : Number(values.seeds),
  quick: values.quick ?? false,
  only: values.only,
  say: (line) => {
    if (!values.json) process.stderr.write(`${line}\n`);
  },
}).catch((error: unknown) => {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
const json = `${JSON.stringify({ name, ...outcome.figures })}\n`;
if (values.keep) {
  const file = `experiments/results/${name}.json`;
  if (values.add && outcome.added === undefined) {
    process.stderr.write(`option --add: ${name} is kept as a whole, got it; leave it out\n`);
    process.exit(2);
  }
  const before = values.add && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : undefined;
  mkdirSync('experiments/results', { recursive: true });
  writeFileSync(file, before === undefined ? json : `${JSON.stringify({ name, ...outcome.added!({ ...before }) })}\n`);
}
process.stdout.write(values.json ? json : `${outcome.text}\n`);
