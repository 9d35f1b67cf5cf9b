import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { askPeer, environment } from '../../bench/graphical/side.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Table } from '../../src/domain/table.js';
import { resolveMechanism } from '../../src/flow/resolve-mechanism.js';
import { priorOf } from '../../src/model/support/prior-of.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import { planningDoor } from '../../src/privacy/session/planning-door.js';
import { seeded } from '../../src/random/seeded.js';
import type { Mechanism } from '../../src/release/mechanism.js';
import type { PublicFacts } from '../../src/release/plan.js';
import { mechanismNamed } from '../../src/release/registry.js';
import { memorySource } from '../../src/source/memory-source.js';
import { type Judged, type RivalErrors, sharesOf } from './judge.js';
import type { RivalTables } from './tables.js';

/** One release of a contender: what it is judged by, or why there is none. */
export type RivalOutcome =
  | { readonly errors: RivalErrors; readonly seconds: number; readonly chosen?: string | undefined }
  | { readonly left: string };

export interface RivalRun extends RivalTables {
  readonly judged: Judged;
  readonly epsilon: number;
  readonly seed: number;
  /** Seconds that a release may take. */
  readonly limit: number;
}

type Contender = (run: RivalRun) => Promise<RivalOutcome>;

export const delta = 1e-9;

/** A mechanism of the registry as `surmise release` would run it, or whatever `auto` chooses. */
const ours =
  (name: string, { isAlone = false } = {}): Contender =>
  async ({ privateTable, publicTable, judged, epsilon, seed, limit }) => {
    const budget = { epsilon, delta };
    const given = isAlone ? undefined : publicTable;
    const prior = given && priorOf(given);
    const facts: PublicFacts = {
      ...planningDoor({ domain: privateTable.domain, budget: budgetOf(budget) }),
      prior,
      publicTable: given,
      publicRows: given?.length,
      // Who holds a table knows about how many rows it has, and says so (`--expect-rows`).
      expectedRows: privateTable.length,
    };
    const start = performance.now();
    const signal = AbortSignal.timeout(1000 * limit);
    const source = await memorySource({ table: privateTable, dataset: 'rivals', threads: 1 });
    try {
      const { mechanism } =
        name === 'auto' ? await resolveMechanism('auto', {}, facts, { signal }) : { mechanism: mechanismNamed(name) };
      const fit = mechanism.fits(facts, mechanism.defaults);
      if (!fit.able) return { left: fit.why };
      const session = openSession({
        source,
        budget,
        ledger: await memoryLedger(budgetOf(budget), 'rivals'),
        entropy: seededEntropy(1000 * seed + 7),
      });
      const run = { random: seeded(seed), threads: 1, signal, publicTable: given };
      const { model } = await (mechanism as Mechanism).release(session, prior, run, mechanism.defaults);
      return {
        errors: judged.errors(sharesOf(model)),
        seconds: (performance.now() - start) / 1000,
        chosen: name === 'auto' ? mechanism.name : undefined,
      };
    } catch (error) {
      if (signal.aborted) return { left: `not within ${limit} s` };
      if (error instanceof InputError) return { left: error.message };
      throw error;
    } finally {
      source.close();
    }
  };

const csvOf = ({ domain, columns, length }: Table): string => {
  const lines = [domain.attributes.map(({ name }) => name).join(',')];
  for (let row = 0; row < length; row++) lines.push(columns.map((column) => column[row]).join(','));
  return `${lines.join('\n')}\n`;
};

/** The Python libraries whose mechanisms take part: each has an environment and a script of its own (bench/peers). */
const libraries = {
  dpmm: { environment: '.venv-dpmm', script: 'rivals-dpmm' },
  mbi: { environment: '.venv-mbi', script: 'rivals-mbi' },
} as const;

/** A mechanism of a rival's library; dpmm's noise cannot be seeded. */
const peer =
  (library: keyof typeof libraries, mechanism: 'aim' | 'mst' | 'jam'): Contender =>
  async ({ privateTable, publicTable, judged, epsilon, seed, limit }) => {
    const needsPublic = mechanism === 'jam';
    if (needsPublic && publicTable === undefined) return { left: 'there is no public table' };
    const { environment: name, script } = libraries[library];
    const python = environment(name);
    if (python === undefined) return { left: `no environment of ${library}: see bench/peers/README.md` };
    const folder = mkdtempSync(path.join(tmpdir(), 'surmise-rivals-'));
    const written = (file: string, table: Table): string => {
      const whole = path.join(folder, file);
      writeFileSync(whole, gzipSync(csvOf(table)));
      return whole;
    };
    const { pairs, triples } = judged;
    const asked = () =>
      askPeer<{ seconds: number; shares: number[][] }>(
        python,
        script,
        {
          mechanism,
          file: written('private.csv.gz', privateTable),
          ...(needsPublic ? { publicFile: written('public.csv.gz', publicTable!) } : {}),
          names: privateTable.domain.attributes.map(({ name }) => name),
          sizes: privateTable.domain.attributes.map(({ size }) => size),
          epsilon,
          delta,
          seed,
          sets: [...pairs, ...triples],
        },
        limit,
      );
    try {
      let answer: ReturnType<typeof asked>;
      try {
        answer = asked();
      } catch (error) {
        // What a library of somebody else's fails on is its result here, and the rest of the grid goes on.
        const [last = ''] = (error as Error).message.trim().split('\n').slice(-1);
        return { left: `it failed: ${last.slice(0, 200)}` };
      }
      if (answer === undefined) return { left: `not within ${limit} s` };
      const told = new Map([...pairs, ...triples].map((set, i) => [set, answer.shares[i]]));
      return { errors: judged.errors((sets) => sets.map((set) => told.get(set)!)), seconds: answer.seconds };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

/** What it means to publish the public table instead. */
const asItIs: Contender = async ({ publicTable, judged }) => {
  if (publicTable === undefined) return { left: 'there is no public table' };
  const { supportModel } = await import('../../src/model/support/support-model.js');
  return { errors: judged.errors(sharesOf(supportModel(priorOf(publicTable), 1))), seconds: 0 };
};

/** All contenders; `auto` is what somebody gets who says nothing. */
export const contenders = {
  auto: ours('auto'),
  reweight: ours('reweight'),
  aim: ours('aim'),
  'aim alone': ours('aim', { isAlone: true }),
  pairs: ours('pairs'),
  mst: ours('mst'),
  jam: ours('jam'),
  gem: ours('gem'),
  'dpmm aim': peer('dpmm', 'aim'),
  'dpmm mst': peer('dpmm', 'mst'),
  'mbi aim': peer('mbi', 'aim'),
  'mbi mst': peer('mbi', 'mst'),
  'mbi jam': peer('mbi', 'jam'),
  'public as it is': asItIs,
} as const satisfies Record<string, Contender>;

export type ContenderName = keyof typeof contenders;
export const contenderNames = Object.keys(contenders) as ContenderName[];
