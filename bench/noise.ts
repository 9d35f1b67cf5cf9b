import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { webEntropy } from '../src/privacy/entropy.js';
import { gaussian } from '../src/privacy/noise/gaussian.js';
import { laplace } from '../src/privacy/noise/laplace.js';
import { rational } from '../src/privacy/rational.js';
import { exponentialMechanism } from '../src/privacy/selection/exponential-mechanism.js';
import { permuteAndFlip } from '../src/privacy/selection/permute-and-flip.js';
import { type Bench, type Figure, larger, smaller } from './figures.js';

const DRAWS = 2_000_000;
const ROUNDS = 3;
/** OpenDP takes a Python list; so many draws hide the cost of the call without making one wait. */
const PEER_DRAWS = 100_000;
const SCALES = [1, 10, 1000];
const CANDIDATES = 300_000;

const seconds = (work: () => unknown): number => {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
};

/** Seconds that OpenDP takes for each thing measured here, by its name. */
const peerSeconds = async (python: string): Promise<Map<string, number>> => {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const script = path.resolve(here, '..', '..', 'bench', 'peers', 'noise.py');
  const { stdout } = await promisify(execFile)(python, [script, ...[PEER_DRAWS, CANDIDATES, ROUNDS].map(String)]);
  const rows = stdout.trim().split('\n');
  return new Map(
    rows.map((row) => {
      const { name, seconds } = JSON.parse(row) as { name: string; seconds: number };
      return [name, seconds];
    }),
  );
};

/**
 * Exact draws a second on one core from Web Crypto, building the tables included, and one selection among 300,000 scores; best of
 * three, beside OpenDP's vectorised calls on i64 in the same run.
 */
const bench: Bench = async ({ python, say }) => {
  say(python === undefined ? 'OpenDP: not installed in bench/peers/.venv, so no comparison' : 'OpenDP: drawing');
  const peers = python === undefined ? new Map<string, number>() : await peerSeconds(python);
  const peer = (name: string, convert: (seconds: number) => number): number | null => {
    const time = peers.get(name);
    return time === undefined ? null : convert(time);
  };
  const entropy = webEntropy();
  const counts = new Float64Array(DRAWS);
  const figures: Figure[] = [];
  for (const [kind, draw] of [
    ['laplace', (scale: number) => laplace.add(counts, rational(scale), entropy)],
    ['gaussian', (scale: number) => gaussian.add(counts, rational(scale * scale), entropy)],
  ] as const)
    for (const scale of SCALES) {
      const name = `${kind} ${scale}`;
      const rate = DRAWS / seconds(() => draw(scale));
      const theirs = peer(name, (time) => PEER_DRAWS / time);
      figures.push(larger(`${name} against OpenDP`, rate, theirs, 'draws/s'));
    }
  const scores = Float64Array.from({ length: CANDIDATES }, (_, i) => (i * 7919) % 100_003);
  const options = { epsilon: rational(1), sensitivity: rational(1) };
  for (const [name, select] of [
    ['exponential mechanism', exponentialMechanism],
    ['permute-and-flip', permuteAndFlip],
  ] as const) {
    const time = 1000 * seconds(() => select(scores, options, entropy));
    const theirs = peer(name, (peerTime) => 1000 * peerTime);
    figures.push(smaller(`${name}, 300,000 scores, against OpenDP`, time, theirs, 'ms'));
  }
  return figures;
};

export default bench;
