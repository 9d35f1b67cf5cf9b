import { nullCell, otherCell } from '../domain/attribute/cells.js';
import type { CellValue } from '../domain/attribute/column-decoder.js';
import { columnEncoder } from '../domain/attribute/column-encoder.js';
import { kindOf } from '../domain/attribute/kinds/kinds.js';
import { cellsWith, type GivenValue } from '../domain/constraints/cells-with.js';
import { type CellWeights, rowCondition } from '../domain/constraints/condition.js';
import { constraintsOf } from '../domain/constraints/constraints-of.js';
import { attributeNamed, type Domain, indexOf } from '../domain/domain.js';
import { type Columns, encodingError } from '../domain/encode/encode-table.js';
import { InputError } from '../domain/input-error.js';
import { nearest } from '../domain/nearest.js';
import type { Running } from '../domain/running.js';
import { codeColumn, type Table } from '../domain/table.js';
import { conditioned, impossible } from '../model/conditioned.js';
import { type AnyModel, drawRows, type Model, modelsHouseholds } from '../model/model.js';
import type { Random } from '../random/random.js';
import { checkRows } from './check-rows.js';

/** Which rows are wanted of a model. */
export interface SampleRowsOptions extends Pick<Running, 'signal'> {
  readonly random: Random;
  /** A condition on rows in the words of SQL: all rows meet it. */
  readonly where?: string | undefined;
  /** Columns of values to fill the rest of: one row comes out for each of theirs, in their order. */
  readonly given?: Columns | undefined;
  /** Number of rows; not with `given`. As many as the model has, of those that meet the condition, by default. */
  readonly rows?: number | undefined;
}

/** Rows of a model, and what decoding them must know. */
export interface SampledRows {
  /** Over the model's domain, with what the condition adds for values within cells. */
  readonly table: Table;
  /** Values that were given, by column: `decodeTable` and `writeTable` take them as they are. */
  readonly pinned: Readonly<Record<string, readonly (CellValue | undefined)[]>>;
  /** Records that the model expects to meet the condition; undefined where rows were given, and of models that draw until it is met. */
  readonly expected?: number | undefined;
}

/**
 * Rows of a model that meet a condition, or that fill the rest of given rows: exact by inference for graphical models and by their rows for supports
 * (`conditioned`). Post-processing of a release, at no cost in privacy.
 *
 * @example
 * ```ts
 * const { model } = await mst(session, { random: seeded(1) });
 * const { table } = await sampleRows(model, { where: 'age < 4', rows: 100, random: seeded(1) });
 * ```
 */
export const sampleRows = async (model: AnyModel, options: SampleRowsOptions): Promise<SampledRows> => {
  if (modelsHouseholds(model))
    throw new InputError('sample: must be of a release of one table, got households; draw them all with refit');
  const { where, given, random } = options;
  const { factors: parts, within } =
    where === undefined ? { factors: [], within: [] } : rowCondition(model.domain, where, 'where');
  const constraints = [...(model.domain.constraints ?? []), ...within];
  const domain: Domain = within.length === 0 ? model.domain : { ...model.domain, constraints };
  const factors = within.length === 0 ? parts : [...parts, ...possibleCells(domain)];
  if (given !== undefined) {
    if (options.rows !== undefined)
      throw new InputError(`rows: are as many as were given, got ${options.rows} besides; leave it out`);
    const filled = await fillRows(conditioned(model, factors), given, options);
    return { ...filled, table: { ...filled.table, domain } };
  }
  const chosen = conditioned(model, factors);
  const rows = options.rows ?? Math.max(1, Math.round(chosen.total));
  checkRows(rows, domain);
  const table = await drawRows(chosen, rows, random, options);
  const isKnown = factors.length === 0 || chosen.total !== model.total || 'kind' in chosen;
  return { table: { ...table, domain }, pinned: {}, expected: isKnown ? chosen.total : undefined };
};

/** Where a condition cuts through bins, the cells in which some values meet it together with the constraints of the schema. */
const possibleCells = (domain: Domain): CellWeights[] => {
  try {
    return constraintsOf(domain)!.factors.map(({ attributes, allowed }) => ({
      attributes,
      weights: Float64Array.from(allowed),
    }));
  } catch (error) {
    throw error instanceof InputError ? impossible() : error;
  }
};

/** Cells of the junction tree, or rows of the support, that are gone over for all distinct given rows, at most: some minutes. */
const mostWork = 2e10;

const fillRows = async (
  model: Model,
  given: Columns,
  { random, signal }: SampleRowsOptions,
): Promise<Pick<SampledRows, 'table' | 'pinned'>> => {
  const { domain } = model;
  const names = Object.keys(given);
  const unknown = names.find((name) => attributeNamed(domain, name) === undefined);
  if (unknown !== undefined || names.length === 0) {
    const guess =
      unknown &&
      nearest(
        unknown,
        domain.attributes.map(({ name }) => name),
      );
    throw new InputError(
      unknown === undefined
        ? 'given: must have a row with columns of the release, got none; see its header'
        : `given: must have columns of the release, got ${JSON.stringify(unknown)}; ${guess === undefined ? 'leave it out' : `did you mean ${JSON.stringify(guess)}?`}`,
    );
  }
  const places = names.map((name) => indexOf(domain, name));
  const length = given[names[0]].length;
  const codes = names.map((name, i) => {
    const attribute = domain.attributes[places[i]];
    const encode = columnEncoder(attribute);
    const encodeStrictly = columnEncoder(attribute, 'stop');
    const empty = nullCell(attribute.spec);
    return Uint32Array.from(given[name], (value, row) => {
      const code = encode(value);
      if (code < 0) throw encodingError(attribute, code, row + 1);
      // Rows have the values that were given: none becomes empty by the way.
      if (code === empty && encodeStrictly(value) < 0)
        throw new InputError(
          `given: row ${row + 1}: a value of ${JSON.stringify(name)} must be one that the column can have, got one that is not; correct it, or leave it empty`,
        );
      return code;
    });
  });
  const { pinned, valueAt } = pinnedIn(domain, given);
  // Where constraints compare values within cells, rows of the same cells differ.
  const within = new Set((constraintsOf(domain)?.groups ?? []).flatMap(({ attributes }) => attributes));
  const compared = names.filter((_, i) => within.has(places[i]));
  const groups = new Map<string, number[]>();
  for (let row = 0; row < length; row++) {
    const key = [...codes.map((column) => column[row]), ...compared.map((name) => valueAt(name, row))].join();
    const rows = groups.get(key);
    if (rows === undefined) groups.set(key, [row]);
    else rows.push(row);
  }
  const work = groups.size * ((model.cost?.bytes ?? 0) / 8);
  if (work > mostWork)
    throw new InputError(
      `given: its ${groups.size} different rows must need at most ${mostWork} cells of the model together, got ${Math.round(work)}; give fewer rows or fewer columns`,
    );
  const columns = domain.attributes.map(({ size }) => codeColumn(size, length));
  for (const rows of groups.values()) {
    signal?.throwIfAborted();
    const fixed = places.map((at, i): CellWeights => {
      const weights = new Float64Array(domain.attributes[at].size);
      weights[codes[i][rows[0]]] = 1;
      return { attributes: [at], weights };
    });
    const values = new Map<number, GivenValue>();
    for (const name of compared) {
      const at = valueAt(name, rows[0]);
      const i = names.indexOf(name);
      if (at !== undefined) values.set(places[i], { cell: codes[i][rows[0]], at });
    }
    const drawn = givenModel(model, [...fixed, ...cellsWith(domain, values)], rows[0]).sample(rows.length, random);
    for (const [a, column] of columns.entries())
      rows.forEach((row, i) => {
        column[row] = drawn.columns[a][i];
      });
  }
  return { table: { domain, length, columns }, pinned };
};

const givenModel = (model: Model, fixed: readonly CellWeights[], row: number): Model => {
  try {
    return conditioned(model, fixed);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `given: row ${row + 1}: must be possible under the model, got cells that no record of it has; correct it, or give fewer columns`,
    );
  }
};

/** What was given, where cells do not say it: numbers and dates within bins, and texts that are not declared. */
const pinnedIn = (
  domain: Domain,
  given: Columns,
): Pick<SampledRows, 'pinned'> & { readonly valueAt: (name: string, row: number) => number | undefined } => {
  const drawingOf = (name: string) => {
    const { spec } = attributeNamed(domain, name)!;
    return kindOf(spec).drawing(spec, unused);
  };
  const drawings = new Map(Object.keys(given).map((name) => [name, drawingOf(name)]));
  const valueAt = (name: string, row: number): number | undefined => {
    const value = given[name][row];
    return value === null || value === undefined || value === '' ? undefined : drawings.get(name)?.read(value);
  };
  const pinned = Object.entries(given).flatMap(([name, values]) => {
    const attribute = attributeNamed(domain, name)!;
    const drawing = drawings.get(name);
    const other = otherCell(attribute.spec);
    if (drawing === undefined && other < 0) return [];
    const encode = columnEncoder(attribute);
    const own = Array.from(values, (value, row): CellValue | undefined => {
      if (drawing === undefined) return encode(value) === other ? String(value) : undefined;
      const x = valueAt(name, row);
      return x === undefined ? undefined : drawing.write(x);
    });
    return [[name, own] as const];
  });
  return { pinned: Object.fromEntries(pinned), valueAt };
};

/** Reading and writing draw nothing. */
const unused: Random = {
  uint32: () => {
    throw new Error('a value that was given is not drawn');
  },
};
