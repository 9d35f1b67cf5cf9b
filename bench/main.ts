import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseScript, commonOptions } from '../experiments/command/choose-script.js';
import type { Bench, Figure, KeptFigures } from './figures.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: commonOptions });
const name = chooseScript(
  here,
  ['main', 'figures'],
  { name: positionals[0], help: values.help },
  (names) => `npm run bench -- NAME [--data DIR] [--only PARTS] [--json] [--keep]

NAME is one of: ${names}
--keep writes the figures to bench/results/NAME.json, with the command and the machine: README and docs quote them from there.
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
  const only = values.only === undefined ? '' : ` --only ${values.only}`;
  const kept: KeptFigures = {
    name,
    command: `npm run bench -- ${name}${values.data === undefined ? '' : ' --data DIR'}${only}`,
    kept: new Date().toISOString().slice(0, 10),
    machine: { cores: cpus().length, processor: cpus()[0]?.model ?? 'unknown', node: process.version, load },
    figures,
  };
  const folder = path.join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, `${name}${values.only ? `-${values.only}` : ''}.json`),
    `${JSON.stringify(kept, null, 1)}\n`,
  );
}
if (values.json) process.stdout.write(`${JSON.stringify({ name, figures })}\n`);
else print(figures);
