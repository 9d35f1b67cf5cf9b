import { amountToNumber } from '../../src/privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { type Charge, costOfAll, thresholdDelta } from '../../src/privacy/accounting/charge.js';
import { type DiscoveryParts, discovering } from '../../src/privacy/discovery/discovering.js';
import type { DiscoveryDoor } from '../../src/privacy/discovery/discovery-door.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import { exactPrimitives } from '../../src/privacy/primitives.js';
import { rationalNumber } from '../../src/privacy/rational.js';
import { groupAccount } from '../../src/privacy/session/account/group-account.js';
import type { Relation } from '../../src/query/relation.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import type { Audit } from './case.js';

/** Rows of a raw table: whose each is, and its values, one a column. */
export type Rows = readonly (readonly [who: number, ...values: string[]])[];

export interface DiscoverySetting extends Pick<Audit, 'name' | 'measure' | 'effort'> {
  readonly sides: readonly [Rows, Rows];
  readonly relation: Relation;
  readonly maxRecords: number;
  /** What one run may spend. */
  readonly budget: BudgetRequest;
  /** Which of its charges a run is held to; all of them by default. */
  readonly held?: (charges: readonly Charge[]) => readonly Charge[];
  readonly plant?: (parts: DiscoveryParts) => DiscoveryParts;
  /** What a run asks of columns `c0`, `c1`, ... and which outcome the answers count as. */
  run(door: DiscoveryDoor, columns: readonly string[]): Promise<number>;
}

/** An audit of acts of a discovery: every run is a discovery of its own, on parts like those of a real one. */
export const discoveryAudit = ({
  name,
  measure,
  effort,
  sides,
  relation,
  maxRecords,
  budget: request,
  held = (charges) => charges,
  plant,
  run,
}: DiscoverySetting): Audit => ({
  name,
  measure,
  effort,
  planted: plant !== undefined,
  open: (side) => {
    const rows = sides[side];
    const columns = sides[1][0].slice(1).map((_, i) => `c${i}`);
    const unit: Unit = { kind: 'id', column: 'who', maxRecords };
    const raw = rawMemorySource({
      columns: Object.fromEntries(columns.map((own, i) => [own, rows.map((row) => row[i + 1])])),
      dataset: 'audit',
      unit,
      ids: rows.map(([who]) => who),
      // Nobody has more rows than the bound, but where that is the bug.
      random: seeded(1),
    });
    const budget = budgetOf(request);
    const primitives = exactPrimitives(webEntropy());
    let spent = 0;
    return {
      run: async () => {
        const account = groupAccount(budget.currency, budget.total, undefined, budget.thresholds);
        const parts: DiscoveryParts = {
          relation,
          unit,
          account,
          primitives,
          raw,
          running: {},
          thresholds: budget.thresholds,
        };
        const outcome = await run(discovering(plant?.(parts) ?? parts), columns);
        const charges = held(account.charges);
        spent +=
          measure === 'delta'
            ? rationalNumber(thresholdDelta(charges)!)
            : amountToNumber(costOfAll(charges, budget.currency));
        return outcome;
      },
      spent: () => spent,
    };
  },
});
