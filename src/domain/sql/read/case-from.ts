import { limits } from '../../limits.js';
import type { CaseOf, HomeCondition, Value } from '../statement.js';
import { asLiteral, asName, constantOf, type Meaning, placeOf } from './meaning.js';
import type { Tree } from './tree.js';

/** What a record has: an attribute, a value that was written out, or NULL. */
export const valueFrom = (tree: Tree, meaning: Meaning, rule: string): Value => {
  const at = placeOf(tree, meaning);
  if (tree.kind === 'null') return { kind: 'null', at };
  const value = constantOf(tree, meaning);
  if (value !== undefined) return { kind: 'constant', value, at };
  return { kind: 'attribute', name: asName(tree, meaning, rule).name, at };
};

/** CASE WHEN condition THEN value ... END, or CASE attribute WHEN value THEN value ... END. */
export const caseFrom = (tree: Tree & { readonly kind: 'case' }, meaning: Meaning): CaseOf => {
  const { of, branches, otherwise } = tree;
  const at = placeOf(tree, meaning);
  if (branches.length > limits.sqlBranches)
    throw meaning.refuse(
      at,
      `CASE must have at most ${limits.sqlBranches} branches, got ${branches.length}`,
      'use IN to put values together',
    );
  const value = (inner: Tree): Value =>
    valueFrom(inner, meaning, 'a CASE must give attributes, values that are written out, or NULL');
  const attribute = of && asName(of, meaning, 'CASE must be of an attribute, or begin with WHEN');
  const condition = (when: Tree): HomeCondition =>
    attribute === undefined
      ? meaning.condition(when)
      : { kind: 'compare', attribute, operator: '=', literal: asLiteral(when, meaning) };
  return {
    kind: 'case',
    branches: branches.map(({ when, gives }) => ({ when: condition(when), gives: value(gives) })),
    otherwise: otherwise === undefined ? { kind: 'null', at } : value(otherwise),
    at,
  };
};
