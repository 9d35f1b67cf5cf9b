import type { Budget } from '../../privacy/accounting/budget.js';
import type { Door } from '../../privacy/session/session.js';
import type { Learnable } from './worth.js';

/** What a design follows from: all of it public, or noisy. */
export interface DesignOptions {
  /** Of the budget. */
  readonly share: number;
  /** Records of the private table, about. */
  readonly records: number;
  /** Records that the public support was counted from. */
  readonly publicRecords: number;
  /** Cells of a pair at most. */
  readonly maxCells: number;
  /** Attributes of what is measured at most: 2 leaves triples out. */
  readonly degree: number;
}

/** The door of a session, or one to plan with. */
export type DesignDoor = Pick<Door, 'domain' | 'preview'> & { readonly budget: Pick<Budget, 'currency'> };

/** Sets of attributes that may be measured, what there is to learn by each, and the places of each pair's attributes and its own, or of an attribute alone. */
export interface Asked {
  readonly sets: readonly (readonly string[])[];
  readonly learned: readonly Learnable[];
  readonly groups: readonly (readonly number[])[];
}

/** Sets that are measured, and each one's part of the budget. */
export interface Parted {
  readonly sets: readonly (readonly string[])[];
  readonly parts: readonly number[];
}
