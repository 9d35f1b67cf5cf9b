import { readFileSync } from 'node:fs';
import { openPrivateFile } from '../../adapters/private/private-file.js';
import { seeded } from '../../src/random/seeded.js';
import { type BeyondTask, checksum, pairsOf, schemaOf } from './task.js';

// Our side of the out-of-core case of bench/count.ts, in a process of its own: the file is opened as a private one, and counted.
const { file, sizes, memory, threads } = JSON.parse(readFileSync(0, 'utf8')) as BeyondTask;
const start = performance.now();
const source = await openPrivateFile(file, schemaOf(sizes), {
  random: seeded(1),
  engine: 'duckdb',
  memoryLimit: memory,
  threads,
});
const load = (performance.now() - start) / 1000;
const from = performance.now();
const counts = await source.counts(pairsOf(sizes), {
  onProgress: ({ done, total }) => {
    if (done % 10 === 0)
      process.stderr.write(`${((performance.now() - from) / 1000).toFixed(1)} s: ${done} of ${total}\n`);
  },
});
const count = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
await source.close();
process.stdout.write(
  JSON.stringify({
    load,
    count,
    processor: (user + system) / 1e6,
    bytes: maxRSS * 1024,
    checksum: checksum(counts),
  }),
);
process.exit(0);
