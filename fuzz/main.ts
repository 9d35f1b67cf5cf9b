import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { counting, instrumentTree } from './instrument-tree.js';
import { readCorpus } from './read-corpus.js';
import { targets } from './targets.js';
import { type Run, type TargetRun, totalsOf } from './totals.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    out: { type: 'string', default: path.join('build', 'fuzz.json') },
    help: { type: 'boolean', default: false },
  },
});

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
/** A process that says nothing for so long hangs. */
const patience = 60_000;

interface Told {
  readonly executions: number;
  readonly taken: number;
  readonly refused: number;
  readonly seconds: number;
  readonly blocks: number;
  readonly slowest: number;
  readonly corpus: number;
  readonly findings: { readonly fault: string; readonly detail: string; readonly milliseconds: number }[];
}

/** Runs a worker; kills it when one input takes longer than patience. */
const run = (
  name: string,
  seconds: number,
  seed: number,
  out: string,
): Promise<{ code: number | null; errors: string }> =>
  new Promise((resolve) => {
    const flags = ['--max-old-space-size=1500', '--stack-size=900', path.join(root, counting, 'fuzz', 'worker.js')];
    const child = spawn(process.execPath, [...flags, name, String(seconds), String(seed), root, out], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (part) => {
      errors = (errors + part).slice(-4000);
    });
    const last = path.join(out, 'last');
    const watch = setInterval(() => {
      if (existsSync(last) && Date.now() - statSync(last).mtimeMs > patience) child.kill('SIGKILL');
    }, 1000);
    child.on('close', (code) => {
      clearInterval(watch);
      resolve({ code, errors });
    });
  });

const keep = (target: string, kind: string, bytes: Uint8Array): void => {
  const folder = path.join(root, 'fuzz', 'corpus', target);
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  writeFileSync(path.join(folder, `${kind}-${name}`), bytes);
};

/** Bytes of kept inputs for each target, those that once broke something aside: the tree stays small. */
const mostKept = 40_000;

/** The inputs that reach most for their size take the place of the earlier ones; what once broke something stays. */
const replaceCorpus = (target: string, out: string, inputs: number): void => {
  const folder = path.join(root, 'fuzz', 'corpus', target);
  if (existsSync(folder))
    for (const name of readdirSync(folder)) if (name.startsWith('reach-')) rmSync(path.join(folder, name));
  let room = mostKept;
  for (let i = 0; i < inputs; i++) {
    const bytes = readFileSync(path.join(out, `corpus-${i}`));
    if (bytes.length > room) continue;
    room -= bytes.length;
    keep(target, 'reach', bytes);
  }
};

const main = async (): Promise<void> => {
  if (values.help) {
    process.stdout.write(
      'npm run fuzz -- [--minutes N] [--only TARGET] [--seed S] [--keep] [--out FILE]\n\n' +
        'Processor time in all, divided among the targets. --keep puts the inputs that reach most into fuzz/corpus.\n' +
        `Targets: ${targets.map(({ name }) => name).join(', ')}\n`,
    );
    return;
  }
  const chosen = targets.filter(({ name }) => values.only === '' || values.only.split(',').includes(name));
  if (chosen.length === 0) throw new Error(`--only: must be among ${targets.map(({ name }) => name).join(', ')}`);
  const blocks = instrumentTree(root);
  process.stdout.write(`${blocks} blocks in src, adapters and cli\n`);
  const shares = chosen.reduce((sum, { share = 1 }) => sum + share, 0);
  const found: Record<string, TargetRun> = {};
  const seed = Number(values.seed);
  const file = path.resolve(root, values.out);
  mkdirSync(path.dirname(file), { recursive: true });
  // Runs add up: an hour may be made of many.
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { runs: Run[] }).runs : [];
  let broken = 0;
  for (const { name, share = 1 } of chosen) {
    const seconds = (60 * Number(values.minutes) * share) / shares;
    const out = mkdtempSync(path.join(tmpdir(), 'surmise-fuzz-'));
    const { code, errors } = await run(name, seconds, seed, out);
    const outcome = path.join(out, 'outcome.json');
    if (code === 0 && existsSync(outcome)) {
      const told = JSON.parse(readFileSync(outcome, 'utf8')) as Told;
      const { findings, ...figures } = told;
      process.stdout.write(
        `${name.padEnd(14)} ${figures.executions} executions in ${figures.seconds.toFixed(0)} s, ${figures.taken} taken, ${figures.blocks} blocks, ` +
          `${figures.corpus} inputs, slowest ${figures.slowest.toFixed(0)} ms, ${findings.length} findings\n`,
      );
      findings.forEach(({ fault, detail }, i) => {
        broken++;
        keep(name, 'broken', readFileSync(path.join(out, `finding-${i}`)));
        process.stdout.write(`  ${fault}\n    ${detail.split('\n').slice(0, 4).join('\n    ').slice(0, 600)}\n`);
      });
      if (values.keep) replaceCorpus(name, out, figures.corpus);
      found[name] = { ...figures, findings: findings.map(({ fault }) => fault) };
    } else {
      broken++;
      const last = path.join(out, 'last');
      if (existsSync(last)) keep(name, 'broken', readFileSync(last));
      process.stdout.write(`${name.padEnd(14)} ENDED (${code}): ${errors.slice(-1500)}\n`);
      found[name] = { findings: ['the process ended'] };
    }
    rmSync(out, { recursive: true, force: true });
    // After every target, so that a run that is stopped has not been for nothing.
    const runs = [...earlier, { seed, node: process.version, blocks, targets: found }];
    writeFileSync(file, `${JSON.stringify({ totals: totalsOf(runs), runs })}\n`);
  }
  rmSync(path.join(root, counting), { recursive: true, force: true });
  const inputs = targets.reduce((sum, { name }) => sum + readCorpus(root, name).length, 0);
  process.stdout.write(`${broken} findings; ${inputs} inputs in fuzz/corpus; figures in ${values.out}\n`);
  process.exitCode = broken === 0 ? 0 : 1;
};

await main();
