import { parentPort, workerData } from 'node:worker_threads';

const { runJob } = (await import((workerData as { module: string }).module)) as {
  runJob: (job: unknown) => Promise<unknown>;
};
parentPort!.on('message', async (job) => {
  parentPort!.postMessage(await runJob(job));
});
