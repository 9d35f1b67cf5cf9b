import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Table } from '../src/domain/table.js';
import { pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { type Bench, type Figure, smaller } from './figures.js';
import { askPeer, askSide, environment, type Usage } from './graphical/side.js';
import { before } from './wide/before.js';
import { roundsFigures } from './wide/rounds.js';
import { shapes } from './wide/shapes.js';

const BUDGET = { epsilon: 1, delta: 1e-9 };
const THREADS = 2;
/** Pairs whose error is looked at, of up to 44,850. */
const PAIRS = 1000;
/** Seconds that either side may take for one release. */
const LIMIT = 1200;
/** What `--only` calls the comparison of rounds that select and look otherwise. */
const ROUNDS = 'rounds';
/** What `--only` calls a run without the peer, and one for the figures beside the peer alone. */
const [OURS, PEER] = ['ours', 'dpmm'];

interface Run extends Usage {
  readonly seconds: number;
  readonly drawing: number;
  readonly rounds: number;
  /** Mean error over the pairs: of the model's answers, and of the rows'. */
  readonly model: number;
  readonly rows: number;
}

/** The codes as the peer reads them. */
const writeCodes = (file: string, { domain, length, columns }: Table): void => {
  const lines = [domain.attributes.map(({ name }) => name).join(',')];
  for (let row = 0; row < length; row++) lines.push(columns.map((column) => column[row]).join(','));
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`));
};

/** dpmm's AIM on the same table and pairs; undefined where it is not installed or does not end. It knows no public table. */
const askDpmm = (table: Table): Run | undefined => {
  const python = environment('.venv-dpmm');
  if (python === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'surmise-wide-'));
  try {
    const file = path.join(folder, 'codes.csv.gz');
    writeCodes(file, table);
    const { domain } = table;
    const pairs = pairsOrOneWays(domain).queries.map(({ query }) =>
      query.kind === 'marginal' ? query.attributes : [],
    );
    const request = {
      file,
      names: domain.attributes.map(({ name }) => name),
      sizes: domain.attributes.map(({ size }) => size),
      ...BUDGET,
      triples: pairs,
      megabytes: 80,
      iterations: 1000,
    };
    return askPeer<Run>(python, 'aim-dpmm', request, LIMIT);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * AIM on pairs of wide tables, and of codes that nearly determine each other, at epsilon 1 and delta 1e-9: one release of each shape in a process of its
 * own, beside what the same release took before rounds were made for such tables (`wide/before.ts`) and beside dpmm's AIM, where that
 * ends within 20 minutes. `--only 15,30` takes shapes by name, `--only rounds` what several marginals and fewer candidates a round do to the error.
 * `ours` among them leaves dpmm out, `dpmm` prints the figures beside it alone: for a machine that is quiet for minutes, and not for the peer's half hour.
 */
const bench: Bench = async ({ data, say, only }) => {
  const words = only?.split(',') ?? [...Object.keys(shapes), ROUNDS];
  const known = [...Object.keys(shapes), ROUNDS, OURS, PEER];
  const stranger = words.find((word) => !known.includes(word));
  if (stranger !== undefined) throw new Error(`bench wide: --only takes ${known.join(', ')}, got ${stranger}`);
  const [beside, alone] = [!words.includes(OURS), words.includes(PEER)];
  const asked = words.filter((word) => word in shapes);
  const names = asked.length > 0 || words.includes(ROUNDS) ? asked : Object.keys(shapes);
  const figures: Figure[] = [];
  for (const name of names) {
    const { what, table, prior } = shapes[name];
    if (name === 'loans' && data === undefined) {
      say(`${what}: left out, needs --data`);
      continue;
    }
    const request = { name, data, budget: BUDGET, seed: 1, threads: THREADS, mostPairs: PAIRS };
    const ours = askSide<Run>('wide', 'our-wide', request, LIMIT);
    if (ours === undefined) {
      say(`${what}: no release within ${LIMIT} s`);
      continue;
    }
    say(`${what}: ${ours.seconds.toFixed(1)} s (${ours.processor.toFixed(1)} of processors), ${ours.rounds} marginals`);
    const old = before[name];
    const own = [
      smaller(`${what}: a release, against ours before`, ours.seconds, old?.seconds ?? null, 's'),
      smaller(`${what}: its processor time, against ours before`, ours.processor, old?.processor ?? null, 's'),
      smaller(
        `${what}: mean error of the model's pairs, against ours before`,
        ours.model,
        old?.model ?? null,
        'L1 / 2n',
      ),
      smaller(
        `${what}: peak memory, against ours before`,
        ours.bytes / 1e6,
        old === undefined ? null : old.bytes / 1e6,
        'MB',
      ),
    ];
    if (!alone) figures.push(...own);
    const theirs = beside && prior === undefined ? askDpmm(table(data)) : undefined;
    if (theirs === undefined) continue;
    figures.push(
      smaller(`${what}: a release, against dpmm`, ours.seconds, theirs.seconds, 's'),
      smaller(`${what}: its processor time, against dpmm`, ours.processor, theirs.processor, 's'),
      smaller(`${what}: mean error of the model's pairs, against dpmm`, ours.model, theirs.model, 'L1 / 2n'),
    );
  }
  if (words.includes(ROUNDS)) figures.push(...roundsFigures(say));
  return figures;
};

export default bench;
