import type { Domain } from '../../src/domain/domain.js';
import { cellsOf, indexOf } from '../../src/domain/domain.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import type { Unit } from '../../src/query/unit.js';
import type { PrivateSource } from '../../src/source/source.js';

/** A row as cell numbers in domain order. */
export type Row = readonly number[];

/** A domain of one-cell-an-integer attributes, named a, b, c, ... unless names are given. */
export const plainDomain = (sizes: readonly number[], names?: readonly string[]): Domain => ({
  attributes: sizes.map((size, i) => {
    const name = names?.[i] ?? String.fromCharCode(97 + i);
    return { name, size, spec: { type: 'integer', name, min: 0, max: size - 1 } };
  }),
});

/** The rows as a table of code columns. */
export const plainTable = (domain: Domain, rows: readonly Row[]): Table => ({
  domain,
  length: rows.length,
  columns: domain.attributes.map(({ size }, a) => {
    const column = codeColumn(size, rows.length);
    rows.forEach((row, i) => {
      column[i] = row[a];
    });
    return column;
  }),
});

/** The most obvious source there can be: counts row by row. `reads` says how often counts were asked for. */
export const plainSource = (
  domain: Domain,
  rows: readonly Row[],
  options: { unit?: Unit; units?: number; dataset?: string } = {},
): PrivateSource & { reads(): number; close(): void } => {
  let reads = 0;
  let open = true;
  return {
    domain,
    unit: options.unit ?? { kind: 'row', maxRecords: 1 },
    dataset: options.dataset ?? 'plain',
    async counts(marginals) {
      reads++;
      return marginals.map(({ attributes }) => {
        const counts = new Float64Array(cellsOf(domain, attributes));
        for (const row of rows) {
          let cell = 0;
          for (const name of attributes) {
            const index = indexOf(domain, name);
            cell = cell * domain.attributes[index].size + row[index];
          }
          counts[cell]++;
        }
        return counts;
      });
    },
    units: async () => options.units ?? rows.length,
    reads: () => reads,
    seeded: false,
    isOpen: () => open,
    close: () => {
      open = false;
    },
  };
};
