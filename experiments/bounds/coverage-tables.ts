import type { FoundRow } from './found.js';
import { type Coverage, kinds, together } from './judge.js';

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : (100 * (part / whole)).toFixed(1));

/** All cells / large cells, and the mean width over the mean error. */
export const shown = ({ held, bounded, heldLarge, large, width, error }: Coverage): string =>
  `${percent(held, bounded)} / ${percent(heldLarge, large)} (${bounded === 0 ? '-' : (width / error).toFixed(1)})`;

const cellsOf = (rows: readonly FoundRow[]): string =>
  kinds.map((kind) => shown(together(rows.map(({ coverage }) => coverage[kind])))).join(' | ');

const each = <Key extends string>(rows: readonly FoundRow[], keyOf: (row: FoundRow) => Key): FoundRow[][] =>
  [...new Set(rows.map(keyOf))].map((key) => rows.filter((row) => keyOf(row) === key));

/** Budgets, with an asterisk where noise drowned most of what was measured. */
const budgets = (rows: readonly FoundRow[]): string =>
  [...new Set(rows.map(({ epsilon, drowned = false }) => `${epsilon}${drowned ? '*' : ''}`))].join(', ');

const head = `${kinds.join(' | ')} |`;
const rule = kinds.map(() => '---|').join('');

/** The tables that docs/results.md has: by mechanism and table, all budgets of it together, and by mechanism, those releases apart whose noise drowned most of what they measured. */
export const coverageTables = (rows: readonly FoundRow[]): readonly [string, string] => [
  [
    `| mechanism | table | epsilon | ${head}`,
    `|---|---|---|${rule}`,
    ...each(rows, ({ subject, table }) => `${subject}, ${table}`).map(
      (own) => `| ${own[0].subject} | ${own[0].table} | ${budgets(own)} | ${cellsOf(own)} |`,
    ),
  ].join('\n'),
  [
    `| all tables together | releases | ${head}`,
    `|---|---|${rule}`,
    ...each(rows, ({ subject, drowned = false }) => `${subject}${drowned ? ', drowned' : ''}`).map(
      (own) => `| ${own[0].subject}${own[0].drowned ? ', drowned' : ''} | ${own.length} | ${cellsOf(own)} |`,
    ),
  ].join('\n'),
];
