import path from 'node:path';
import type { MadeRelease } from '../adapters/make-release.js';
import type { Io } from './command.js';
import { bold, count, dim, table, yellow } from './print.js';

/** What a release left, for a person: the files, the guarantee, and what to do next. */
export const releaseText = (
  directory: string,
  ledger: string,
  { manifest, notes }: MadeRelease & { readonly notes?: readonly string[] },
  io: Io,
): string => {
  const { privacy, sampling, mechanism, measurements, files } = manifest;
  const what: Readonly<Record<string, string>> = {
    [sampling?.file ?? '']: `${count(sampling?.rows ?? 0)} synthetic rows`,
    'model.bin': 'the model: answers and more rows, at no cost',
    'measurements.bin': `the noisy values of ${count(measurements.length)} measurements`,
    'bundle.json': 'what was done, and the privacy statement with its charges',
  };
  const rows = [...files.map(({ name, bytes }) => [name, count(bytes)]), ['bundle.json', '']];
  const list = table(
    [{ title: 'file' }, { title: 'bytes', align: 'right' }, { title: 'what it is' }],
    rows.map(([name, bytes]) => [path.join(directory, name), bytes, what[name] ?? '']),
    io,
  );
  const remarks = (notes ?? []).map((note) => `${note}\n`).join('');
  const text = privacy.seeded ? yellow(privacy.text, io) : privacy.text;
  return `${remarks}${remarks && '\n'}${bold(`Released with ${mechanism.name}:`, io)}

${list}
${text}

${dim('Check it:', io)} surmise verify ${directory} --ledger ${ledger}
${dim('What remains:', io)} surmise ledger show ${ledger}
`;
};
