import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Recording, type Tape, withTape } from './current-tape.js';
import { pinned } from './pinned.js';
import type { RawTable } from './random-tables.js';
import { openTape } from './tape.js';
import { contents, listing } from './watched-files.js';
import { type Visit, visit } from './ways.js';
import { writeRaw } from './write-raw.js';

/** Everything that could be seen of one run, line by line. */
export interface Observation {
  readonly lines: readonly string[];
  readonly outputs: Recording;
}

/** Texts that the process itself writes, on the tape while `work` runs. */
const withStreams = async <T>(tape: Tape, work: () => Promise<T>): Promise<T> => {
  const { stdout, stderr } = process;
  const writers = [stdout.write, stderr.write] as const;
  const seen = (name: string) => (text: unknown) => {
    tape.see(name, String(text));
    return true;
  };
  // Node prints warnings past the streams.
  const onWarning = (warning: Error): void => tape.see('warning', String(warning));
  process.on('warning', onWarning);
  stdout.write = seen('process stdout') as typeof stdout.write;
  stderr.write = seen('process stderr') as typeof stderr.write;
  try {
    return await work();
  } finally {
    [stdout.write, stderr.write] = writers;
    process.off('warning', onWarning);
  }
};

/** Empties the folder but for the private file, whose inode a ledger binds itself to: a table that changes keeps its own. */
const clean = (root: string, file: string): void => {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root))
    if (path.join(root, name) !== file) rmSync(path.join(root, name), { recursive: true, force: true });
};

/** Runs a visit on a table in a fresh folder of the same name every time, recording or replaying. */
export const observe = async (
  of: Visit,
  rows: RawTable,
  recording?: Recording,
  make: typeof visit = visit,
): Promise<Observation> => {
  const { root, file, publicFile, schemaFile, schema, format, unit, publicRows, seed } = of;
  clean(root, file);
  mkdirSync(path.join(root, 'tmp'), { recursive: true });
  writeFileSync(schemaFile, JSON.stringify(of.subject.draft?.(schema) ?? schema));
  await writeRaw(publicFile, 'csv', schema, publicRows, unit.kind === 'household' || unit.kind === 'person');
  await writeRaw(file, format, schema, rows, unit.kind !== 'row');
  const tape = openTape(seed, recording);
  let last = '';
  tape.onMoment = () => {
    const now = listing(root, file, true).join('\n');
    if (now !== last) tape.see('files', now);
    last = now;
  };
  const { TMPDIR } = process.env;
  process.env.TMPDIR = path.join(root, 'tmp');
  try {
    await pinned(seed, () => withTape(tape, () => withStreams(tape, () => make(of, rows, tape))));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  tape.end();
  tape.see('files at the end', listing(root, file));
  for (const line of contents(root, file)) tape.see('content', line);
  clean(root, file);
  return { lines: tape.lines, outputs: tape.outputs };
};
