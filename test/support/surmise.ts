import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { main, mustBeBuilt, runHere } from './run-here.js';

export { main };

export interface Outcome {
  /** The exit code, or the signal that ended the process. */
  readonly code: number | NodeJS.Signals | null;
  readonly out: string;
  /** What was said on standard error, but for notes: lines that tell what could be done otherwise. */
  readonly err: string;
}

const withoutNotes = (said: string): string => said.replace(/^note: .*\n/gm, '');

/** Starts the built `surmise` as a process of its own in a folder. */
export const start = (
  folder: string,
  ...words: string[]
): { child: ChildProcess; outcome: Promise<Outcome>; everything: Promise<Outcome> } => {
  mustBeBuilt();
  const env = { ...process.env, SURMISE_DEBUG: '', LC_ALL: 'C.UTF-8' };
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const outcome = new Promise<Outcome>((resolve, reject) => {
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.err += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...said, code: code ?? signal }));
  });
  const told = outcome.then((all) => ({ ...all, err: withoutNotes(all.err) }));
  return { child, outcome: told, everything: outcome };
};

/** What the built command line says and does in a folder, in this process: `start` is for what signals and streams are about. */
export const surmise = async (folder: string, ...words: string[]): Promise<Outcome> => {
  const said = await runHere(folder, ...words);
  return { ...said, err: withoutNotes(said.err) };
};

/** An empty folder with these files, removed when the test ends. */
export const folderWith = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
};
