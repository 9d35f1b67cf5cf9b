import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';
import { type Bench, type Figure, smaller } from './figures.js';
import { type Job, jobs, tablesFor } from './obedience/jobs.js';
import { type Ended, runCli } from './runs/run-cli.js';

/** Signals that each kind of work gets, at moments drawn from the time that it takes. */
const signals = 4;
/** Where a run that nobody stops is not waited for any longer, in milliseconds; signals are sent before. */
const longest = 30_000;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** What a run left behind, so that the next one begins as the first did. */
const clear = (folder: string): void => {
  for (const name of ['out', 'out.unfinished', 'kept.ledger.jsonl', 'refitted', 'evaluation.html', 'report.html'])
    rmSync(path.join(folder, name), { recursive: true, force: true });
};

const expectStopped = (name: string, { code, obeyed, said }: Ended): number | undefined => {
  // It had ended by itself.
  if (obeyed === undefined || code === 0) return undefined;
  // Before the program listens to signals, they end it as they end any other.
  if (![130, 143, 'SIGTERM', 'SIGINT'].includes(code ?? ''))
    throw new Error(`bench obedience: ${name} ended with ${code}: ${said}`);
  return obeyed;
};

const folderOf = (root: string, job: Job): string => {
  const folder = path.join(root, job.tables);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    tablesFor[job.tables](folder);
  }
  return folder;
};

const measure = async (job: Job, folder: string, random: ReturnType<typeof seeded>): Promise<Figure[]> => {
  clear(folder);
  for (const words of job.before ?? []) {
    const { code, said } = await runCli(words, { folder });
    if (code !== 0) throw new Error(`bench obedience: ${words.join(' ')} ended with ${code}: ${said}`);
  }
  const fresh = job.before === undefined ? () => clear(folder) : () => {};
  const start = performance.now();
  const whole = await runCli(job.words, { folder, stop: { signal: 'SIGTERM', after: longest } });
  const took = Math.min(longest, performance.now() - start);
  if (whole.obeyed === undefined && whole.code !== 0)
    throw new Error(`bench obedience: ${job.name} ended with ${whole.code}: ${whole.said}`);
  const times = [expectStopped(job.name, whole)];
  for (let k = 0; k < signals; k++) {
    fresh();
    // A moment of each part of the run.
    const after = took * ((k + uniform(random)) / signals);
    const signal = k % 2 === 0 ? 'SIGTERM' : 'SIGINT';
    const ended = await runCli(job.words, { folder, stop: { signal, after: Math.max(300, after) } });
    times.push(expectStopped(job.name, ended));
  }
  const obeyed = times.filter((time) => time !== undefined);
  const silence = whole.watched?.silence ?? Number.NaN;
  return [
    ...(obeyed.length === 0
      ? []
      : [
          smaller(`${job.name}: until it has ended, median`, median(obeyed), null, 'ms'),
          smaller(`${job.name}: until it has ended, worst`, Math.max(...obeyed), null, 'ms'),
        ]),
    ...(Number.isFinite(silence)
      ? [smaller(`${job.name}: longest stretch without an event`, silence, null, 'ms of processor')]
      : []),
  ];
};

/**
 * How soon the command line obeys: every mechanism and every other kind of long work, on large and on wide made-up tables, gets TERM and Ctrl-C at
 * random moments, and once it runs to its end (half a minute at most) while the longest stretch is measured in which it would not have heard a
 * signal. `--only aim,compare` takes kinds by name.
 */
const bench: Bench = async ({ say, only }) => {
  const names = only?.split(',') ?? jobs.map(({ name }) => name);
  const stranger = names.find((name) => !jobs.some((job) => job.name === name));
  if (stranger !== undefined)
    throw new Error(`bench obedience: --only takes ${jobs.map(({ name }) => name).join(', ')}, got ${stranger}`);
  const root = mkdtempSync(path.join(tmpdir(), 'surmise-obedience-'));
  const random = seeded(1);
  const figures: Figure[] = [];
  try {
    for (const job of jobs.filter(({ name }) => names.includes(name))) {
      const own = await measure(job, folderOf(root, job), random);
      for (const { what, ours, unit } of own) say(`${what}: ${Math.round(ours)} ${unit}`);
      figures.push(...own);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return figures;
};

export default bench;
