import type { ChosenFile } from '../adapters/browser/index.js';
import type {
  AskedMap,
  Draft as AskingSchema,
  AttributeSpec,
  ConstraintSpec,
  DraftAttribute,
  Outside,
  PlannedDiscovery,
  Progress,
  Schema,
  SqlAnswer,
} from '../src/index.js';
import type { ShownColumns } from './core/columns.js';
import type { ShownPair, ShownWay } from './core/look.js';
import type { ShownPlan } from './core/plan.js';
import type { ShownLedger } from './core/shown-ledger.js';
import type { Demo } from './core/table-jobs.js';
import type { PublicsTold, Told } from './core/told.js';
import type { Role, ShownRelease, ShownTable } from './core/work.js';
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
  /** Whether the private table is asked, with noise, what it holds: all of it, or what `spec` leaves open. */
  readonly asks?: boolean | undefined;
}

/** What a person has said so far: kept between visits. */
export interface Draft {
  readonly private: ShownTable | undefined;
  /** The private households, where `private` has their persons. */
  readonly homes: ShownTable | undefined;
  readonly publics: readonly ShownTable[];
  readonly publicHomes: ShownTable | undefined;
  /** What becomes of several public tables. */
  readonly together: PublicsTold;
  /** The demo's tables are made again at the next visit; others are chosen again. */
  readonly demo: Demo | undefined;
  readonly columns: readonly EditedColumn[];
  readonly base: Pick<AskingSchema, '$schema' | 'origin' | 'table' | 'unit' | 'constraints' | 'twoLevel'>;
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
  homes: undefined,
  publics: [],
  publicHomes: undefined,
  together: 'together',
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
  /** Where the statement was found wrong. */
  readonly fault: { readonly line: number; readonly column: number } | undefined;
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
  /** The tables that the worker holds, by role and name: after a reload it holds none. */
  readonly has: readonly string[];
  readonly editing: string | undefined;
  readonly shown: ShownColumns | undefined;
  readonly plan: ShownPlan | undefined;
  /** What would be asked of the private table for its columns. */
  readonly planAsking: PlannedDiscovery | undefined;
  readonly planTrouble: string | undefined;
  readonly isPlanning: boolean;
  readonly rehearsal: readonly {
    readonly epsilon: number;
    readonly error: number;
    readonly asIs: number;
    readonly rows: number;
  }[];
  readonly ledger: ShownLedger | undefined;
  /** What the release would leave of what is allowed in all, where it begins the ledger. */
  readonly leftOfNew: ShownLedger['left'];
  readonly ledgers: readonly ShownLedger[];
  /** The file for a ledger that the release will begin. */
  readonly ledgerFile: ChosenFile | undefined;
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
  has: [],
  editing: undefined,
  shown: undefined,
  plan: undefined,
  planAsking: undefined,
  planTrouble: undefined,
  isPlanning: false,
  rehearsal: [],
  ledger: undefined,
  leftOfNew: undefined,
  ledgers: [],
  ledgerFile: undefined,
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
  asking: { sql: '', fault: undefined, answers: [], what: 'count', by: '', where: '', value: '' },
  copied: undefined,
  busy: undefined,
  trouble: undefined,
};

/** How the worker's tables are named in `has`. */
export const held = (role: Role, name: string): string => `${role}/${name}`;

/** Whether the worker holds every table that was chosen. */
export const hasAll = ({ draft, has }: State): boolean => chosenTables(draft).every((one) => has.includes(one));

/** The tables that were chosen, as `has` names them. */
const chosenTables = ({ private: hidden, homes, publics, publicHomes }: Draft): readonly string[] => [
  ...(hidden === undefined ? [] : [held('private', hidden.name)]),
  ...(homes === undefined ? [] : [held('homes', homes.name)]),
  ...publics.map(({ name }) => held('public', name)),
  ...(publicHomes === undefined ? [] : [held('publicHomes', publicHomes.name)]),
];

/** Whether anything is asked of the private table before the release. */
export const asksColumns = ({ columns, base }: Draft): boolean =>
  columns.some(({ isKept, asks }) => isKept && asks) || (base.constraints ?? []).some(isAskedMap);

/** Whether a constraint is a map that is to be asked for. */
const isAskedMap = (constraint: ConstraintSpec | AskedMap): constraint is AskedMap =>
  'map' in constraint && constraint.map === 'discover';

/** Whether the private table can be asked what its columns hold: nothing public says it, and it has no households. */
export const mayAsk = ({ publics, base }: Draft): boolean => publics.length === 0 && base.twoLevel === undefined;

const frame = ({ base, columns }: Draft): Omit<AskingSchema, 'attributes'> => {
  const { $schema, origin, table, unit, constraints, twoLevel } = base;
  const kept = columns.filter(({ isKept }) => isKept).map(({ name }) => name);
  return {
    ...($schema === undefined ? {} : { $schema }),
    surmise: 1,
    origin,
    ...(table === undefined ? {} : { table }),
    ...(unit === undefined ? {} : { unit }),
    ...(constraints === undefined || constraints.length === 0 ? {} : { constraints }),
    ...(twoLevel === undefined
      ? {}
      : { twoLevel: { ...twoLevel, household: twoLevel.household.filter((name) => kept.includes(name)) } }),
  };
};

/** The schema as it is edited: without what is asked for. */
export const schemaOf = (draft: Draft): Schema => {
  const { constraints = [], ...rest } = frame(draft);
  const declared = constraints.filter((constraint): constraint is ConstraintSpec => !isAskedMap(constraint));
  return {
    ...rest,
    ...(declared.length === 0 ? {} : { constraints: declared }),
    attributes: draft.columns.flatMap(({ isKept, spec, asks }) =>
      isKept && spec !== undefined && !asks ? [spec] : [],
    ),
  };
};

/** Whether a column of a schema leaves nothing to be asked for. */
export const isWhole = (spec: DraftAttribute): spec is AttributeSpec =>
  !['discover', 'text', 'id', 'key'].includes(spec.type) &&
  !('values' in spec && spec.values === 'discover') &&
  !('edges' in spec && spec.edges === 'discover');

/** A column whose contents are asked for, as far as they are known. */
const askedSpec = (name: string, spec: AttributeSpec | undefined): DraftAttribute => {
  if (spec === undefined || spec.type === 'boolean') return { name, type: 'discover' };
  const { type, null: empty } = spec;
  const common = { name, ...(empty === undefined ? {} : { null: empty }) };
  if (type === 'category')
    return { ...common, type, values: 'discover', ...(spec.other === undefined ? {} : { other: spec.other }) };
  if (type === 'date') return { ...common, type, edges: 'discover', by: spec.by, min: spec.min, max: spec.max };
  const { min, max, bins } = spec;
  return {
    ...common,
    type,
    edges: 'discover',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(bins === undefined ? {} : { bins }),
  };
};

/** The same with what is asked for, where anything is. */
const askingSchema = (draft: Draft): AskingSchema | undefined =>
  asksColumns(draft)
    ? {
        ...frame(draft),
        attributes: draft.columns.flatMap(({ name, isKept, spec, asks }): DraftAttribute[] =>
          !isKept ? [] : asks ? [askedSpec(name, spec)] : spec === undefined ? [] : [spec],
        ),
      }
    : undefined;

/** The schema as it is saved. */
export const savedSchema = (draft: Draft): Schema | AskingSchema => askingSchema(draft) ?? schemaOf(draft);

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
  publics: draft.together,
  draft: askingSchema(draft),
});

/** Whether the columns are declared and nothing is wrong with them. */
export const isDeclared = ({ draft, shown }: State): boolean => {
  const kept = draft.columns.filter(({ isKept }) => isKept);
  return (
    kept.length > 0 &&
    kept.every(({ spec, asks }) => spec !== undefined || asks) &&
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
