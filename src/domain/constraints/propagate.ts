import type { Comparison } from '../sql/statement.js';
import type { Box } from './box.js';
import type { LinearAtom } from './formula.js';

/** Sum of times * x at most `most`; of whole numbers alone, or of any. */
export interface AtMost {
  readonly terms: readonly { readonly times: number; readonly attribute: number }[];
  readonly most: number;
}

const opposite: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** The comparison that holds where an atom is true, or false. */
export const operatorOf = ({ operator }: LinearAtom, truth: boolean): Comparison =>
  truth ? operator : opposite[operator];

/** A comparison as sums that are at most something; an inequality of whole numbers that is strict leaves one out. Unequal says nothing about ends. */
export const inequalities = (
  { left, right }: LinearAtom,
  operator: Comparison,
  isWhole: (attribute: number) => boolean,
): AtMost[] => {
  const difference = [...left.terms, ...right.terms.map(({ times, attribute }) => ({ times: -times, attribute }))];
  const most = right.constant - left.constant;
  const whole =
    Number.isInteger(most) && difference.every(({ times, attribute }) => Number.isInteger(times) && isWhole(attribute));
  const strict = whole ? 1 : 0;
  const below = (less: number): AtMost => ({ terms: difference, most: most - less });
  const above = (less: number): AtMost => ({
    terms: difference.map(({ times, attribute }) => ({ times: -times, attribute })),
    most: -most - less,
  });
  switch (operator) {
    case '<':
      return [below(strict)];
    case '<=':
      return [below(0)];
    case '>':
      return [above(strict)];
    case '>=':
      return [above(0)];
    case '=':
      return [below(0), above(0)];
    case '<>':
      return [];
  }
};

/** Rounding must not cut off what is possible: bounds of numbers that are not whole give way by so much of their size. */
const slack = 2 ** -48;

/** Narrows a box (overwritten) to where all sums can be; false where they cannot. */
export const narrow = (box: Box, sums: readonly AtMost[], isWhole: (attribute: number) => boolean): boolean => {
  const { low, high } = box;
  const leastOf = (times: number, attribute: number): number => times * (times < 0 ? high[attribute] : low[attribute]);
  for (let round = 0, changed = true; changed && round < 64; round++) {
    changed = false;
    for (const { terms, most } of sums) {
      for (const { times, attribute } of terms) {
        if (times === 0) continue;
        let rest = most;
        let size = Math.abs(most);
        let seen = false;
        for (const other of terms) {
          // A column that stands in a sum twice is left out once.
          if (!seen && other.attribute === attribute && other.times === times) {
            seen = true;
            continue;
          }
          const least = leastOf(other.times, other.attribute);
          rest -= least;
          size += Math.abs(least);
        }
        const bound = rest / times;
        const give = isWhole(attribute) ? 1e-9 : (slack * size) / Math.abs(times);
        if (times > 0 && bound + give < high[attribute]) {
          high[attribute] = isWhole(attribute) ? Math.floor(bound + give) : bound + give;
          changed = true;
        } else if (times < 0 && bound - give > low[attribute]) {
          low[attribute] = isWhole(attribute) ? Math.ceil(bound - give) : bound - give;
          changed = true;
        }
        if (low[attribute] > high[attribute]) return false;
      }
    }
  }
  return true;
};
