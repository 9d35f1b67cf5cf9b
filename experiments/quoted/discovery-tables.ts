/* The tables of docs/results.md about discovery, line by line; see `tables.ts`. */

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

export interface FoundFigures {
  readonly found: readonly {
    readonly table: string;
    readonly rows: number;
    readonly columns: number;
    readonly epsilon: number;
    readonly share: number;
    readonly values: number;
    readonly covered: number;
    readonly placed: number;
    readonly fullest: number;
  }[];
}

const part = (value: number): string => value.toFixed(2);

/** What is found, a line for each table and epsilon and the shares side by side. */
export const foundTable = ({ found }: FoundFigures): string[] =>
  found
    .filter(({ share }) => share === found[0].share)
    .map(({ table, rows, columns, epsilon }) =>
      line([
        `${table} (${rows}, ${columns})`,
        epsilon,
        ...found
          .filter((own) => own.table === table && own.epsilon === epsilon)
          .flatMap((own) => [
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
    readonly found: readonly { readonly share: number; readonly error: number | null; readonly none: number }[];
  }[];
}

/** What it costs in error, beside a declared schema. */
export const costTable = ({ cost }: CostFigures): string[] =>
  cost.map(({ table, columns, epsilon, declared, found }) =>
    line([
      `${table} (${columns})`,
      epsilon,
      declared.toFixed(3),
      ...found.map(({ error, none }) =>
        error === null ? 'nothing found' : `${error.toFixed(3)}${none === 0 ? '' : ` (nothing found in ${none})`}`,
      ),
    ]),
  );
