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
      const values = columns[column];
      const found = new Map<string, { rows: number; units: Set<unknown> | undefined }>();
      for (let i = 0; i < count; i++) {
        const row = kept?.[i] ?? i;
        const text = valueText(values[row]) ?? '';
        const known = found.get(text) ?? { rows: 0, units: ids && new Set() };
        if (known.rows === 0) found.set(text, known);
        known.rows++;
        known.units?.add(ids![row]);
      }
      const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [text, { rows, units }] of sorted) visit(text, rows, units?.size ?? rows);
    },
    isOpen: () => open,
    close: async () => {
      open = false;
    },
  };
};
