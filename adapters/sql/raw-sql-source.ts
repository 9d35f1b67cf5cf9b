import { InputError } from '../../src/domain/input-error.js';
import { checkUnit, type Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import type { RawSource } from '../../src/source/raw-source.js';
import { askingOf, checkFixed, oneRow } from './asking.js';
import { boundedSql, boundingKey } from './bounded-sql.js';
import type { Connection } from './connection.js';
import { checkCells } from './kept-rows.js';
import { doublesNamed, isPlain } from './kinds/kind.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** The columns that are asked about, and whose the rows are. */
export interface RawSqlOptions {
  readonly columns: readonly string[];
  readonly unit: Unit;
  /** A stable name for the ledger that does not derive from the rows. */
  readonly dataset: string;
  /** Makes the key that chooses the rows to keep of a unit beyond its bound: cryptographic for private data. */
  readonly random: Random;
  /** Go on where the engine cannot keep to the same rows, or lost them. */
  readonly changing?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Columns of a table in an engine of SQL, for the discovery of a schema: the engine cuts every unit to its bound and tells every different value once, with the number of
 * rows or units that have it. These cross the wire, for a session and for nobody else: noise must be added to each of them before anybody can say which are common. The
 * connection stays its owner's: the release that follows counts over it, of the same rows.
 */
export const rawSqlSource = async (
  connection: Connection,
  relation: SqlTable,
  { columns: names, unit, dataset, random, changing = false, signal }: RawSqlOptions,
): Promise<RawSource> => {
  const { dialect } = connection;
  checkUnit(unit);
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(`unit: a schema is discovered of rows or ids, got a ${unit.kind}; declare the schema`);
  checkFixed(connection, changing);
  const columns = names.map((name) => columnNamed(relation, name));
  const cells = names.map((_, i) => `v${i}`);
  const empty = dialect.literal('');
  /** The text of a double that is one number for both zeros. */
  const doubleText = (x: string): string => dialect.text(`(${x} + ${dialect.double(0)})`);
  const texts = columns.map(({ kind, sql }) => {
    if (kind !== 'double') return `coalesce(${dialect.text(sql)}, ${empty})`;
    const x = dialect.toDouble(sql);
    return `CASE WHEN ${x} IS NULL OR ${dialect.isNaN(x)} THEN ${empty} ELSE ${doubleText(x)} END`;
  });
  const isId = unit.kind === 'id';
  const owner = isId ? [`${dialect.text(columnNamed(relation, unit.column).sql)} AS id`] : [];
  const projected = ['1 AS one', ...texts.map((text, i) => `${text} AS ${cells[i]}`), ...owner];
  const all = `SELECT ${projected.join(', ')} FROM ${relation.sql}${dialect.fence}`;
  const kept = isId ? boundedSql(dialect, all, { cells, maxRecords: unit.maxRecords, key: boundingKey(random) }) : all;
  /** What a text of the engine's is called here: a double as JavaScript writes it. */
  const called = (at: number, text: string): string =>
    columns[at].kind === 'double' && text !== '' ? String(numberOf(text)) : text;
  /** Texts that are known, as the engine has them. */
  const knownIn = (at: number, known: readonly string[]): string[] =>
    columns[at].kind === 'double'
      ? [
          ...[...doublesNamed(known).values()].map((value) => doubleText(dialect.double(value))),
          ...(known.includes('') ? [empty] : []),
        ]
      : known.filter(isPlain).map(dialect.literal);

  const asking = askingOf(connection, {
    changing,
    check: async (stop) => {
      if (isId)
        await checkCells(connection, relation, `SELECT ${owner.join(', ')} FROM ${relation.sql}`, {
          names: [],
          id: unit.column,
          signal: stop,
        });
    },
  });
  await asking.begin(signal);

  let open = true;
  const check = (): void => {
    if (!open) throw new InputError('source: must be open to be counted, got a closed one');
  };
  /**
   * Texts of some columns, by their places, and what the numbers behind them are worth, of an answer that came whole, in one order whatever that of the rows: a part
   * of one that broke off is told to nobody.
   */
  const told = (
    sql: string,
    places: readonly number[],
    stop: AbortSignal | undefined,
    worth: (numbers: readonly number[]) => number,
  ): Promise<Told[]> =>
    asking.answer(stop, async () => {
      const found: Told[] = [];
      await connection.query(sql, {
        signal: stop,
        onRow: (row) =>
          found.push({
            texts: places.map((at, i) => called(at, String(row[i]))),
            worth: worth(row.slice(places.length).map(Number)),
          }),
      });
      return found.sort((a, b) => inOrder(a.texts, b.texts));
    });

  return {
    unit,
    dataset,
    columns: names,
    seeded: isId && !isCryptographic(random),
    rows: async () => {
      check();
      const sql = `SELECT count(*) FROM (${kept}) AS kept`;
      return (await asking.answer(undefined, () => oneRow(connection, sql, undefined)))[0];
    },
    async values(column, visit, running = {}) {
      check();
      const at = names.indexOf(column);
      const sql = `SELECT ${cells[at]}, count(*) FROM (${kept}) AS kept GROUP BY ${cells[at]}`;
      for (const { texts: own, worth } of await told(sql, [at], running.signal, ([rows]) => rows)) visit(own[0], worth);
    },
    async shared({ columns: asked, weights }, visit, running = {}) {
      check();
      const places = asked.map(({ name }) => names.indexOf(name));
      // A value that is known counts for nobody: it is null here.
      const unknown = asked.map(({ known }, i) => {
        const list = knownIn(places[i], known);
        const cell = cells[places[i]];
        return `${list.length === 0 ? cell : `CASE WHEN ${cell} IN (${list.join(', ')}) THEN NULL ELSE ${cell} END`} AS u${i}`;
      });
      const rows = `(SELECT ${[...unknown, ...(isId ? ['id'] : [])].join(', ')} FROM (${kept}) AS kept) AS valued`;
      const held = asked.map((_, i) => (isId ? `count(DISTINCT u${i})` : `CASE WHEN u${i} IS NULL THEN 0 ELSE 1 END`));
      const units = `(SELECT id AS unit, ${held.join(' + ')} AS held FROM ${rows} GROUP BY id) AS units`;
      for (const [i, place] of places.entries()) {
        const owned = isId
          ? `SELECT u, held FROM (SELECT DISTINCT id, u${i} AS u FROM ${rows} WHERE u${i} IS NOT NULL) AS owned JOIN ${units} ON id = unit`
          : `SELECT u${i} AS u, ${held.join(' + ')} AS held FROM ${rows} WHERE u${i} IS NOT NULL`;
        const sql = `SELECT u, held, count(*) FROM (${owned}) AS owned_values GROUP BY u, held`;
        const found = await told(sql, [place], running.signal, ([of, number]) => weights[of - 1] * number);
        for (let from = 0, to = 0; from < found.length; from = to) {
          let sum = 0;
          for (; to < found.length && found[to].texts[0] === found[from].texts[0]; to++) sum += found[to].worth;
          visit(i, found[from].texts[0], sum);
        }
      }
    },
    async together(asked, visit, running = {}) {
      check();
      const places = asked.map((name) => names.indexOf(name));
      const list = places.map((at) => cells[at]).join(', ');
      const sql = `SELECT ${list}, count(*) FROM (${kept}) AS kept GROUP BY ${list}`;
      for (const { texts: own, worth } of await told(sql, places, running.signal, ([rows]) => rows)) visit(own, worth);
    },
    isOpen: () => open,
    close: async () => {
      if (!open) return;
      open = false;
      await asking.end(async () => undefined);
    },
  };
};

/** Values that stand together, and what they count. */
interface Told {
  readonly texts: readonly string[];
  readonly worth: number;
}

/** As memory has them: by the JSON of their texts where there are several. */
const inOrder = (one: readonly string[], two: readonly string[]): number => {
  const [a, b] = one.length === 1 ? [one[0], two[0]] : [JSON.stringify(one), JSON.stringify(two)];
  return a < b ? -1 : Number(a > b);
};

/** A double by an engine's text for it: some write infinity in short. */
const numberOf = (text: string): number =>
  /^[+-]?inf(inity)?$/i.test(text)
    ? text.startsWith('-')
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY
    : Number(text);
