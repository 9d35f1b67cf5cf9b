import type { BudgetRequest } from '../privacy/accounting/budget.js';
import type { RankedMechanism } from '../release/choose-mechanism.js';
import type { AnyMechanism } from '../release/mechanism.js';
import type { PublicFacts } from '../release/plan.js';
import type { Settings } from '../release/settings.js';
import type { PublicStart } from './public-table.js';

/** A beginning of a release: what it starts from, and the mechanism that goes on from there. */
export interface Start {
  readonly publicTable?: PublicStart | undefined;
  readonly facts: PublicFacts;
  readonly mechanism: AnyMechanism;
  readonly settings: Settings;
  /** The budget, and how a release by that mechanism is counted. */
  readonly budget: BudgetRequest;
  /** Why that mechanism, in a sentence; absent when it was named. */
  readonly why?: string | undefined;
  /** How all mechanisms are placed, where one was chosen. */
  readonly ranked?: readonly RankedMechanism[] | undefined;
  /** Replicates for bounds, as the limits of the run allow; as told or as the mechanism has it by default. */
  readonly replicates: number;
  /** What was given up to stay within limits, where there are some. */
  readonly gaveUp?: readonly string[] | undefined;
}
