import type { AxisTable } from './contract.js';

/** Tables by name up to a number of cells together; those used longest ago make way. */
export interface TableCache {
  get(key: string): AxisTable | undefined;
  set(key: string, table: AxisTable): void;
}

export const tableCache = (limit: number): TableCache => {
  const tables = new Map<string, AxisTable>();
  let cells = 0;
  return {
    get: (key) => {
      const table = tables.get(key);
      if (table !== undefined) {
        // A map keeps the order of insertion: this makes the table the latest.
        tables.delete(key);
        tables.set(key, table);
      }
      return table;
    },
    set: (key, table) => {
      if (table.values.length > limit || tables.has(key)) return;
      tables.set(key, table);
      cells += table.values.length;
      for (const [old, { values }] of tables) {
        if (cells <= limit) return;
        tables.delete(old);
        cells -= values.length;
      }
    },
  };
};
