import type { Spread } from '../spread.js';

/* The tables of docs/results.md about constraints, line by line; see `tables.ts`. */

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const four = ({ mean, deviation }: Spread): string => `${mean.toFixed(4)} ±${deviation.toFixed(4)}`;

export interface ConstraintFigures {
  readonly kept: readonly {
    readonly mechanism: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly rows: number;
    readonly broken: number;
  }[];
  readonly errors: readonly {
    readonly table: string;
    readonly mechanism: string;
    readonly with: Spread;
    readonly without: Spread;
    readonly seconds: { readonly with: number; readonly without: number };
  }[];
  readonly loans: {
    readonly rows: readonly {
      readonly way: string;
      readonly variation: Spread;
      readonly largest: Spread;
      readonly contradictions: Spread;
      readonly seconds: Spread;
    }[];
  };
}

/** Rows that break a constraint, of each mechanism and way. */
export const brokenTable = ({ kept }: Pick<ConstraintFigures, 'kept'>): string[] =>
  kept.map(({ mechanism, settings, rows, broken }) =>
    line([
      mechanism,
      Object.entries(settings)
        .map((entry) => entry.join('='))
        .join(' ') || 'its defaults',
      rows,
      broken,
    ]),
  );

/** Errors with constraints and without. */
export const constrainedErrors = ({ errors }: Pick<ConstraintFigures, 'errors'>): string[] =>
  errors.map(({ table, mechanism, with: kept, without, seconds }) =>
    line([
      table,
      mechanism,
      four(without),
      four(kept),
      (kept.mean / without.mean).toFixed(2),
      seconds.without.toFixed(1),
      seconds.with.toFixed(1),
    ]),
  );

/** AIM on loans, without and with a column that another one determines. */
export const determinedTable = ({ loans }: Pick<ConstraintFigures, 'loans'>): string[] =>
  loans.rows.map(({ way, variation, largest, contradictions, seconds }) =>
    line([
      way,
      four(variation),
      four(largest),
      `${(100 * contradictions.mean).toFixed(1)}%`,
      `${seconds.mean.toFixed(1)} ±${seconds.deviation.toFixed(1)}`,
    ]),
  );
