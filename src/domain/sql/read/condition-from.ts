import type { Comparison, Condition, Expression, GroupCondition, Logic, SimpleCondition } from '../statement.js';
import { expressionFrom } from './expression-from.js';
import { asLiteral, asName, isLiteral, type Meaning, placeOf } from './meaning.js';
import { quoteHint } from './syntax-error.js';
import { foldChain, type Operator, type Tree } from './tree.js';

/** Each comparison with its sides changed. */
const turned: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

const supported = 'conditions are =, <>, <, <=, >, >=, BETWEEN, IN, LIKE, IS NULL, joined by AND, OR, NOT';

const not = (negated: boolean, of: SimpleCondition): Condition => (negated ? { kind: 'not', of } : of);

const comparisonOf = ({ name }: Operator): Comparison | undefined =>
  Object.hasOwn(turned, name) ? (name as Comparison) : undefined;

/** Conditions joined by AND and OR. */
export const joinedFrom = <T>(tree: Tree, single: (tree: Tree) => Logic<T>): Logic<T> =>
  foldChain<Logic<T>>(
    tree,
    (operator) => operator === 'AND' || operator === 'OR',
    single,
    (left, { operator, right }) => ({
      kind: operator.name === 'AND' ? 'and' : 'or',
      parts: [left, joinedFrom(right, single)],
    }),
  );

/** A condition on records: the meaning of WHERE. */
export const conditionFrom = (tree: Tree, meaning: Meaning): Condition =>
  joinedFrom(tree, (single) => simpleFrom(single, meaning));

/** A condition that is not joined of others. */
export const simpleFrom = (tree: Tree, meaning: Meaning): Condition => {
  const { refuse, tokens } = meaning;
  const name = (of: Tree) => asName(of, meaning, 'a condition must begin with an attribute');
  const unanswerable = (operator: Operator) =>
    refuse(tokens[operator.token].at, `must be a condition that a model can answer, got ${operator.name}`, supported);
  switch (tree.kind) {
    case 'binary': {
      const { operator, left, right } = tree;
      const comparison = comparisonOf(operator);
      if (comparison !== undefined)
        return isLiteral(left, meaning)
          ? { kind: 'compare', attribute: name(right), operator: turned[comparison], literal: asLiteral(left, meaning) }
          : { kind: 'compare', attribute: name(left), operator: comparison, literal: asLiteral(right, meaning) };
      if (operator.name !== 'IN' && operator.name !== 'NOT IN') throw unanswerable(operator);
      const items = right.kind === 'list' ? right.items : [right];
      const literals = items.map((item) => asLiteral(item, meaning));
      return not(operator.name !== 'IN', { kind: 'in', attribute: name(left), literals });
    }
    case 'between': {
      const attribute = name(tree.of);
      const [from, to] = [tree.from, tree.to].map((end) => asLiteral(end, meaning));
      return not(tree.negated, { kind: 'between', attribute, from, to });
    }
    case 'like': {
      const { operator, of, pattern, escapedBy } = tree;
      return not(operator.name.startsWith('NOT'), {
        kind: 'like',
        attribute: name(of),
        pattern: asLiteral(pattern, meaning),
        anyCase: operator.name.endsWith('ILIKE'),
        escapedBy: escapedBy && asLiteral(escapedBy, meaning),
      });
    }
    case 'unary':
      if (tree.operator.name === 'NOT') return { kind: 'not', of: conditionFrom(tree.of, meaning) };
      break;
    case 'after': {
      const { operator, of } = tree;
      if (!operator.name.endsWith('NULL')) throw unanswerable(operator);
      return not(operator.name !== 'IS NULL', { kind: 'null', attribute: name(of) });
    }
    case 'name':
    case 'star':
      return { kind: 'true', attribute: name(tree) };
  }
  const hint = tree.kind === 'word' ? quoteHint(tokens[tree.first].value) : supported;
  throw refuse(placeOf(tree, meaning), 'must be a condition that a model can answer', hint);
};

/** A condition on groups: the meaning of HAVING. */
export const groupConditionFrom = (
  tree: Tree,
  meaning: Meaning,
  aliases: ReadonlyMap<string, Expression>,
): GroupCondition => joinedFrom(tree, (single) => comparedFrom(single, meaning, aliases));

const comparedFrom = (tree: Tree, meaning: Meaning, aliases: ReadonlyMap<string, Expression>): GroupCondition => {
  if (tree.kind === 'unary' && tree.operator.name === 'NOT')
    return { kind: 'not', of: groupConditionFrom(tree.of, meaning, aliases) };
  if (tree.kind === 'binary') {
    const { operator, left, right } = tree;
    const comparison = comparisonOf(operator);
    if (comparison !== undefined)
      return {
        kind: 'compare',
        operator: comparison,
        left: expressionFrom(left, meaning, aliases),
        right: expressionFrom(right, meaning, aliases),
      };
  }
  throw meaning.refuse(
    placeOf(tree, meaning),
    'HAVING must compare numbers of a group',
    'for example HAVING COUNT(*) > 100; conditions on attributes go in WHERE',
  );
};
