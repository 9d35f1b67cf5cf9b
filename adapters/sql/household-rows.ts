import { indexOf } from '../../src/domain/domain.js';
import type { SizeRule } from '../../src/domain/households/household-table.js';
import { levelsOf } from '../../src/domain/households/levels-of.js';
import { settles } from '../../src/domain/households/settles.js';
import { InputError } from '../../src/domain/input-error.js';
import { oneRow } from './asking.js';
import { boundedSql } from './bounded-sql.js';
import { bitsFor, codesSql, mayLackCells, mendedSql } from './codes-sql.js';
import type { Connection } from './connection.js';
import { checkCells, type KeptRows, type KeptRowsOptions } from './kept-rows.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** What says which household a person is of, and where that is said of what. */
export interface HouseholdTables {
  /** The column of the key, in both tables if there are two. */
  readonly key: string;
  /** What becomes of a household with too many persons. */
  readonly rule: SizeRule;
  /** The table of the households, where that of the persons does not say what they are. */
  readonly homes?: SqlTable | undefined;
}

/**
 * Persons with what is said of their households, as `groupHouseholds` makes them of rows in memory, but for what an engine without an order of rows cannot know: where the first
 * row of a household would speak, the one with the least cells does. What becomes of a household hangs on its own rows alone.
 */
export const householdRows = (
  connection: Connection,
  persons: SqlTable,
  { domain, outside, unit, key: secret }: KeptRowsOptions,
  { key, rule, homes }: HouseholdTables,
): KeptRows => {
  const { dialect } = connection;
  const { households } = domain;
  if (households === undefined)
    throw new InputError('schema: households need `twoLevel`, got none; add its key, household and maxSize');
  const { maxSize } = households;
  const levels = levelsOf(domain);
  const numbers = (names: readonly string[]): number[] => names.map((name) => indexOf(domain, name));
  const [ofHouseholds, ofPersons] = [numbers(levels.household), numbers(levels.person)];
  const cellsOf = (attributes: readonly number[]): string[] => attributes.map((at) => `a${at}`);
  const tables = [
    { relation: persons, attributes: homes === undefined ? [...ofHouseholds, ...ofPersons] : ofPersons },
    ...(homes === undefined ? [] : [{ relation: homes, attributes: ofHouseholds }]),
  ].map(({ relation, attributes }) => {
    const id = dialect.text(columnNamed(relation, key).sql);
    for (const at of attributes) columnNamed(relation, domain.attributes[at].name);
    const codes = (some: readonly number[]): string =>
      codesSql(dialect, relation, { domain, outside, attributes: some, extra: { id }, unmended: true });
    return { relation, attributes, codes, strict: mayLackCells(dialect, relation, { domain, outside, attributes }) };
  });
  const isSettled = settles(outside);
  const [own, other] = tables;
  const shared = cellsOf(ofHouseholds);
  const every = cellsOf([...ofHouseholds, ...ofPersons]);
  const list = (...columns: readonly string[]): string => columns.join(', ');

  /** One row of each household's own table: of several the one with the least cells. */
  const home = (): string => {
    const codes = other.codes(ofHouseholds);
    const all = `SELECT ${list(...shared, 'id AS home')} FROM (${codes}) AS codes`;
    if (!isSettled || shared.length === 0) return isSettled ? `SELECT DISTINCT home FROM (${all}) AS keys` : all;
    const place = `row_number() OVER (PARTITION BY id ORDER BY ${list(...shared)})`;
    const placed = `SELECT ${list(...shared, 'id AS home', `${place} AS nth`)} FROM (${codes}) AS codes`;
    return `SELECT ${list(...shared, 'home')} FROM (${placed}) AS placed WHERE nth = 1`;
  };
  const joined = (): string =>
    other === undefined
      ? own.codes(own.attributes)
      : `SELECT ${list('one', ...every, 'id')} FROM (${own.codes(ofPersons)}) AS persons JOIN (${home()}) AS homes ON id = home`;
  /** At most `maxSize` persons of each household, with their number `n`; what is said of households may differ among them. */
  const cut = (): string => {
    const rows =
      rule === 'trim' ? boundedSql(dialect, joined(), { cells: every, maxRecords: maxSize, key: secret }) : joined();
    const counted = `SELECT ${list('one', ...every, 'id', 'count(*) OVER (PARTITION BY id) AS n')} FROM (${rows}) AS joined`;
    return `SELECT ${list('one', ...every, 'id', 'n')} FROM (${counted}) AS counted WHERE n <= ${maxSize}`;
  };
  const spoken = (at: number): string =>
    isSettled && other === undefined && ofHouseholds.includes(at)
      ? `first_value(a${at}) OVER (PARTITION BY id ORDER BY ${list(...shared)}) AS a${at}`
      : `a${at}`;
  const kept = (): string => {
    const said = [...ofHouseholds, ...ofPersons].map(spoken);
    const place = households.size === undefined ? -1 : indexOf(domain, households.size);
    const size = place < 0 ? [] : [`${dialect.toInteger('(n - 1)', bitsFor(maxSize))} AS a${place}`];
    // The number of persons is made in a step of its own: a name that is being made may not be used beside its making.
    const speaking = `SELECT ${list('one', ...said, 'id', 'n')} FROM (${cut()}) AS cut`;
    const rows = `SELECT ${list('one', ...every, ...size, 'id')} FROM (${speaking}) AS spoken`;
    return mendedSql(dialect, rows, { domain, needed: [...domain.attributes.keys()], names: ['id'] });
  };

  /** Refuses households of whom their persons say different things, keys that two households have, and persons of none. */
  const checkKeys = async (signal: AbortSignal | undefined): Promise<void> => {
    if (other === undefined) {
      if (ofHouseholds.length === 0) return;
      const ends = ofHouseholds.map((at) => `min(a${at}) AS low${at}, max(a${at}) AS high${at}`);
      const differing = ofHouseholds.map((at) => `sum(CASE WHEN low${at} <> high${at} THEN 1 ELSE 0 END)`);
      const sql = `SELECT ${list(...differing)} FROM (SELECT ${list('id', ...ends)} FROM (${cut()}) AS cut GROUP BY id) AS ends`;
      const found = await oneRow(connection, sql, signal);
      const bad = ofHouseholds.find((_, i) => found[i] > 0);
      if (bad !== undefined)
        throw new InputError(
          `${persons.shown}: column ${JSON.stringify(domain.attributes[bad].name)}: must be the same for all persons of a household, got one where it is not; correct it, or choose a rule for values outside that settles it`,
        );
      return;
    }
    const stray = `SELECT count(*) FROM (${own.codes([])}) AS persons LEFT JOIN (SELECT DISTINCT id AS home FROM (${other.codes([])}) AS codes) AS homes ON id = home WHERE home IS NULL`;
    if ((await oneRow(connection, stray, signal))[0] > 0)
      throw new InputError(
        `${persons.shown}: every key must be one of the table of households, got one that is not; add the household or leave the row out`,
      );
  };

  return {
    // Which persons are kept, and what is said of their household, hangs on all codes.
    codes: () => kept(),
    units:
      unit.kind === 'person'
        ? `SELECT count(*) FROM (${kept()}) AS kept`
        : `SELECT count(DISTINCT id) FROM (${kept()}) AS kept`,
    check: async (signal) => {
      for (const { relation, codes, strict } of tables) {
        const names = strict.map((at): [string, string] => [`a${at}`, domain.attributes[at].name]);
        const { rows, ids } = await checkCells(connection, relation, codes(strict), { names, id: key, signal });
        if (relation === homes && !isSettled && ids !== rows)
          throw new InputError(
            `${relation.shown}: every row must have a key of its own, got two rows with the same; keep one row a household`,
          );
      }
      if (!isSettled) await checkKeys(signal);
      return undefined;
    },
  };
};
