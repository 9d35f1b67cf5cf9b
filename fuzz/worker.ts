// Fuzzes one target in a process of its own, on the counting copy of the build: a crash, a hang or a flood of memory ends this process and not
// the run. Writes every input to a file before it is run.
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { countersName, mostBlocks } from './instrument.js';
import { readCorpus } from './read-corpus.js';

const [name, seconds, seed, root, out] = process.argv.slice(2);
const counters = new Uint8Array(mostBlocks);
Object.assign(globalThis, { [countersName]: counters });

const { fuzz } = await import('./loop.js');
const { targets } = await import('./targets.js');
const { seeded } = await import('../src/random/seeded.js');

const target = targets.find((each) => each.name === name)!;
const start = [...readCorpus(root, name), ...((await target.seeds?.()) ?? [])];
mkdirSync(out, { recursive: true });
const last = openSync(path.join(out, 'last'), 'w');
const outcome = await fuzz(target, {
  random: seeded(Number(seed)),
  seconds: Number(seconds),
  start,
  counters,
  onInput: (bytes) => {
    writeSync(last, bytes, 0, bytes.length, 0);
    ftruncateSync(last, bytes.length);
  },
});
closeSync(last);
outcome.corpus.forEach((bytes, i) => {
  writeFileSync(path.join(out, `corpus-${i}`), bytes);
});
outcome.findings.forEach(({ bytes }, i) => {
  writeFileSync(path.join(out, `finding-${i}`), bytes);
});
const { corpus, findings, ...figures } = outcome;
const told = findings.map(({ fault, detail, milliseconds }) => ({ fault, detail, milliseconds }));
writeFileSync(path.join(out, 'outcome.json'), JSON.stringify({ ...figures, corpus: corpus.length, findings: told }));
process.exit(0);
