import type { Expression } from '../statement.js';
import { aggregateFrom, calledAggregates } from './aggregate-from.js';
import { caseFrom } from './case-from.js';
import { asName, constantOf, type Meaning, placeOf, shown, written } from './meaning.js';
import { quoteHint } from './syntax-error.js';
import { foldChain, type Tree } from './tree.js';

/** A number from counts. `aliases` are titles of columns, in lower case, that may be used for what they stand for. */
export const expressionFrom = (
  tree: Tree,
  meaning: Meaning,
  aliases: ReadonlyMap<string, Expression> = new Map(),
): Expression =>
  foldChain(
    tree,
    isArithmetic,
    (first) => operandFrom(first, meaning, aliases),
    (left, node): Expression => {
      const operator = node.operator.name as Arithmetic;
      const right = expressionFrom(node.right, meaning, aliases);
      return { kind: 'arithmetic', operator, left, right, at: placeOf(node, meaning) };
    },
  );

type Arithmetic = (Expression & { readonly kind: 'arithmetic' })['operator'];
const isArithmetic = (operator: string): boolean => ['+', '-', '*', '/'].includes(operator);

const operandFrom = (tree: Tree, meaning: Meaning, aliases: ReadonlyMap<string, Expression>): Expression => {
  const { refuse } = meaning;
  const at = placeOf(tree, meaning);
  switch (tree.kind) {
    case 'number':
      return { kind: 'number', value: Number(constantOf(tree, meaning)), at };
    case 'name':
    case 'star': {
      const { name } = asName(tree, meaning, 'must be the name of an attribute');
      return aliases.get(name.toLowerCase()) ?? { kind: 'attribute', name, at };
    }
    case 'select': {
      const statement = meaning.select(tree.select);
      if (statement.columns.length !== 1 || statement.groupBy.length > 0)
        throw refuse(at, 'a SELECT within another must give one number', 'for example (SELECT COUNT(*) FROM data)');
      return { kind: 'select', statement, at };
    }
    case 'unary': {
      const { name } = tree.operator;
      if (name !== '-' && name !== '+') break;
      const right = expressionFrom(tree.of, meaning, aliases);
      return { kind: 'arithmetic', operator: name, left: { kind: 'number', value: 0, at }, right, at };
    }
    case 'call':
      return aggregateFrom(tree, meaning);
    case 'case':
      return caseFrom(tree, meaning);
  }
  throw refuse(
    at,
    `must be an attribute, ${calledAggregates.join(', ')}, CASE, a number, or arithmetic with these, got ${shown(tree, meaning)}`,
    tree.kind === 'word' ? quoteHint(written(tree, meaning)) : 'docs/sql.md says what can be asked',
  );
};
