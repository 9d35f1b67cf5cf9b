import { mended } from '../domain/constraints/mended.js';
import { groupHouseholds } from '../domain/households/group-households.js';
import type { SizeRule } from '../domain/households/household-table.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import type { Table } from '../domain/table.js';
import { checkUnit, type Unit } from '../query/unit.js';
import { isCryptographic } from '../random/cryptographic.js';
import type { Random } from '../random/random.js';
import { boundContributions, type Ids } from './bound-contributions.js';

/** The rows, whose they are, and how those are cut that are too many. */
export interface RowOptions {
  /** The private rows. They are copied; the source keeps no reference to the table. */
  readonly table: Table;
  /** Whom the guarantee protects; one row by default, and a household where the table's domain declares them. */
  readonly unit?: Unit | undefined;
  /** Whose each row is, when the unit is an id; its household, where there are households. */
  readonly ids?: Ids | undefined;
  /** Chooses the rows to keep of an id with too many: `webEntropy()`; any other marks what is released as made from a seed. */
  readonly random?: Random | undefined;
  /** What becomes of a household with too many persons; `exclude` by default, which needs no randomness. */
  readonly rule?: SizeRule | undefined;
  /** Whether the first person speaks for a household of which others say something else; an error by default. */
  readonly firstSpeaks?: boolean | undefined;
}

/** Rows within the bounds of their units. */
export interface PreparedRows {
  readonly table: Table;
  readonly unit: Unit;
  /** The rows of the table to keep, all when undefined. */
  readonly rows?: Uint32Array | undefined;
  /** The number of units they come from. */
  readonly units: number;
  /** How many persons of its household come before each row, where there are households. */
  readonly places?: Uint8Array | undefined;
  /** Whether somebody could foretell which rows were kept. */
  readonly seeded: boolean;
}

/** Cuts every unit to its bound, and mends rows that break a constraint of the domain; households are also put together. */
export const prepareRows = (options: RowOptions): PreparedRows => {
  const prepared = boundedRows(options);
  return { ...prepared, table: mended(prepared.table) };
};

const boundedRows = (options: RowOptions): PreparedRows => {
  const { table, ids, random } = options;
  const { households } = table.domain;
  if (households !== undefined) return preparedHouseholds(options, households.maxSize);
  const unit: Unit = options.unit ?? { kind: 'row', maxRecords: 1 };
  checkUnit(unit);
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(`unit: a ${unit.kind} is protected in a table with households, got a plain table`);
  if (unit.kind === 'row') {
    if (ids)
      throw new InputError('unit: must be an id when ids are given, got a row; name the id column and maxRecords');
    return { table, unit, units: table.length, seeded: false };
  }
  if (!ids || !random)
    throw new InputError(
      `unit: needs ids and random to bound the rows of each id, got ${ids ? 'ids' : 'neither'} only`,
    );
  if (ids.length !== table.length)
    throw new InputError(`ids: must be one for each of the ${table.length} rows, got ${ids.length}`);
  return { table, unit, ...boundContributions(ids, unit.maxRecords, random), seeded: !isCryptographic(random) };
};

const preparedHouseholds = (options: RowOptions, maxSize: number): PreparedRows => {
  const { ids, rule = 'exclude', random } = options;
  const unit: Unit = options.unit ?? { kind: 'household', column: 'household', maxRecords: maxSize };
  checkUnit(unit);
  if (unit.kind !== 'household' && unit.kind !== 'person')
    throw new InputError(
      `unit: a household or a person is protected in a table with households, got ${unit.kind === 'row' ? 'a row' : 'an id'}`,
    );
  if (unit.kind === 'household' && unit.maxRecords !== maxSize)
    throw new InputError(
      `unit: a household has at most the ${maxSize} persons that the table declares, got ${unit.maxRecords}`,
    );
  if (maxSize > limits.persons)
    throw new InputError(`households: must have at most ${limits.persons} persons, got ${maxSize}`);
  if (ids === undefined) throw new InputError('ids: must say which household each row is of, got none');
  const grouped = groupHouseholds({ table: options.table, keys: ids }, options);
  const { offsets } = grouped;
  const places = new Uint8Array(grouped.length);
  for (let h = 0; h + 1 < offsets.length; h++)
    for (let row = offsets[h]; row < offsets[h + 1]; row++) places[row] = row - offsets[h];
  return {
    table: grouped,
    unit,
    units: unit.kind === 'person' ? grouped.length : offsets.length - 1,
    places,
    seeded: rule === 'trim' && !(random !== undefined && isCryptographic(random)),
  };
};
