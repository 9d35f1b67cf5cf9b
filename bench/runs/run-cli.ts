import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a process of the command line took. */
export interface Watched {
  /** Seconds by the clock, from its start to its end. */
  readonly seconds: number;
  /** Processor seconds, of all threads. */
  readonly processor: number;
  /** Peak of resident memory. */
  readonly bytes: number;
  /** Longest stretch of the main thread's work in which no event was heard, in milliseconds of a processor; NaN where the system does not tell. */
  readonly silence: number;
}

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
  readonly said: string;
  /** Milliseconds from the signal to the end, where one was sent. */
  readonly obeyed?: number | undefined;
  /** Absent where the process ended in a way of its own. */
  readonly watched?: Watched | undefined;
}

export interface RunOptions {
  readonly folder: string;
  /** Sends this signal so many milliseconds after the start, unless it has ended by then. */
  readonly stop?: { readonly signal: NodeJS.Signals; readonly after: number } | undefined;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const cli = path.resolve(here, '..', '..', 'cli', 'main.js');
const watch = pathToFileURL(path.join(here, 'watch.js')).href;

/** Runs `surmise WORDS` in a folder, in a process of its own, and watches it. */
export const runCli = (words: readonly string[], { folder, stop }: RunOptions): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const file = path.join(folder, `watched-${process.pid}.json`);
    const child = spawn(process.execPath, ['--import', watch, cli, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SURMISE_WATCH: file },
    });
    let [output, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    let sent: number | undefined;
    const timer =
      stop &&
      setTimeout(() => {
        sent = performance.now();
        child.kill(stop.signal);
      }, stop.after);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const obeyed = sent === undefined ? undefined : performance.now() - sent;
      clearTimeout(timer);
      resolve({ code: code ?? signal, output, said, obeyed, watched: watchedOf(file) });
    });
  });

const watchedOf = (file: string): Watched | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Watched;
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
};
