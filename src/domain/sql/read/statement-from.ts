import type { Expression, GroupKey, Statement } from '../statement.js';
import { caseFrom } from './case-from.js';
import { conditionFrom, groupConditionFrom } from './condition-from.js';
import { expressionFrom } from './expression-from.js';
import { homeConditionFrom } from './home-condition-from.js';
import { levelFrom } from './level-from.js';
import { asName, asWholeNumber, type Meaning, placeOf } from './meaning.js';
import { form } from './syntax-error.js';
import type { SelectTree, Tree } from './tree.js';

/** The meaning of a SELECT. */
export const statementFrom = (tree: SelectTree, text: Omit<Meaning, 'select' | 'condition'>): Statement => {
  const { at } = text.tokens[tree.first];
  const select = (inner: SelectTree): Statement => statementFrom(inner, text);
  const level = levelFrom(tree, text);
  const meaning: Meaning = {
    ...text,
    select,
    condition: (part) => (level === 'households' ? homeConditionFrom : conditionFrom)(part, meaning),
  };
  const columns = columnsOf(tree, meaning);
  const titles = new Map(columns.map(({ title, expression }) => [title.toLowerCase(), expression]));
  const where = level === 'households' ? undefined : tree.where && conditionFrom(tree.where, meaning);
  const households =
    level === 'households' ? { where: tree.where && homeConditionFrom(tree.where, meaning) } : undefined;
  const groupBy = tree.groupBy.map((item) => groupFrom(item, columns, meaning));
  const having = tree.having && groupConditionFrom(tree.having, meaning, titles);
  const orderBy = tree.orderBy.map(({ by, descending }) => {
    return {
      expression: columnAt(columns, by, meaning)?.expression ?? expressionFrom(by, meaning, titles),
      descending,
    };
  });
  const limit = tree.limit && wholeNumber(tree.limit, meaning);
  const offset = tree.offset && wholeNumber(tree.offset, meaning);
  return { columns, where, households, groupBy, having, orderBy, limit, offset, at };
};

const columnsOf = ({ first, columns }: SelectTree, meaning: Meaning): Statement['columns'] => {
  if (columns.length === 0)
    throw meaning.refuse(
      meaning.tokens[first].at,
      'SELECT must name what to show, got nothing',
      'write for example SELECT COUNT(*) FROM data',
    );
  return columns.map((column) => columnFrom(column, meaning));
};

const columnFrom = ({ of, alias }: SelectTree['columns'][number], meaning: Meaning): Statement['columns'][number] => {
  const { refuse, tokens, text } = meaning;
  if (of.kind === 'star')
    throw refuse(
      placeOf(of, meaning),
      'SELECT must name attributes and aggregates, got *',
      'a model has no single records: ask for COUNT(*), or take the synthetic rows of the release',
    );
  const expression = expressionFrom(of, meaning);
  if (alias !== undefined) return { title: tokens[alias].value, expression };
  const [first, last] = [tokens[of.outerFirst], tokens[of.outerLast]];
  const isWhole = first === last && (first.kind === 'name' || first.kind === 'word');
  return { title: isWhole ? first.value : text.slice(first.at, last.end).replace(/\s+/g, ' '), expression };
};

/** An attribute, a CASE, or the number or the title of a column that is one. */
const groupFrom = (item: Tree, columns: Statement['columns'], meaning: Meaning): GroupKey => {
  const at = placeOf(item, meaning);
  if (item.kind === 'case') return caseFrom(item, meaning);
  const column = columnAt(columns, item, meaning) ?? caseTitled(item, columns, meaning);
  if (column === undefined)
    return { kind: 'attribute', ...asName(item, meaning, 'GROUP BY must name attributes or a CASE') };
  if (column.expression.kind === 'attribute') return { kind: 'attribute', name: column.expression.name, at };
  if (column.expression.kind === 'case') return column.expression;
  throw meaning.refuse(at, 'GROUP BY must name attributes, got the number of a column that is none', form);
};

/** The column of a CASE by its title, which no attribute has. */
const caseTitled = (
  item: Tree,
  columns: Statement['columns'],
  meaning: Meaning,
): Statement['columns'][number] | undefined => {
  if (item.kind !== 'name') return undefined;
  const name = meaning.tokens[item.last].value.toLowerCase();
  if (meaning.names.some((own) => own.toLowerCase() === name)) return undefined;
  return columns.find(({ title, expression }) => expression.kind === 'case' && title.toLowerCase() === name);
};

/** The column that a plain number stands for; undefined for anything but a number. */
const columnAt = (
  columns: Statement['columns'],
  tree: Tree,
  meaning: Meaning,
): { readonly title: string; readonly expression: Expression } | undefined => {
  if (tree.kind !== 'number') return undefined;
  const { value } = meaning.tokens[tree.first];
  const column = columns[Number(value) - 1];
  if (column === undefined)
    throw meaning.refuse(
      placeOf(tree, meaning),
      `a column's number must be from 1 to ${columns.length}, got ${value}`,
      'name the column instead',
    );
  return column;
};

const wholeNumber = (tree: Tree, meaning: Meaning): number => {
  const value = asWholeNumber(tree, meaning);
  if (value === undefined)
    throw meaning.refuse(
      placeOf(tree, meaning),
      'LIMIT and OFFSET must be whole numbers, got something else',
      'write for example LIMIT 10',
    );
  return value;
};
