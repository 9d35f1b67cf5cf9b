/* The tables of docs/results.md about discovery, line by line; see `tables.ts`. */

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

export interface FoundFigures {
  readonly found: readonly {
    readonly table: string;
    readonly rows: number;
    readonly columns: number;
    readonly epsilon: number;
    readonly way: string;
    readonly share: number | null;
    readonly values: number;
    readonly covered: number;
    readonly placed: number;
    readonly fullest: number;
  }[];
}

const part = (value: number): string => value.toFixed(2);
const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(100 * share)}%`);

/** What is found, a line for each table and epsilon and the shares side by side. */
export const foundTable = ({ found }: FoundFigures): string[] =>
  found
    .filter(({ way }) => way === found[0].way)
    .map(({ table, rows, columns, epsilon }) =>
      line([
        `${table} (${rows}, ${columns})`,
        epsilon,
        ...found
          .filter((own) => own.table === table && own.epsilon === epsilon)
          .flatMap((own, i) => [
            ...(i === 0 ? [] : [percent(own.share)]),
            `${part(own.values)} / ${part(own.covered)}`,
            part(own.placed),
            own.placed === 0 ? '-' : part(own.fullest),
          ]),
      ]),
    );

export interface CostFigures {
  readonly cost: readonly {
    readonly table: string;
    readonly columns: number;
    readonly epsilon: number;
    readonly declared: number;
    readonly found: readonly {
      readonly way: string;
      readonly share: number | null;
      readonly error: number | null;
      readonly none: number;
    }[];
  }[];
}

/** What it costs in error, beside a declared schema. */
export const costTable = ({ cost }: CostFigures): string[] =>
  cost.map(({ table, columns, epsilon, declared, found }) =>
    line([
      `${table} (${columns})`,
      epsilon,
      declared.toFixed(3),
      ...found.flatMap(({ share, error, none }, i) => [
        ...(i === 0 ? [] : [percent(share)]),
        error === null ? 'nothing found' : `${error.toFixed(3)}${none === 0 ? '' : ` (nothing found in ${none})`}`,
      ]),
    ]),
  );
