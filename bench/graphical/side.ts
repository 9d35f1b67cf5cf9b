import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What one side is asked to do with a task; it answers with one JSON object. */
export type Request = { readonly task: string } & (
  | { readonly part: 'fit'; readonly iterations: number; readonly estimator?: string }
  /** Iterations of mirror descent in each of `calls` blocks, after a first; with 0, calls of the oracle alone. */
  | { readonly part: 'step'; readonly iterations: number; readonly calls: number }
  | { readonly part: 'rows'; readonly rows: number; readonly calls: number; readonly method?: 'round' | 'compiled' }
);

export interface Usage {
  /** Peak of resident memory. */
  readonly bytes: number;
  /** Processor seconds, of all threads. */
  readonly processor: number;
}

export interface Timed extends Usage {
  /** Seconds before the first result beyond what a later one takes. */
  readonly compile: number;
  readonly seconds: number;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const peers = path.resolve(here, '..', '..', '..', 'bench', 'peers');

/** Answers a request in a process of its own; undefined when that takes longer than `limit` seconds. */
const ask = <Answer>(command: string, script: string, request: object, limit: number): Answer | undefined => {
  try {
    const output = execFileSync(command, [script], {
      input: JSON.stringify(request),
      maxBuffer: 2 ** 28,
      timeout: 1000 * limit,
      killSignal: 'SIGKILL',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return JSON.parse(output.toString()) as Answer;
  } catch (error) {
    const { code, signal, stderr } = error as { code?: string; signal?: string; stderr?: Buffer };
    if (code === 'ETIMEDOUT') return undefined;
    const why = [signal ?? code, stderr?.toString().slice(-2000)].filter(Boolean).join(': ');
    throw new Error(`bench: ${path.basename(script)} failed: ${why}`);
  }
};

/** Our side of a benchmark, a script of its folder, in a fresh process; undefined past `limit` seconds. */
export const askSide = <Answer>(folder: string, name: string, request: object, limit: number): Answer | undefined =>
  ask<Answer>(process.execPath, path.join(here, '..', folder, `${name}.js`), request, limit);

/** Our side, a script of this folder, in a fresh process. */
export const askOurs = <Answer>(name: string, request: object): Answer => {
  const answer = ask<Answer>(process.execPath, path.join(here, `${name}.js`), request, 1800);
  if (answer === undefined) throw new Error(`bench: our side (${name}) took more than half an hour`);
  return answer;
};

/** The peer's script of that name, in a fresh process of its own environment; undefined past `limit` seconds. */
export const askPeer = <Answer>(python: string, name: string, request: object, limit: number): Answer | undefined =>
  ask<Answer>(python, path.join(peers, `${name}.py`), request, limit);

/** Python of a peers' environment of that name (bench/peers/README.md), when it exists. */
export const environment = (name: string): string | undefined => {
  const python = path.join(peers, name, 'bin', 'python');
  return existsSync(python) ? python : undefined;
};
