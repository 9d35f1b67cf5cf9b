#!/usr/bin/env node
import type { Io } from './command.js';
import { report, run } from './run.js';
import { progressLine } from './terminal/progress.js';

/** Why a run was stopped from outside, with the exit code a shell expects for it (128 + the signal's number). */
class Stopped extends Error {
  constructor(
    readonly exitCode: number,
    readonly remark: string,
  ) {
    super('stopped');
  }
}

const { stdout, stderr, env } = process;
const unicode = env.TERM !== 'dumb' && !/^(C|POSIX)$/.test(env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8');
const controller = new AbortController();

const line = progressLine({
  isTerminal: stderr.isTTY === true && env.TERM !== 'dumb',
  get columns() {
    // A terminal that does not know its width says 0.
    return stderr.columns || 80;
  },
  unicode,
  write: (text) => stderr.write(text),
  now: () => performance.now(),
});

// The first signal asks the work to stop and clean up. `once` gives the signal back to the system, so that a second one
// ends the process even when the work does not listen.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    line.clear();
    if (stderr.isTTY) stderr.write('surmise: stopping; press Ctrl-C again to end at once\n');
    controller.abort(new Stopped(code, 'stopped before it was done'));
  });

// The reader of the pipe has gone (`surmise ... | head`): nobody is left to tell.
const gone = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  controller.abort(new Stopped(141, ''));
};
stdout.on('error', gone);
stderr.on('error', gone);

const io: Io = {
  out: (text) => {
    line.clear();
    if (stdout.writable) stdout.write(text);
  },
  err: (text) => {
    line.clear();
    if (stderr.writable) stderr.write(text);
  },
  running: {
    onProgress: (progress) => {
      if (!controller.signal.aborted) line.show(progress);
    },
    signal: controller.signal,
  },
  isTerminal: stdout.isTTY === true,
  columns: stdout.columns || 80,
  colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
  unicode,
};

const finish = (code: number) => {
  line.clear();
  // An empty write ends when everything before it has reached the pipe.
  if (stdout.writable) stdout.write('', () => process.exit(code));
  else process.exit(code);
};

const words = process.argv.slice(2);
const fail = (error: unknown) => {
  if (!(error instanceof Stopped)) return finish(report(error, words, io));
  if (error.remark) io.err(`surmise: ${error.remark}\n`);
  finish(error.exitCode);
};

// Without this, Node would print the error's message, which may quote a value.
process.on('uncaughtException', fail);
run(words, io).then(finish, fail);
