import { expect, it } from 'vitest';
import { type Asked, offersAt } from './sql-completion.js';

const asked: Asked = {
  columns: [
    { name: 'sex', labels: ['female', 'male'] },
    { name: 'home', labels: ['flat, let', 'farm', "miller's"] },
    { name: 'net income', labels: [] },
    { name: 'age', labels: [] },
  ],
  tables: ['data', 'households'],
};

/** The statement with the first offer taken, `|` being the caret. */
const taken = (sql: string): string => {
  const [before, after] = sql.split('|');
  const { from, words } = offersAt(before, asked);
  return words.length === 0 ? 'nothing' : `${before.slice(0, from)}${words[0].word}${after}`;
};

it('goes on with columns, tables, functions and values, each where it may stand', () => {
  for (const [sql, expected] of [
    ['|', 'SELECT'],
    ['SELECT |', 'SELECT COUNT(*)'],
    ['SELECT AVG(ag|', 'SELECT AVG(age'],
    ['SELECT AVG(|', 'SELECT AVG(sex'],
    ['SELECT net|', 'SELECT "net income"'],
    ['SELECT "net i|', 'SELECT "net income"'],
    ['SELECT COUNT(*) |', 'SELECT COUNT(*) FROM data'],
    ['SELECT COUNT(*) FR|', 'SELECT COUNT(*) FROM data'],
    ['SELECT COUNT(*) FROM data WHERE |', 'SELECT COUNT(*) FROM data WHERE sex'],
    ['SELECT sex, |', 'SELECT sex, COUNT(*)'],
    ['SELECT COUNT(*) FROM data WHERE age > 3 |', 'SELECT COUNT(*) FROM data WHERE age > 3 AND'],
    ['SELECT COUNT(*) FROM data WHERE age > |', 'nothing'],
  ])
    expect(taken(sql)).toBe(expected);
});

it('offers the values of the column that is compared, and writes their quotes', () => {
  const valuesOf = (sql: string): string[] => offersAt(sql, asked).words.map(({ word }) => word);
  expect(valuesOf("SELECT COUNT(*) FROM data WHERE home = 'f")).toEqual(["'flat, let'", "'farm'"]);
  expect(valuesOf("SELECT COUNT(*) FROM data WHERE home IN ('farm', 'm")).toEqual(["'miller''s'"]);
  expect(valuesOf("SELECT COUNT(*) FROM data WHERE sex <> '")).toEqual(["'female'", "'male'"]);
  // Where no column is to be seen, all of them.
  expect(valuesOf("SELECT COUNT(*) FROM data WHERE 'fe")).toEqual(["'female'"]);
});

it('completes in the middle of a statement as at its end', () => {
  expect(taken("SELECT se| FROM data WHERE home = 'farm'")).toBe("SELECT sex FROM data WHERE home = 'farm'");
});
