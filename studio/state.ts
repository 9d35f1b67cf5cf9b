import type { AttributeSpec, Outside, Progress, Schema, SqlAnswer } from '../src/index.js';
import type { ShownColumns } from './core/columns.js';
import type { ShownRelease, ShownTable } from './core/jobs.js';
import type { ShownPair, ShownWay } from './core/look.js';
import type { ShownPlan } from './core/plan.js';
import type { ShownLedger } from './core/shown-ledger.js';
import type { Told } from './core/told.js';
import type { Language } from './words.js';

export const steps = ['tables', 'columns', 'budget', 'release', 'look', 'ask', 'take'] as const;
export type Step = (typeof steps)[number];

/** A column as it is edited: what it holds, or nothing yet, and whether it is released. */
export interface EditedColumn {
  readonly name: string;
  readonly isKept: boolean;
  readonly spec: AttributeSpec | undefined;
  /** What a name was taken for, or why a column was left out. */
  readonly note: string | undefined;
}

/** What a person has said so far: kept between visits. */
export interface Draft {
  readonly private: ShownTable | undefined;
  readonly public: ShownTable | undefined;
  /** The demo's tables are made again at the next visit; others are chosen again. */
  readonly demo: { readonly rows: number; readonly seed: number } | undefined;
  readonly columns: readonly EditedColumn[];
  readonly base: Pick<Schema, '$schema' | 'origin' | 'table' | 'unit' | 'constraints'>;
  readonly outside: Outside;
  readonly epsilon: string;
  readonly delta: string;
  readonly allowance: string;
  readonly expectedRows: string;
  readonly mechanism: string;
  readonly title: string;
  readonly seed: string;
  readonly unsafeSeed: string;
}

export const freshDraft: Draft = {
  private: undefined,
  public: undefined,
  demo: undefined,
  columns: [],
  base: { origin: { kind: 'declared' } },
  outside: 'declared',
  epsilon: '1',
  delta: '1e-9',
  allowance: '',
  expectedRows: '',
  mechanism: 'auto',
  title: '',
  seed: '',
  unsafeSeed: '',
};

/** What is asked of an opened release. */
export interface Asking {
  readonly sql: string;
  readonly answers: readonly SqlAnswer[];
  readonly what: string;
  readonly by: string;
  readonly where: string;
  readonly value: string;
}

export interface Busy {
  readonly what: string;
  readonly progress: Progress | undefined;
  readonly stop: (() => void) | undefined;
}

/** Everything that the page shows. */
export interface State {
  readonly language: Language;
  readonly step: Step;
  readonly draft: Draft;
  /** Whether the worker holds the rows of the tables: after a reload it does not. */
  readonly has: { readonly private: boolean; readonly public: boolean };
  readonly editing: string | undefined;
  readonly shown: ShownColumns | undefined;
  readonly plan: ShownPlan | undefined;
  readonly planTrouble: string | undefined;
  readonly isPlanning: boolean;
  readonly rehearsal: readonly {
    readonly epsilon: number;
    readonly error: number;
    readonly asIs: number;
    readonly rows: number;
  }[];
  readonly ledger: ShownLedger | undefined;
  readonly ledgers: readonly ShownLedger[];
  readonly kept: readonly { readonly release: string; readonly title: string; readonly made: number }[];
  readonly typed: string;
  readonly run:
    | {
        readonly progress: Progress | undefined;
        readonly begun: number;
        readonly left: number | undefined;
        readonly part: number;
        readonly pause: () => void;
      }
    | undefined;
  readonly isPaused: boolean;
  readonly release: ShownRelease | undefined;
  readonly ways: readonly ShownWay[] | undefined;
  readonly byDifference: boolean;
  readonly pairNames: readonly [string, string] | undefined;
  readonly pair: ShownPair | 'too large' | undefined;
  readonly verdict:
    | {
        readonly faults: readonly string[];
        readonly checks: readonly string[];
        readonly unchecked: readonly string[];
        readonly withLedger: boolean;
      }
    | undefined;
  readonly asking: Asking;
  readonly copied: string | undefined;
  readonly busy: Busy | undefined;
  readonly trouble: string | undefined;
}

export const freshState: State = {
  language: 'en',
  step: 'tables',
  draft: freshDraft,
  has: { private: false, public: false },
  editing: undefined,
  shown: undefined,
  plan: undefined,
  planTrouble: undefined,
  isPlanning: false,
  rehearsal: [],
  ledger: undefined,
  ledgers: [],
  kept: [],
  typed: '',
  run: undefined,
  isPaused: false,
  release: undefined,
  ways: undefined,
  byDifference: false,
  pairNames: undefined,
  pair: undefined,
  verdict: undefined,
  asking: { sql: '', answers: [], what: 'count', by: '', where: '', value: '' },
  copied: undefined,
  busy: undefined,
  trouble: undefined,
};

/** The schema as it is edited. */
export const schemaOf = ({ base, columns }: Draft): Schema => {
  const { $schema, origin, table, unit, constraints } = base;
  return {
    ...($schema === undefined ? {} : { $schema }),
    surmise: 1,
    origin,
    ...(table === undefined ? {} : { table }),
    attributes: columns.flatMap(({ isKept, spec }) => (isKept && spec !== undefined ? [spec] : [])),
    ...(unit === undefined ? {} : { unit }),
    ...(constraints === undefined || constraints.length === 0 ? {} : { constraints }),
  };
};

const whole = (text: string): number | undefined => {
  const value = Number(text);
  return text.trim() === '' || !Number.isSafeInteger(value) || value < 0 ? undefined : value;
};

/** What the worker is told. */
export const toldOf = (draft: Draft): Told => ({
  schema: schemaOf(draft),
  outside: draft.outside,
  epsilon: draft.epsilon,
  delta: draft.delta.trim() === '' ? undefined : draft.delta.trim(),
  allowance: draft.allowance.trim() === '' ? undefined : draft.allowance.trim(),
  expectedRows: whole(draft.expectedRows),
  mechanism: draft.mechanism,
  title: draft.title.trim() === '' ? undefined : draft.title.trim(),
  seed: whole(draft.seed),
  unsafeSeed: whole(draft.unsafeSeed),
});

/** Whether the columns are declared and nothing is wrong with them. */
export const isDeclared = ({ draft, shown }: State): boolean => {
  const kept = draft.columns.filter(({ isKept }) => isKept);
  return (
    kept.length > 0 &&
    kept.every(({ spec }) => spec !== undefined) &&
    shown !== undefined &&
    shown.problems.length === 0 &&
    shown.columns.every(({ problem }) => problem === undefined)
  );
};

/** Whether a step can be gone to. */
export const isOpen = (state: State, step: Step): boolean => {
  switch (step) {
    case 'tables':
      return true;
    case 'columns':
      return state.draft.columns.length > 0;
    case 'budget':
    case 'release':
      return isDeclared(state);
    default:
      return state.release !== undefined;
  }
};
