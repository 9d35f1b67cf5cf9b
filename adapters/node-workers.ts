import { Worker } from 'node:worker_threads';
import type { Spawn } from '../src/kernel/spawn.js';
import { allowRelaxedSimd } from './relaxed-simd.js';

// Before any kernel is compiled, whatever the number of threads: results must not depend on it.
allowRelaxedSimd();

const prelude =
  "const { parentPort } = require('node:worker_threads');" +
  'const send = (message) => parentPort.postMessage(message);' +
  "const listen = (listener) => parentPort.on('message', listener);";

/** Kernel workers as Node worker threads, for the `workers` option of sources and estimators. */
export const nodeWorkers: Spawn = (text) => {
  // The text is a script, whatever the process itself was told to run.
  const worker = new Worker(prelude + text, { eval: true, execArgv: [] });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.on('message', onMessage);
      worker.on('error', (error) => onError(error instanceof Error ? error : new Error(String(error))));
      worker.on('exit', (code) => onError(new Error(`kernel worker: ended with code ${code}`)));
    },
    busy: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
};
