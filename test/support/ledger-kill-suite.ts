import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, ledgerStore, openLedger } from '../../adapters/ledger/any-ledger.js';
import type { KillTask } from '../../experiments/audit/ledger-kill-child.js';
import { judge, type KillReport, ledgerKills, runChild, usedBy } from '../../experiments/audit/ledger-kills.js';
import { oneAct } from '../../experiments/audit/one-act.js';
import type { Amount } from '../../src/privacy/accounting/amount.js';
import { zeroAmount } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { BudgetError } from '../../src/privacy/ledger/ledger.js';

/** Where ledgers are kept that processes are killed on. */
export interface KillPlaces {
  /** A place where there is no ledger yet. */
  fresh(): string;
  /** How many processes die at random, and how many fight over one budget. */
  readonly kills: number;
  readonly width: number;
  /** Kill at every step unless told, or at every second one, ... */
  readonly every?: number;
  /** A reservation and its commit are killed at more steps than this. */
  readonly stepsOfOnce: number;
  /** Makes a ledger one that nobody can read. */
  gone(place: string): Promise<unknown>;
}

const dataset = 'kill test';
const budget = budgetOf({ epsilon: 1 });

/** What holds of a ledger wherever the processes that write it die. */
export const killSuite = (name: string, { fresh, kills, width, every = 1, stepsOfOnce, gone }: KillPlaces): void => {
  describe(name, () => {
    let script: string;
    let outDir: string;
    beforeAll(async () => {
      // The child is TypeScript; Node needs it as one JavaScript file.
      const { build } = await import('vite');
      outDir = await mkdtemp(path.join(tmpdir(), 'surmise-kill-child-'));
      const ssr = path.resolve(import.meta.dirname, '../../experiments/audit/ledger-kill-child.ts');
      await build({ configFile: false, logLevel: 'silent', ssr: { noExternal: true }, build: { ssr, outDir } });
      script = path.join(outDir, 'ledger-kill-child.js');
      await writeFile(path.join(outDir, 'package.json'), '{"type":"module"}');
    });
    afterAll(() => rm(outDir, { recursive: true, force: true }));

    /** Runs the task with a kill at one step after the other until it comes to its end; two at a time. */
    const atEveryStep = async (
      task: (step: number) => Promise<KillTask>,
      check: (report: KillReport, task: KillTask) => Promise<void>,
    ) => {
      let step = 1 - every;
      let killed = 0;
      let finished = false;
      const worker = async () => {
        while (!finished) {
          step += every;
          const todo = await task(step);
          const report = await runChild(script, todo);
          expect(report.errors).toBe('');
          if (report.killed) killed++;
          else finished = true;
          await check(report, todo);
        }
      };
      await Promise.all([worker(), worker()]);
      return killed;
    };

    test('at every step of a reservation and its commit: what was granted is recorded, and the rest can be spent', async () => {
      const seen = new Set<string>();
      const killed = await atEveryStep(
        async (killAt) => {
          const place = fresh();
          await createLedger(place, { dataset, budget });
          return { place, work: 'once', amount: '0.25', killAt };
        },
        async (report, { place }) => {
          expect(await judge(place, [report])).toEqual({ overspend: false, unreadable: false, lost: 0 });
          const ledger = await openLedger(place, { dataset });
          const { spent, reserved, remaining } = await ledger.status();
          seen.add(`${spent} ${reserved} ${report.lines.length}`);
          await oneAct(ledger, { amount: remaining, what: 'the rest' });
          await expect(oneAct(ledger, { amount: 1n as Amount, what: 'more' })).rejects.toThrow(BudgetError);
        },
      );
      // Both records have steps before, within and after their write: the outcomes differ, or nothing was tested.
      expect(killed).toBeGreaterThan(stepsOfOnce);
      expect(seen.size).toBeGreaterThanOrEqual(6);
    });

    test('at every step of making a ledger: it is there whole, or not at all', async () => {
      let there = 0;
      let missing = 0;
      const killed = await atEveryStep(
        async (killAt) => ({ place: fresh(), work: 'create', amount: '1', killAt }),
        async (_, { place }) => {
          const opened = await openLedger(place, { dataset }).catch((error) => error);
          if (opened instanceof Error) {
            expect(opened.message).toMatch(/must exist, got no such/);
            missing++;
          } else there++;
          // Another process can make it, or finds it made.
          await openLedger(place, { dataset, budget });
        },
      );
      expect(missing).toBeGreaterThan(0);
      // One or two came to their end.
      expect(there).toBeGreaterThan(2);
      expect(killed).toBeGreaterThan(1);
    });

    test(`${width} processes on one small budget spend exactly all of it`, async () => {
      const place = fresh();
      await createLedger(place, { dataset, budget });
      const task: KillTask = { place, work: 'spend', amount: '0.02' };
      const reports = await Promise.all(Array.from({ length: width }, () => runChild(script, task)));
      for (const { code, errors } of reports) expect([code, errors]).toEqual([0, '']);
      expect(usedBy(reports).size).toBe(50);
      expect(await judge(place, reports)).toEqual({ overspend: false, unreadable: false, lost: 0 });
      const { status, open: orphans } = await inspectLedger(ledgerStore(place));
      expect(status).toMatchObject({ remaining: zeroAmount, reserved: zeroAmount, records: 201 });
      expect(orphans).toEqual([]);
    });

    test('processes killed by the clock and at random steps on a shared ledger never overspend', async () => {
      const result = await ledgerKills(kills, undefined, { script, seed: 5, placeOf: fresh });
      expect(result).toEqual({ kills, overspend: 0, unreadable: 0, lost: 0 });
    });

    test('the judge sees a granted reservation that the ledger does not hold, and spending beyond the total', async () => {
      const place = fresh();
      await createLedger(place, { dataset, budget });
      const report = (lines: string[]): KillReport => ({ killed: true, code: null, lines, errors: '' });
      expect(await judge(place, [report(['ready', 'reserved 1 0.5'])])).toMatchObject({ overspend: true, lost: 1 });
      await gone(place);
      expect(await judge(place, [])).toMatchObject({ unreadable: true });
    });
  });
};
