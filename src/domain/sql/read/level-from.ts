import type { Meaning } from './meaning.js';
import { form } from './syntax-error.js';
import type { SelectTree } from './tree.js';

/** The name of the one table there is; of persons, with what is said of their households, where there are two levels. */
const tableName = 'data';

/** What a statement counts. */
export type Level = 'rows' | 'households';

/** What is known of the tables before the rest of a statement has a meaning. */
type Tables = Pick<Meaning, 'refuse' | 'tokens' | 'isTwoLevel' | 'names'>;

/** What the tables that FROM names make a statement count: both joined are persons with what is said of their households. */
export const levelFrom = ({ first, table, join }: SelectTree, meaning: Tables): Level => {
  const { refuse, tokens, isTwoLevel } = meaning;
  if (table === undefined) throw refuse(tokens[first].at, `must say FROM ${tableName}, got no FROM`, form);
  const one = levelOf(table, meaning);
  if (join === undefined) return one;
  const other = levelOf(join.table, meaning);
  if (!isTwoLevel || one === other)
    throw refuse(tokens[join.table].at, 'a join must be of persons and households, got one of them twice', form);
  checkKeys(join.on, meaning);
  return 'rows';
};

const levelOf = (token: number, { refuse, tokens, isTwoLevel }: Tables): Level => {
  const { value, at } = tokens[token];
  const name = value.toLowerCase();
  if (name === tableName || (isTwoLevel && name === 'persons')) return 'rows';
  if (isTwoLevel && name === 'households') return 'households';
  throw isTwoLevel
    ? refuse(at, `FROM must name data, persons or households, got ${JSON.stringify(value)}`, 'write FROM households')
    : refuse(at, `FROM must name the one table there is, got ${JSON.stringify(value)}`, `write FROM ${tableName}`);
};

/** Refuses names that are not the key of both tables: one name, and of no attribute. */
export const checkKeys = (keys: readonly number[], { refuse, tokens, names }: Tables): void => {
  const [first, ...others] = keys.map((token) => tokens[token].value.toLowerCase());
  const isAttribute = names.some((name) => name.toLowerCase() === first);
  if (isAttribute || others.some((other) => other !== first))
    throw refuse(
      tokens[keys[0]].at,
      `persons and households must be joined on their key, got ${keys.map((token) => JSON.stringify(tokens[token].value)).join(' and ')}`,
      'the key is the column of both that says which household it is, and no attribute',
    );
};
