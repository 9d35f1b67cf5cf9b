import { valueText } from '../domain/attribute/value-text.js';
import type { Columns } from '../domain/encode/encode-table.js';
import { InputError } from '../domain/input-error.js';
import { checkUnit, type Unit } from '../query/unit.js';
import { isCryptographic } from '../random/cryptographic.js';
import type { Random } from '../random/random.js';
import { boundContributions, type Ids } from './bound-contributions.js';
import type { RawSource } from './raw-source.js';

/** The columns as they are, and whose the rows are. */
export interface RawMemorySourceOptions {
  readonly columns: Columns;
  /** A stable name of the private dataset for its ledger; it must not derive from the rows. */
  readonly dataset: string;
  /** Whom the guarantee protects; one row by default. */
  readonly unit?: Unit | undefined;
  /** Whose each row is, when the unit is an id. */
  readonly ids?: Ids | undefined;
  /** Chooses the rows to keep of an id with too many. */
  readonly random?: Random | undefined;
}

const inOrder = (counts: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

/** Private columns in memory, for the discovery of a schema. */
export const rawMemorySource = ({
  columns,
  dataset,
  ids,
  random,
  unit = { kind: 'row', maxRecords: 1 },
}: RawMemorySourceOptions): RawSource => {
  checkUnit(unit);
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(`unit: a schema is discovered of rows or ids, got a ${unit.kind}; declare the schema`);
  if ((unit.kind === 'id') !== (ids !== undefined && random !== undefined))
    throw new InputError('unit: an id needs ids and random to bound its rows, and a row needs neither, got otherwise');
  const names = Object.keys(columns);
  const length = names.length === 0 ? 0 : columns[names[0]].length;
  for (const name of names)
    if (columns[name].length !== length)
      throw new InputError(
        `column ${JSON.stringify(name)}: must be as long as the others, ${length}, got another length`,
      );
  const kept =
    ids === undefined || random === undefined || unit.kind !== 'id'
      ? undefined
      : boundContributions(ids, unit.maxRecords, random).rows;
  const count = kept?.length ?? length;
  const rowAt = (i: number): number => kept?.[i] ?? i;
  const textAt = (column: string, i: number): string => valueText(columns[column][rowAt(i)]) ?? '';
  let open = true;
  const check = (): void => {
    if (!open) throw new InputError('source: must be open to be counted, got a closed one');
  };
  return {
    unit,
    dataset,
    columns: names,
    seeded: unit.kind === 'id' && !isCryptographic(random!),
    rows: async () => {
      check();
      return count;
    },
    async values(column, visit) {
      check();
      const counts = new Map<string, number>();
      for (let i = 0; i < count; i++) {
        const text = textAt(column, i);
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      for (const [text, rows] of inOrder(counts)) visit(text, rows);
    },
    async shared({ columns: asked, weights }, visit) {
      check();
      const known = asked.map((own) => new Set(own.known));
      // What every unit has: its different values, column by column.
      const units = new Map<unknown, Set<string>[]>();
      for (let i = 0; i < count; i++) {
        const unit = ids === undefined ? i : ids[rowAt(i)];
        const held = units.get(unit) ?? asked.map(() => new Set<string>());
        units.set(unit, held);
        for (const [at, { name }] of asked.entries()) {
          const text = textAt(name, i);
          if (!known[at].has(text)) held[at].add(text);
        }
      }
      const sums = asked.map(() => new Map<string, number>());
      for (const held of units.values()) {
        const weight = weights[held.reduce((sum, { size }) => sum + size, 0) - 1];
        for (const [at, texts] of held.entries())
          for (const text of texts) sums[at].set(text, (sums[at].get(text) ?? 0) + weight);
      }
      for (const [at, own] of sums.entries()) for (const [text, weight] of inOrder(own)) visit(at, text, weight);
    },
    async together(asked, visit) {
      check();
      const counts = new Map<string, number>();
      for (let i = 0; i < count; i++) {
        const key = JSON.stringify(asked.map((name) => textAt(name, i)));
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      for (const [key, rows] of inOrder(counts)) visit(JSON.parse(key) as string[], rows);
    },
    isOpen: () => open,
    close: async () => {
      open = false;
    },
  };
};
