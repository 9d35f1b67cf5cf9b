import type { Among } from '../bundle/among.js';
import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { BudgetRequest } from '../privacy/accounting/budget.js';
import type { NamedTable } from './check-public.js';
import { compareTables } from './compare-tables.js';
import type { Start } from './start.js';

/** Runs of the mechanism with each public table. */
const runs = 3;
/** Any seed would do: nothing private is near. All tables get the same, so that they differ in themselves and not in luck. */
const seed = 1;

export interface RankOptions extends Running, Threads {
  readonly budget: BudgetRequest;
}

/**
 * The start whose mechanism errs least on a public table that plays the private one, at the release's budget (PMW-Pub, B.1.5 and
 * Table 2): by the mean total variation distance over pairs of attributes. Free, and the same at every call.
 */
export const rankByStandIn = async (
  starts: readonly Start[],
  standIn: NamedTable,
  { budget, threads, workers, onProgress, signal }: RankOptions,
): Promise<{ readonly choice: number; readonly among: Among }> => {
  const [{ facts }] = starts;
  if (facts.unit.maxRecords > 1)
    throw new InputError(
      'stand-in: can play a table whose rows are protected, got a unit of several rows; take the public tables together, or name one',
    );
  const tables: (Among & { way: 'stand-in' })['tables'] = [];
  for (const { publicTable, facts, mechanism, settings } of starts) {
    if (mechanism.level === 'households') throw new InputError('stand-in: can play a table of rows, got households');
    const { name: file, table } = publicTable!;
    const { contestants, unable } = await compareTables({
      standIn: standIn.table,
      publicTable: table,
      mechanisms: [mechanism],
      settings: () => settings,
      workload: facts.workload,
      budgets: [budget],
      runs,
      relation: facts.relation,
      threads: { threads, workers },
      seed,
      onProgress,
      signal,
    });
    const entry = { file, rows: table.length, mechanism: mechanism.name };
    const [won] = contestants;
    tables.push(
      won === undefined
        ? { ...entry, why: unable[0].why }
        : { ...entry, error: won.error.mean, largest: won.largest.mean },
    );
  }
  const errors = tables.map(({ error = Infinity }) => error);
  const least = Math.min(...errors);
  if (least === Infinity)
    throw new InputError(`stand-in: no public table could serve in its rehearsal: ${tables[0].why}`);
  return {
    choice: errors.indexOf(least),
    among: { way: 'stand-in', standIn: { file: standIn.name, rows: standIn.table.length }, runs, tables },
  };
};
