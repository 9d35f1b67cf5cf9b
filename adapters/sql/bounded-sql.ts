import type { Random } from '../../src/random/random.js';
import type { Dialect } from './dialect.js';

/** Chooses which rows an id keeps: 256 bits from here, since the choice must not be the engine's. */
export const boundingKey = (random: Random): string =>
  Array.from({ length: 8 }, () => random.uint32().toString(16).padStart(8, '0')).join('');

/**
 * At most `maxRecords` rows of each id, of a query for the codes of all attributes with a column `id`: the ones with the least SHA-256 of the key, the codes, the how
 * manieth row with these codes it is of its id, and the id. Rows of one id with the same codes are exchanged freely, and no count can tell; so the
 * choice is a function of the key and of the id's own rows as a set, whatever order the engine finds them in and however often it is asked: what it keeps
 * of an id hangs on no other id, which is what the guarantee needs, and is a uniformly random subset to whoever has no key.
 */
export const boundedSql = (
  dialect: Dialect,
  codes: string,
  {
    cells,
    maxRecords,
    key,
  }: {
    /** The columns of a row's cells, by name. */
    readonly cells: readonly string[];
    readonly maxRecords: number;
    readonly key: string;
  },
): string => {
  const alike = `row_number() OVER (PARTITION BY ${['id', ...cells].join(', ')} ORDER BY one)`;
  const numbered = `SELECT ${['one', ...cells, 'id', `${alike} AS occurrence`].join(', ')} FROM (${codes}) AS codes`;
  const colon = dialect.literal(':');
  const hashed = dialect.sha256(
    dialect.joined([
      dialect.literal(`${key}:`),
      ...cells.flatMap((cell) => [dialect.text(cell), colon]),
      dialect.text('occurrence'),
      colon,
      'id',
    ]),
  );
  const ranked = `row_number() OVER (PARTITION BY id ORDER BY ${[hashed, ...cells, 'occurrence'].join(', ')})`;
  const placed = `SELECT ${['one', ...cells, 'id', `${ranked} AS place`].join(', ')} FROM (${numbered}) AS numbered`;
  return `SELECT ${['one', ...cells, 'id'].join(', ')} FROM (${placed}) AS placed WHERE place <= ${maxRecords}`;
};
