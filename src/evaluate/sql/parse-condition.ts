import type { Expr } from 'pgsql-ast-parser';
import { asLiteral, asName, expressionFrom, isKeyword, isLiteral, placeOf, type Reading } from './parse-expression.js';
import type { Comparison, Condition, Expression, GroupCondition } from './statement.js';
import { quoteHint } from './syntax-error.js';

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
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

const not = <T>(negated: boolean, of: T): T | { readonly kind: 'not'; readonly of: T } =>
  negated ? { kind: 'not', of } : of;

/** A condition on records, from the tree of WHERE. */
export const parseCondition = (node: Expr, reading: Reading): Condition => {
  const { refuse } = reading;
  const name = (of: Expr) => asName(of, reading, 'a condition must begin with an attribute');
  const unanswerable = (before: Expr, operator: string) =>
    refuse(placeAfter(before, reading), `must be a condition that a model can answer, got ${operator}`, supported);
  switch (node.type) {
    case 'binary': {
      const { op, left, right } = node;
      if (op === 'AND' || op === 'OR')
        return {
          kind: op === 'AND' ? 'and' : 'or',
          parts: [parseCondition(left, reading), parseCondition(right, reading)],
        };
      if (Object.hasOwn(comparisons, op)) {
        const operator = comparisons[op];
        return isLiteral(left, reading)
          ? { kind: 'compare', attribute: name(right), operator: turned[operator], literal: asLiteral(left, reading) }
          : { kind: 'compare', attribute: name(left), operator, literal: asLiteral(right, reading) };
      }
      if (op === 'IN' || op === 'NOT IN') {
        const items = right.type === 'list' ? right.expressions : [right];
        const literals = items.map((item) => asLiteral(item, reading));
        return not<Condition>(op !== 'IN', { kind: 'in', attribute: name(left), literals });
      }
      throw unanswerable(left, op);
    }
    case 'ternary':
      return not<Condition>(node.op !== 'BETWEEN', {
        kind: 'between',
        attribute: name(node.value),
        from: asLiteral(node.lo, reading),
        to: asLiteral(node.hi, reading),
      });
    case 'unary':
      if (node.op === 'NOT') return { kind: 'not', of: parseCondition(node.operand, reading) };
      if (node.op === 'IS NULL' || node.op === 'IS NOT NULL')
        return not<Condition>(node.op !== 'IS NULL', { kind: 'null', attribute: name(node.operand) });
      if (node.op.startsWith('IS ')) throw unanswerable(node.operand, node.op);
      break;
    case 'ref':
      return { kind: 'true', attribute: name(node) };
  }
  const at = placeOf(node, reading);
  const hint = isKeyword(node) ? quoteHint(reading.script.tokens[reading.script.inner(node)[0]].value) : supported;
  throw refuse(at, 'must be a condition that a model can answer', hint);
};

/** A condition on groups, from the tree of HAVING. */
export const parseGroupCondition = (
  node: Expr,
  reading: Reading,
  aliases: ReadonlyMap<string, Expression>,
): GroupCondition => {
  if (node.type === 'unary' && node.op === 'NOT')
    return { kind: 'not', of: parseGroupCondition(node.operand, reading, aliases) };
  if (node.type === 'binary') {
    const { op, left, right } = node;
    if (op === 'AND' || op === 'OR')
      return {
        kind: op === 'AND' ? 'and' : 'or',
        parts: [left, right].map((part) => parseGroupCondition(part, reading, aliases)),
      };
    if (Object.hasOwn(comparisons, op))
      return {
        kind: 'compare',
        operator: comparisons[op],
        left: expressionFrom(left, reading, aliases),
        right: expressionFrom(right, reading, aliases),
      };
  }
  throw reading.refuse(
    placeOf(node, reading),
    'HAVING must compare numbers of a group',
    'for example HAVING COUNT(*) > 100; conditions on attributes go in WHERE',
  );
};

/** Where the operator after a node stands. */
const placeAfter = (node: Expr, { script: { tokens, outer } }: Reading): number => tokens[outer(node)[1] + 1].at;
