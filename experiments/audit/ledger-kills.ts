import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLedger, ledgerStore } from '../../adapters/ledger/any-ledger.js';
import { type Amount, addAmounts, parseAmount, zeroAmount } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { seeded } from '../../src/random/seeded.js';
import type { KillTask } from './ledger-kill-child.js';

/** The outcome of many kills. Anything but zero in the last three is a defect of the ledger. */
export interface KillResult {
  readonly kills: number;
  /** Ledgers on which processes used more than the total, or more than the ledger says was spent. */
  readonly overspend: number;
  /** Ledgers that could not be read afterwards, or were reported as damaged. */
  readonly unreadable: number;
  /** Reservations that a process was granted and that the ledger does not hold. */
  readonly lost: number;
}

/** What a child said before it ended: each reservation it was granted, with what it really used of it. */
export interface KillReport {
  readonly killed: boolean;
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** Runs one child; `whenReady` is called with it when it has opened its ledger. */
export const runChild = (
  script: string,
  task: KillTask,
  whenReady: (child: ChildProcess) => void = () => {},
): Promise<KillReport> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    let ready = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (ready || !out.includes('ready\n')) return;
      ready = true;
      whenReady(child);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ killed: signal === 'SIGKILL', code, lines: out.split('\n').slice(0, -1), errors }),
    );
  });

/** Adds up what the children used: what was granted, or the lesser amount of the charges a child made. */
export const usedBy = (reports: readonly KillReport[]): Map<number, Amount> => {
  const used = new Map<number, Amount>();
  for (const line of reports.flatMap(({ lines }) => lines)) {
    const [verb, id, amount] = line.split(' ');
    if (verb === 'reserved' || verb === 'used') used.set(Number(id), parseAmount(amount));
  }
  return used;
};

/** Compares what the children used with what the ledger says. */
export const judge = async (
  place: string,
  reports: readonly KillReport[],
): Promise<{ overspend: boolean; unreadable: boolean; lost: number }> => {
  const used = usedBy(reports);
  let sum = zeroAmount;
  for (const amount of used.values()) sum = addAmounts(sum, amount);
  let found: Awaited<ReturnType<typeof inspectLedger>>;
  try {
    found = await inspectLedger(ledgerStore(place));
  } catch {
    return { overspend: false, unreadable: true, lost: used.size };
  }
  const recorded = new Map<number, Amount>();
  for (const entry of found.entries) {
    if (entry.verdict !== 'accepted') continue;
    const { record } = entry;
    if (record.kind === 'reserve') recorded.set(record.seq, record.amount);
    if (record.kind === 'commit') recorded.set(record.reservation, record.amount);
  }
  const lost = [...used].filter(([id, amount]) => (recorded.get(id) ?? -1n) < amount).length;
  const { total, spent } = found.status;
  return { overspend: sum > total || sum > spent || spent > total, unreadable: found.damage !== undefined, lost };
};

/** Budget and its parts: small enough that processes fight over the last of it on every ledger. */
const total = '1';
const amount = '0.02';
const killsPerLedger = 40;

interface KillOptions {
  /** The child as one file of JavaScript. */
  readonly script?: string;
  readonly width?: number;
  readonly seed?: number;
  /** Where the next ledger shall be; files in a folder of their own unless told. */
  readonly placeOf?: (() => string) | undefined;
}

/**
 * Kills `count` processes that reserve and commit on shared ledgers, half at a step of their operations and half by
 * the clock, several at once, and checks every ledger against what the processes had been granted. Each takes about 0.15 s
 * of processor time, most of it the start of the process.
 */
export const ledgerKills = async (
  count: number,
  onProgress: (done: number) => void = () => {},
  {
    script = fileURLToPath(new URL('./ledger-kill-child.js', import.meta.url)),
    width = 4,
    seed = 1,
    placeOf,
  }: KillOptions = {},
): Promise<KillResult> => {
  const random = seeded(seed);
  const below = (n: number) => random.uint32() % n;
  const directory = await mkdtemp(path.join(tmpdir(), 'surmise-kills-'));
  const result = { kills: 0, overspend: 0, unreadable: 0, lost: 0 };
  try {
    for (let ledger = 0; result.kills < count; ledger++) {
      const place = placeOf?.() ?? path.join(directory, `${ledger}.ledger`);
      await createLedger(place, { dataset: 'kill test', budget: budgetOf({ epsilon: total }) });
      let left = Math.min(killsPerLedger, count - result.kills);
      const reports: KillReport[] = [];
      const worker = async () => {
        while (left-- > 0) {
          const byStep = below(2) === 0;
          // One turn has about 40 steps. By the clock: any microsecond of the first 12 ms.
          const task: KillTask = { place, work: 'hammer', amount, ...(byStep ? { killAt: 1 + below(160) } : {}) };
          const delay = below(12_000) / 1000;
          const report = await runChild(script, task, (child) => {
            if (!byStep) setTimeout(() => child.kill('SIGKILL'), delay);
          });
          if (!report.killed)
            throw new Error(`audit: a process ended by itself (code ${report.code}): ${report.errors}`);
          reports.push(report);
          result.kills++;
          onProgress(result.kills);
        }
      };
      await Promise.all(Array.from({ length: width }, worker));
      const verdict = await judge(place, reports);
      if (verdict.overspend) result.overspend++;
      if (verdict.unreadable) result.unreadable++;
      result.lost += verdict.lost;
      await rm(place, { force: true });
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return result;
};
