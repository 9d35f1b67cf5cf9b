import { parentPort } from 'node:worker_threads';
import { carryOut, type FitJob } from '../src/flow/fit-elsewhere.js';
import type { FitAnswer } from './node-fitters.js';

// The program of a thread of `nodeFitters`: a fit for every message, answered in their order.
const port = parentPort!;
let last: Promise<void> = Promise.resolve();
const answer = async (job: FitJob): Promise<void> => {
  try {
    const found = await carryOut(job, {});
    const tables = found.beliefs.map(({ buffer }) => buffer as ArrayBuffer);
    port.postMessage({ found } satisfies FitAnswer, [...new Set(tables)]);
  } catch {
    port.postMessage({} satisfies FitAnswer);
  }
};
port.on('message', (job: FitJob) => {
  last = last.then(() => answer(job));
});
