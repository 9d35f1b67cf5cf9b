import { type Domain, indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { atomOf } from '../sql/atom.js';
import type { Axis } from '../sql/axis.js';
import { joinedFrom, simpleFrom } from '../sql/read/condition-from.js';
import { asName, constantOf, isLiteral, type Meaning, placeOf, shown } from '../sql/read/meaning.js';
import { readCondition } from '../sql/read/read-condition.js';
import type { Tree } from '../sql/read/tree.js';
import { meant } from '../sql/sql-error.js';
import type { Comparison, Logic, SimpleCondition, SqlName } from '../sql/statement.js';

/** A condition on one column: ranges of its line where it is true; `other` and `null` where it is off the line, undefined for unknown. */
export interface RangeAtom {
  readonly kind: 'range';
  /** Place in the domain. */
  readonly attribute: number;
  readonly ranges: readonly (readonly [number, number])[];
  readonly other: boolean | undefined;
  readonly null: boolean | undefined;
}

/** A sum of columns and a constant; added up from left to right, so that equality is exact. */
export interface Side {
  readonly terms: readonly { readonly times: number; readonly attribute: number }[];
  readonly constant: number;
}

/** A comparison of two sums of columns. */
export interface LinearAtom {
  readonly kind: 'linear';
  readonly left: Side;
  readonly operator: Comparison;
  readonly right: Side;
}

export type FormulaAtom = RangeAtom | LinearAtom;

/** A condition on a record with its columns by place. */
export type Formula = Logic<FormulaAtom>;

/** The places of all columns that a formula speaks of, in ascending order. */
export const placesIn = (formula: Formula): number[] => {
  const found = new Set<number>();
  const walk = (part: Formula): void => {
    if (part.kind === 'range') found.add(part.attribute);
    else if (part.kind === 'linear')
      for (const { attribute } of [...part.left.terms, ...part.right.terms]) found.add(attribute);
    else if (part.kind === 'not') walk(part.of);
    else part.parts.forEach(walk);
  };
  walk(formula);
  return [...found].sort((a, b) => a - b);
};

/**
 * Reads a condition in the words of SQL, in which columns may be compared with columns and with sums of them as well. `subject` is what a
 * refusal begins with.
 */
export const readFormula = (
  text: string,
  domain: Domain,
  axisAt: (place: number) => Axis,
  subject: string,
): Formula => {
  try {
    const names = domain.attributes.map(({ name }) => name);
    const { tree, meaning } = readCondition(text, names);
    const place = ({ name, at }: SqlName): number => {
      if (!names.includes(name))
        throw meaning.refuse(at, `there is no column ${JSON.stringify(name)}`, meant(name, names, 'there are'));
      return indexOf(domain, name);
    };
    const range = (condition: SimpleCondition): FormulaAtom => {
      const attribute = place(condition.attribute);
      const told = { refuse: meaning.refuse, withinBins: true, remark: () => {} };
      const { ranges, other, null: empty } = atomOf(condition, axisAt(attribute), told);
      return { kind: 'range', attribute, ranges, other, null: empty };
    };
    const single = (part: Tree): Formula => {
      if (part.kind === 'unary' && part.operator.name === 'NOT')
        return { kind: 'not', of: joinedFrom(part.of, single) };
      return linearFrom(part, meaning, place, axisAt) ?? withAtoms(simpleFrom(part, meaning), range);
    };
    return joinedFrom(tree, single);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${subject}: ${error.rule}`, error.hint);
    throw error;
  }
};

const withAtoms = <A, B extends { readonly kind: string }>(logic: Logic<A>, atom: (simple: A) => B): Logic<B> => {
  const part = logic as Logic<{ readonly kind: 'simple' }>;
  if (part.kind === 'and' || part.kind === 'or')
    return { kind: part.kind, parts: part.parts.map((one) => withAtoms(one as Logic<A>, atom)) };
  return part.kind === 'not' ? { kind: 'not', of: withAtoms(part.of as Logic<A>, atom) } : atom(logic as A);
};

const comparisons: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];

/** A comparison between columns, or of sums; undefined for one column and a value, which is a range. */
const linearFrom = (
  tree: Tree,
  meaning: Meaning,
  place: (name: SqlName) => number,
  axisAt: (place: number) => Axis,
): LinearAtom | undefined => {
  if (tree.kind !== 'binary' || !comparisons.includes(tree.operator.name)) return undefined;
  const { left, right, operator } = tree;
  const isPlain = (side: Tree): boolean => side.kind === 'name' || isLiteral(side, meaning);
  if (isPlain(left) && isPlain(right) && !(left.kind === 'name' && right.kind === 'name')) return undefined;
  const types = new Set<string>();
  const sideOf = (side: Tree): Side => {
    const terms: { times: number; attribute: number }[] = [];
    let constant = 0;
    const add = (part: Tree, times: number): void => {
      if (part.kind === 'binary' && (part.operator.name === '+' || part.operator.name === '-')) {
        add(part.left, times);
        add(part.right, part.operator.name === '+' ? times : -times);
      } else if (part.kind === 'binary' && part.operator.name === '*') {
        const [factor, of] = isLiteral(part.left, meaning) ? [part.left, part.right] : [part.right, part.left];
        add(of, times * numberIn(factor, meaning));
      } else if (part.kind === 'unary' && !isLiteral(part, meaning))
        add(part.of, part.operator.name === '-' ? -times : times);
      else if (isLiteral(part, meaning)) constant += times * numberIn(part, meaning);
      else {
        const name = asName(part, meaning, 'a sum must be of columns and numbers');
        const attribute = place(name);
        const { type } = axisAt(attribute).attribute.spec;
        if (type !== 'integer' && type !== 'number' && type !== 'date')
          throw meaning.refuse(
            name.at,
            `columns that are compared with each other must hold numbers or dates, and ${JSON.stringify(name.name)} is of type ${type}`,
            'compare it with values, or list the combinations under `zeros`',
          );
        types.add(type === 'date' ? 'dates' : 'numbers');
        terms.push({ times, attribute });
      }
    };
    add(side, 1);
    return { terms, constant };
  };
  const atom = {
    kind: 'linear',
    left: sideOf(left),
    operator: operator.name as Comparison,
    right: sideOf(right),
  } as const;
  if (types.size > 1)
    throw meaning.refuse(
      placeOf(tree, meaning),
      'dates and numbers cannot be compared with each other',
      'compare dates with dates',
    );
  return atom;
};

const numberIn = (tree: Tree, meaning: Meaning): number => {
  const value = isLiteral(tree, meaning) ? constantOf(tree, meaning) : undefined;
  if (typeof value === 'number') return value;
  throw meaning.refuse(
    placeOf(tree, meaning),
    `must be a number, got ${shown(tree, meaning)}`,
    'sums are of columns and numbers',
  );
};
