import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Runs `runJob(job)` of a module for every job, two at a time on worker threads (one where the process may use one processor only), and calls
 * `onDone` as each ends. Results come back in the order of the jobs.
 */
export const inWorkers = async <Job, Result>(
  module: string,
  jobs: readonly Job[],
  onDone: (job: Job, result: Result, done: number) => void = () => {},
  width = Math.min(2, availableParallelism()),
): Promise<Result[]> => {
  const results = new Array<Result>(jobs.length);
  let next = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    const worker = new Worker(fileURLToPath(new URL('./parallel-worker.js', import.meta.url)), {
      workerData: { module },
    });
    try {
      while (next < jobs.length) {
        const index = next++;
        results[index] = await new Promise<Result>((resolve, reject) => {
          worker.removeAllListeners();
          worker.once('message', resolve);
          worker.once('error', reject);
          worker.postMessage(jobs[index]);
        });
        onDone(jobs[index], results[index], ++done);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, jobs.length) }, lane));
  return results;
};
