import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inWorkers } from './parallel.js';

/** A digest of the code that makes the results, so that a change of it does not go on from results of the code before. */
const codeDigest = (): string => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256');
  for (const folder of ['src', 'experiments']) {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.js')).sort())
      hash.update(file).update(readFileSync(path.join(root, folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
};

/** Whole lines of an earlier run; a last line that was cut off counts for nothing. */
const readResults = <Result>(file: string): Map<string, Result> => {
  const known = new Map<string, Result>();
  if (!existsSync(file)) return known;
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const [key, result] = JSON.parse(line) as [string, Result];
    known.set(key, result);
  }
  return known;
};

/**
 * `inWorkers` for hours of work: each result is written to `build/experiments` when it is there, and a run that was interrupted goes on behind
 * the last one. Nothing is left when all jobs are done. `say` is told how many are done and about how long the rest will take.
 */
export const inWorkersResuming = async <Job, Result>(
  name: string,
  module: string,
  jobs: readonly Job[],
  say: (line: string) => void,
  describe: (job: Job, result: Result) => string,
): Promise<Result[]> => {
  const folder = path.join('build', 'experiments');
  const file = path.join(folder, `${name}-${codeDigest()}.jsonl`);
  const known = readResults<Result>(file);
  const keyOf = (job: Job): string => JSON.stringify(job);
  const open = jobs.filter((job) => !known.has(keyOf(job)));
  if (open.length < jobs.length) say(`${jobs.length - open.length} of ${jobs.length} are there from an earlier run`);
  mkdirSync(folder, { recursive: true });
  const start = performance.now();
  await inWorkers<Job, Result>(module, open, (job, result, done) => {
    known.set(keyOf(job), result);
    appendFileSync(file, `${JSON.stringify([keyOf(job), result])}\n`);
    const minutes = ((performance.now() - start) / 60_000 / done) * (open.length - done);
    say(`${done}/${open.length} ${describe(job, result)}; about ${Math.ceil(minutes)} min left`);
  });
  const results = jobs.map((job) => known.get(keyOf(job))!);
  rmSync(file, { force: true });
  return results;
};
