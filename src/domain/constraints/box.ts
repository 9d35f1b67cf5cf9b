import type { Formula, FormulaAtom, LinearAtom, RangeAtom, Side } from './formula.js';

/** Where the columns of a record may be, by place: on the line from `low` to `high`, both in, or off it. */
export interface Box {
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** 0 on the line, else off it: empty, or an undeclared category. */
  readonly off: Uint8Array;
}

export const EMPTY_PLACE = 1;
export const OTHER_PLACE = 2;

/** True, false, unknown as SQL has it, or open: the record may make it either. */
export type Truth = boolean | 'unknown' | 'open';

export const copyBox = ({ low, high, off }: Box): Box => ({ low: low.slice(), high: high.slice(), off: off.slice() });

/** What a condition is of every record within a box; `settled` are open atoms that are taken for true or false. */
export const truthIn = (formula: Formula, box: Box, settled?: ReadonlyMap<FormulaAtom, boolean>): Truth => {
  switch (formula.kind) {
    case 'not': {
      const truth = truthIn(formula.of, box, settled);
      return typeof truth === 'boolean' ? !truth : truth;
    }
    case 'and':
    case 'or': {
      const end = formula.kind === 'or';
      let truth: Truth = !end;
      for (const part of formula.parts) {
        const one = truthIn(part, box, settled);
        if (one === end) return end;
        if (one === 'open' || (one === 'unknown' && truth !== 'open')) truth = one;
      }
      return truth;
    }
    case 'range':
      return settled?.get(formula) ?? truthOfRange(formula, box);
    case 'linear':
      return settled?.get(formula) ?? truthOfLinear(formula, box);
  }
};

const unknownUnless = (truth: boolean | undefined): Truth => truth ?? 'unknown';

const truthOfRange = (atom: RangeAtom, { low, high, off }: Box): Truth => {
  const { attribute, ranges } = atom;
  if (off[attribute] === EMPTY_PLACE) return unknownUnless(atom.null);
  if (off[attribute] === OTHER_PLACE) return unknownUnless(atom.other);
  let touched = false;
  for (const [from, to] of ranges) {
    if (from <= low[attribute] && high[attribute] < to) return true;
    if (from <= high[attribute] && low[attribute] < to) touched = true;
  }
  return touched ? 'open' : false;
};

/** The least and the greatest that a sum can be, added up in its own order. */
const endsOf = ({ terms, constant }: Side, { low, high }: Box): [number, number] => {
  let [least, most] = [0, 0];
  terms.forEach(({ times, attribute }, i) => {
    const [from, to] =
      times < 0 ? [times * high[attribute], times * low[attribute]] : [times * low[attribute], times * high[attribute]];
    [least, most] = i === 0 ? [from, to] : [least + from, most + to];
  });
  return terms.length === 0
    ? [constant, constant]
    : constant === 0
      ? [least, most]
      : [least + constant, most + constant];
};

const truthOfLinear = ({ left, operator, right }: LinearAtom, box: Box): Truth => {
  for (const { attribute } of left.terms) if (box.off[attribute] !== 0) return 'unknown';
  for (const { attribute } of right.terms) if (box.off[attribute] !== 0) return 'unknown';
  const [leastLeft, mostLeft] = endsOf(left, box);
  const [leastRight, mostRight] = endsOf(right, box);
  const isBelow = mostLeft < leastRight; // for certain
  const isAbove = leastLeft > mostRight;
  switch (operator) {
    case '<':
      return isBelow ? true : leastLeft >= mostRight ? false : 'open';
    case '<=':
      return mostLeft <= leastRight ? true : isAbove ? false : 'open';
    case '>':
      return isAbove ? true : mostLeft <= leastRight ? false : 'open';
    case '>=':
      return leastLeft >= mostRight ? true : isBelow ? false : 'open';
    case '=':
    case '<>': {
      const isApart = isBelow || isAbove;
      const isOne = leastLeft === mostLeft && leastRight === mostRight && leastLeft === leastRight;
      return isApart ? operator === '<>' : isOne ? operator === '=' : 'open';
    }
  }
};

/** An atom of a condition that is open in a box. */
export const openAtom = (
  formula: Formula,
  box: Box,
  settled: ReadonlyMap<FormulaAtom, boolean>,
): FormulaAtom | undefined => {
  switch (formula.kind) {
    case 'not':
      return openAtom(formula.of, box, settled);
    case 'and':
    case 'or': {
      for (const part of formula.parts) {
        const found = truthIn(part, box, settled) === 'open' ? openAtom(part, box, settled) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    }
    default:
      return truthIn(formula, box, settled) === 'open' ? formula : undefined;
  }
};
