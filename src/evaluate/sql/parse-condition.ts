import type { Node } from 'sql-parser-cst';
import { asLiteral, asName, bare, expressionFrom, placeOf, type Reading } from './parse-expression.js';
import type { Comparison, Condition, Expression, GroupCondition } from './statement.js';

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
/** The same comparison with its sides changed. */
const turned: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

const supported = 'conditions are =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL, joined by AND, OR, NOT';

/** Keywords of an operator, "NOT IN"; the operator itself when it is a symbol. */
const wordOf = (operator: unknown): string =>
  typeof operator === 'string'
    ? operator
    : [operator]
        .flat()
        .map((keyword) => (keyword as { name?: string }).name ?? '')
        .join(' ');

const not = <T>(negated: boolean, of: T): T | { readonly kind: 'not'; readonly of: T } =>
  negated ? { kind: 'not', of } : of;

/** A condition on records, from the tree of WHERE. */
export const parseCondition = (given: Node, reading: Reading): Condition => {
  const node = bare(given);
  const name = (of: Node) => asName(of, reading, 'a condition must begin with an attribute');
  switch (node.type) {
    case 'binary_expr': {
      const word = wordOf(node.operator);
      if (word === 'AND' || word === 'OR')
        return {
          kind: word === 'AND' ? 'and' : 'or',
          parts: [parseCondition(node.left, reading), parseCondition(node.right, reading)],
        };
      if (Object.hasOwn(comparisons, word)) {
        const reversed = bare(node.left).type.endsWith('_literal');
        const [left, right] = reversed ? [node.right, node.left] : [node.left, node.right];
        const operator = reversed ? turned[comparisons[word]] : comparisons[word];
        return { kind: 'compare', attribute: name(left), operator, literal: asLiteral(right, reading) };
      }
      if (word === 'IN' || word === 'NOT IN') {
        const list = node.right.type === 'paren_expr' ? node.right.expr : node.right;
        const items: readonly Node[] = list.type === 'list_expr' ? list.items : [list];
        if (items.length === 0)
          throw reading.refuse(placeOf(node.right), 'IN must list values, got none', "for example IN ('a', 'b')");
        const literals = items.map((item) => asLiteral(item, reading));
        return not<Condition>(word !== 'IN', { kind: 'in', attribute: name(node.left), literals });
      }
      if (word === 'IS' || word === 'IS NOT') {
        const right = bare(node.right);
        if (right.type === 'null_literal')
          return not<Condition>(word !== 'IS', { kind: 'null', attribute: name(node.left) });
      }
      throw reading.refuse(operatorPlace(node), `must be a condition that a model can answer, got ${word}`, supported);
    }
    case 'between_expr': {
      const word = wordOf(node.betweenKw);
      if (word.includes('SYMMETRIC')) break;
      return not<Condition>(word.startsWith('NOT'), {
        kind: 'between',
        attribute: name(node.left),
        from: asLiteral(node.begin, reading),
        to: asLiteral(node.end, reading),
      });
    }
    case 'prefix_op_expr':
      if (wordOf(node.operator) === 'NOT') return { kind: 'not', of: parseCondition(node.expr, reading) };
      break;
    case 'postfix_op_expr': {
      const word = wordOf(node.operator);
      if (word === 'ISNULL' || word === 'NOTNULL' || word === 'NOT NULL')
        return not<Condition>(word !== 'ISNULL', { kind: 'null', attribute: name(node.expr) });
      break;
    }
    case 'identifier':
    case 'member_expr':
      return { kind: 'true', attribute: name(node) };
  }
  throw reading.refuse(placeOf(node), 'must be a condition that a model can answer', supported);
};

/** A condition on groups, from the tree of HAVING. */
export const parseGroupCondition = (
  given: Node,
  reading: Reading,
  aliases: ReadonlyMap<string, Expression>,
): GroupCondition => {
  const node = bare(given);
  if (node.type === 'prefix_op_expr' && wordOf(node.operator) === 'NOT')
    return { kind: 'not', of: parseGroupCondition(node.expr, reading, aliases) };
  if (node.type === 'binary_expr') {
    const word = wordOf(node.operator);
    if (word === 'AND' || word === 'OR')
      return {
        kind: word === 'AND' ? 'and' : 'or',
        parts: [node.left, node.right].map((part) => parseGroupCondition(part, reading, aliases)),
      };
    if (Object.hasOwn(comparisons, word))
      return {
        kind: 'compare',
        operator: comparisons[word],
        left: expressionFrom(node.left, reading, aliases),
        right: expressionFrom(node.right, reading, aliases),
      };
  }
  throw reading.refuse(
    placeOf(node),
    'HAVING must compare numbers of a group',
    'for example HAVING COUNT(*) > 100; conditions on attributes go in WHERE',
  );
};

const operatorPlace = (node: { readonly operator: unknown; readonly range?: [number, number] }): number => {
  const [first] = [node.operator].flat() as { range?: [number, number] }[];
  return typeof first === 'object' ? placeOf(first) : placeOf(node);
};
