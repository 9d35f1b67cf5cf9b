import type { CoverageFound, TrialsFound } from '../../src/evaluate/coverage-found.js';
import { type Coverage, type Kind, together } from './judge.js';

/** What one run found. */
export interface FoundRow {
  readonly subject: string;
  readonly table: string;
  readonly epsilon: number;
  /** Whether noise drowned most of what was measured. */
  readonly drowned?: boolean | undefined;
  readonly coverage: Record<Kind, Coverage>;
}

const measuredKinds: readonly Kind[] = ['one-way', 'pairs measured'];
const unmeasuredKinds: readonly Kind[] = ['pairs not measured', 'triples'];
const derivedKinds: readonly Kind[] = ['shares', 'means'];
/** Shares of fewer cells say little: the worst of many such is always bad. */
const fewestCells = 200;

/** Down to thousandths. */
const down = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 1000);

const shares = (rows: readonly FoundRow[], kinds: readonly Kind[]): TrialsFound['measured'] => {
  const { held, bounded, heldLarge, large } = together(
    rows.flatMap(({ coverage }) => kinds.map((kind) => coverage[kind])),
  );
  return { all: down(held, bounded), large: down(heldLarge, large) };
};

/** The worst of the budgets of any table: each table and budget with all seeds, counts that were measured and others apart. */
const worst = (rows: readonly FoundRow[]): TrialsFound['least'] => {
  const keyOf = ({ table, epsilon }: FoundRow): string => `${table}, ${epsilon}`;
  const groups = [...new Set(rows.map(keyOf))].map((key) => rows.filter((row) => keyOf(row) === key));
  const parts = groups.flatMap((own) =>
    [measuredKinds, unmeasuredKinds].map((kinds) =>
      together(own.flatMap(({ coverage }) => kinds.map((kind) => coverage[kind]))),
    ),
  );
  const least = (of: (one: Coverage) => readonly [number, number]): number =>
    Math.min(
      1,
      ...parts
        .map(of)
        .filter(([, whole]) => whole >= fewestCells)
        .map(([part, whole]) => down(part, whole)),
    );
  return {
    all: least(({ held, bounded }) => [held, bounded]),
    large: least(({ heldLarge, large }) => [heldLarge, large]),
  };
};

const trialsFound = (rows: readonly FoundRow[]): TrialsFound | undefined =>
  rows.length === 0
    ? undefined
    : {
        trials: rows.length,
        tables: new Set(rows.map(({ table }) => table)).size,
        epsilon: [Math.min(...rows.map(({ epsilon }) => epsilon)), Math.max(...rows.map(({ epsilon }) => epsilon))],
        measured: shares(rows, measuredKinds),
        unmeasured: shares(rows, unmeasuredKinds),
        derived: shares(rows, derivedKinds),
        least: worst(rows),
      };

/** What reports say of each mechanism's bounds (`src/evaluate/coverage-found.ts`). */
export const foundIn = (rows: readonly FoundRow[]): Record<string, CoverageFound> =>
  Object.fromEntries(
    [...new Set(rows.map(({ subject }) => subject))].map((name) => {
      const own = rows.filter(({ subject }) => subject === name);
      const of = (isDrowned: boolean) => trialsFound(own.filter(({ drowned = false }) => drowned === isDrowned));
      const [clear, drowned] = [of(false), of(true)];
      return [name, { ...(clear && { clear }), ...(drowned && { drowned }) }];
    }),
  );
