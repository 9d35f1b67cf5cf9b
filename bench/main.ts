import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseScript, commonOptions } from '../experiments/command/choose-script.js';
import type { Bench, Figure, KeptFigures } from './figures.js';
import { keptWith } from './kept-with.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...commonOptions, add: { type: 'boolean' } },
});
const name = chooseScript(
  here,
  ['main', 'figures', 'kept-with'],
  { name: positionals[0], help: values.help },
  (names) => `npm run bench -- NAME [--data DIR] [--only PARTS] [--json] [--keep [--add]]

NAME is one of: ${names}
--keep writes the figures to bench/results/NAME.json, with the command and the machine: README and docs quote them from there.
--add puts them among the figures that are kept there already, so that a long benchmark can be run part by part.
`,
);

const number = (value: number | null): string =>
  value === null ? '-' : Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const print = (figures: readonly Figure[]): void => {
  const rows = [['what', 'ours', 'peer', 'ratio', 'unit']];
  for (const { what, ours, peer, ratio, unit } of figures)
    rows.push([what, number(ours), number(peer), number(ratio), unit]);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    process.stdout.write(
      `${row.map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}\n`,
    );
};

const root = path.resolve(here, '..', '..');
const python = path.join(root, 'bench', 'peers', '.venv', 'bin', 'python');
const { default: bench } = (await import(`./${name}.js`)) as { default: Bench };
const load = loadavg()[0];
const figures = await bench({
  data: values.data ?? process.env.SURMISE_DATA,
  only: values.only,
  python: existsSync(python) ? python : undefined,
  say: (line) => {
    if (!values.json) process.stderr.write(`${line}\n`);
  },
});
if (values.keep) {
  const folder = path.join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const only = values.only === undefined || values.add ? '' : values.only;
  const file = path.join(folder, `${name}${only === '' ? '' : `-${only}`}.json`);
  const kept: KeptFigures = {
    name,
    command: `npm run bench -- ${name}${values.data === undefined ? '' : ' --data DIR'}${only === '' ? '' : ` --only ${only}`}`,
    kept: new Date().toISOString().slice(0, 10),
    machine: { cores: cpus().length, processor: cpus()[0]?.model ?? 'unknown', node: process.version, load },
    figures,
  };
  const old = values.add && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptFigures) : undefined;
  writeFileSync(file, `${JSON.stringify(keptWith(old, kept), null, 1)}\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ name, figures })}\n`);
else print(figures);
