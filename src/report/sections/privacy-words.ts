import { formatAmount, parseAmount } from '../../privacy/accounting/amount.js';
import { epsilonOf } from '../../privacy/accounting/conversion.js';
import type { PrivacyStatement } from '../../privacy/session/statement.js';
import { byUnit } from '../../query/unit.js';
import { count, percent, roundedUp, significant } from '../number-text.js';

/** The epsilon that words are about, and the chance beside which it holds; the latter absent for pure differential privacy. */
export interface Guarantee {
  /** A decimal. */
  readonly epsilon: string;
  readonly delta?: string | undefined;
}

/** Where only rho was stated, the epsilon at the chance that releases take unless told. */
const customaryDelta = '1e-9';

export const guaranteeOf = ({ currency, spent, epsilon, delta }: PrivacyStatement): Guarantee => {
  if (currency === 'pure') return { epsilon: epsilon ?? spent };
  if (epsilon !== undefined && delta !== undefined) return { epsilon, delta };
  return { epsilon: formatAmount(epsilonOf(parseAmount(spent), customaryDelta)), delta: customaryDelta };
};

/** e^epsilon as people say it: `2.72 times`; without bound where the number says nothing any more. */
export const timesText = (epsilon: string): string => {
  const times = Math.exp(Number(epsilon));
  if (times < 1.0005) return 'hardly more than once';
  return times < 1e6
    ? `${significant(Math.ceil(times * 100) / 100, times < 10 ? 3 : 2)} times`
    : 'more than a million times';
};

/** A small chance: `one in a billion`. */
export const chanceText = (delta: string): string => {
  const parts = 1 / Number(delta);
  const words: readonly [number, string][] = [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ];
  for (const [size, word] of words) {
    // 1e-9 is a billionth, although 1 / 1e-9 is a little less than a billion in doubles.
    const number = Number((parts / size).toPrecision(6));
    if (number >= 1 && number < 1000)
      return number === 1 ? `one in a ${word}` : `one in ${significant(number)} ${word}`;
  }
  return parts >= 1e15 ? `below one in a quadrillion` : `one in ${count(parts)}`;
};

/** How sure somebody can be afterwards who was sure to the degree `before`: odds grow or shrink by e^epsilon at most. */
export const beliefAfter = (before: number, epsilon: string): { readonly least: number; readonly most: number } => {
  const times = Math.exp(Number(epsilon));
  return { least: before / (before + (1 - before) * times), most: 1 / (1 + (1 - before) / (before * times)) };
};

/** Whom the guarantee is about: `a row`, `a person` is what the holder makes of it. */
export const unitText = ({ unit }: Pick<PrivacyStatement, 'unit'>): string =>
  byUnit(unit, {
    row: () => 'one row of the private table',
    id: ({ column, maxRecords }) =>
      `everything that one value of “${column}” contributes to the private table: at most ${count(maxRecords)} ${maxRecords === 1 ? 'row' : 'rows'}, since more were dropped, at random, when it was loaded`,
    household: ({ column, maxRecords }) =>
      `one household of the private table (by “${column}”) with all its persons: at most ${count(maxRecords)}, since what goes beyond was left out when it was loaded`,
    person: () => 'what is said of one person of the private table, and neither the households nor who lives in them',
  });

/** What cannot be told about the unit. */
export const hiddenText = ({ relation }: Pick<PrivacyStatement, 'relation'>): string =>
  relation === 'add-remove'
    ? 'whether it is in the table at all, and with it everything it says'
    : 'what it says; that it is in the table, and how many units there are, is public';

/** The guarantee as a sentence on chances. */
export const epsilonInWords = (
  { epsilon, delta }: Guarantee,
  { relation }: Pick<PrivacyStatement, 'relation'>,
): string => {
  const change = relation === 'add-remove' ? 'in the table or not' : 'as it is or any other way';
  const beside = delta === undefined ? '' : `, beside a chance of ${chanceText(delta)}`;
  return `Whether that unit is ${change}, whatever could be read off this release is at most ${timesText(epsilon)} as likely in the one case as in the other${beside}. Epsilon is the natural logarithm of that factor: ${roundedUp(epsilon)}.`;
};

/** The same for somebody who wonders about a person: odds before and after. */
export const beliefInWords = ({ epsilon }: Guarantee): string => {
  const { least, most } = beliefAfter(0.5, epsilon);
  return `Somebody who thinks the odds even, 50%, that a claim about that unit is true (say, that a certain person is in the table) can be at most ${percent(most)} and at least ${percent(least)} sure of it afterwards, however much else they know.`;
};

/** A word on how strong that is, as it is commonly judged. */
export const strengthText = ({ epsilon }: Guarantee): string => {
  const value = Number(epsilon);
  if (value <= 1.0001) return 'An epsilon of 1 or less is commonly held to be strong protection.';
  if (value <= 5) return 'An epsilon of a few units is commonly held to be moderate protection.';
  if (value <= 10)
    return 'An epsilon of 5 to 10 protects in practice against many attacks, but promises little in the worst case.';
  return 'An epsilon above 10 promises hardly anything in the worst case.';
};
