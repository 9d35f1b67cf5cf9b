import type { Domain } from '../../domain/domain.js';
import { loadHighs } from '../../kernel/load-highs.js';
import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import { type Wish, worthOf } from './best-record.js';

/** Cells of an attribute that all wishes treat alike. */
interface CellClass {
  readonly attribute: number;
  readonly cells: readonly number[];
}

/** The classes of every attribute that some wish is about. */
const classesOf = (domain: Domain, wishes: readonly Wish[]): CellClass[] => {
  const masks = domain.attributes.map((): Set<Uint8Array> => new Set());
  for (const { conditions } of wishes) for (const { attribute, cells } of conditions) masks[attribute].add(cells);
  return domain.attributes.flatMap(({ size }, attribute) => {
    if (masks[attribute].size === 0) return [];
    const alike = new Map<string, number[]>();
    for (let cell = 0; cell < size; cell++) {
      const key = Array.from(masks[attribute], (cells) => cells[cell]).join('');
      alike.set(key, [...(alike.get(key) ?? []), cell]);
    }
    return Array.from(alike.values(), (cells) => ({ attribute, cells }));
  });
};

interface Row {
  readonly entries: readonly (readonly [column: number, value: number])[];
  readonly lower: number;
  readonly upper: number;
}

/**
 * Columns: one binary for each class, then one for each wish, which is 1 where the record satisfies it. One class an attribute; a
 * wish of positive weight is at most each of its conditions, one of negative weight at least what all of them leave together.
 */
const rowsOf = (wishes: readonly Wish[], classes: readonly CellClass[]): Row[] => {
  const attributes = [...new Set(classes.map(({ attribute }) => attribute))];
  const columnsOf = (attribute: number, cells?: Uint8Array): number[] =>
    [...classes.keys()].filter(
      (k) => classes[k].attribute === attribute && (cells === undefined || cells[classes[k].cells[0]] === 1),
    );
  const one = attributes.map(
    (attribute): Row => ({
      entries: columnsOf(attribute).map((column) => [column, 1] as const),
      lower: 1,
      upper: 1,
    }),
  );
  const bounds = wishes.flatMap(({ weight, conditions }, i): Row[] => {
    const own = [classes.length + i, -1] as const;
    const met = conditions.map(({ attribute, cells }) =>
      columnsOf(attribute, cells).map((column) => [column, 1] as const),
    );
    if (weight > 0) return met.map((entries) => ({ entries: [...entries, own], lower: 0, upper: Infinity }));
    return [{ entries: [...met.flat(), own], lower: -Infinity, upper: conditions.length - 1 }];
  });
  return [...one, ...bounds];
};

/**
 * The record that satisfies wishes of the most weight, by an integer programme (HiGHS) of at most `seconds`, started at a record that was
 * found otherwise: the better of the two, and whether it is proved to be the best. Cells that all wishes treat alike are drawn from at random.
 */
export const solveRecord = async (
  domain: Domain,
  wishes: readonly Wish[],
  start: readonly number[],
  seconds: number,
  random: Random,
): Promise<{ readonly record: number[]; readonly proved: boolean }> => {
  // Opposite draws cancel, at times all of them: any record is as good as any other then, and a programme without columns is none.
  if (wishes.length === 0) return { record: [...start], proved: true };
  const highs = await loadHighs();
  const classes = classesOf(domain, wishes);
  const rows = rowsOf(wishes, classes);
  const columns = classes.length + wishes.length;
  const starts = new Int32Array(rows.length + 1);
  for (const [i, { entries }] of rows.entries()) starts[i + 1] = starts[i] + entries.length;
  const bound = (value: number): number =>
    value === Infinity ? highs.infinity : value === -Infinity ? -highs.infinity : value;
  const chosen = Float64Array.from({ length: columns }, (_, k) =>
    k < classes.length
      ? +classes[k].cells.includes(start[classes[k].attribute])
      : +(worthOf([{ ...wishes[k - classes.length], weight: 1 }], start) > 0),
  );
  const { values, proved } = highs.withModel(
    {
      numCols: columns,
      numRows: rows.length,
      sense: highs.constants.objectiveSense.maximize,
      colCost: Float64Array.from({ length: columns }, (_, k) =>
        k < classes.length ? 0 : wishes[k - classes.length].weight,
      ),
      colLower: new Float64Array(columns),
      colUpper: new Float64Array(columns).fill(1),
      rowLower: Float64Array.from(rows, ({ lower }) => bound(lower)),
      rowUpper: Float64Array.from(rows, ({ upper }) => bound(upper)),
      matrix: {
        format: 'csr',
        numRows: rows.length,
        numCols: columns,
        starts,
        indices: Int32Array.from(rows.flatMap(({ entries }) => entries.map(([column]) => column))),
        values: Float64Array.from(rows.flatMap(({ entries }) => entries.map(([, value]) => value))),
      },
      // Where the classes are whole, so are the wishes.
      integrality: Int32Array.from({ length: columns }, (_, k) => (k < classes.length ? 1 : 0)),
    },
    (model) => {
      model.options.set({ output_flag: false, time_limit: seconds });
      model.setSolution({ colValue: chosen });
      model.run();
      return {
        values: model.getSolution().colValue,
        proved: model.getModelStatus() === highs.constants.modelStatus.optimal,
      };
    },
  );
  const record = [...start];
  for (const [k, { attribute, cells }] of classes.entries())
    if (values[k] > 0.5) record[attribute] = cells[uniformInteger(random, cells.length)];
  return worthOf(wishes, record) >= worthOf(wishes, start) ? { record, proved } : { record: [...start], proved: false };
};
