import { amountShare, formatAmount } from '../../src/privacy/accounting/amount.js';
import { type Budget, type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { describeAmount } from '../../src/privacy/accounting/charge.js';
import { lossName } from '../../src/privacy/accounting/currency.js';
import { defaultNoise, noiseChargeFor, noiseIn, noiseKinds } from '../../src/privacy/noise/noise-kinds.js';
import type { Rational } from '../../src/privacy/rational.js';
import { type Command, command, type Options } from '../command.js';
import { table } from '../terminal/print.js';

/** How every command lets a person state a budget. */
export const budgetOptions = {
  epsilon: { type: 'string' },
  delta: { type: 'string' },
  rho: { type: 'string' },
} as const satisfies Options;

/** The budget that the options state. */
export const budgetFrom = (values: {
  readonly epsilon?: string | undefined;
  readonly delta?: string | undefined;
  readonly rho?: string | undefined;
}): Budget => budgetOf({ epsilon: values.epsilon, delta: values.delta, rho: values.rho } as BudgetRequest);

/** The guarantee in words, such as `epsilon 1, delta 1e-9`. */
export const describeBudget = ({ epsilon, delta, total, currency }: Budget): string => {
  if (epsilon === undefined) return describeAmount(total, currency);
  return `epsilon ${formatAmount(epsilon)}${delta === undefined ? '' : `, delta ${delta}`}`;
};

const text = ({ numerator, denominator }: Rational): string => `${numerator}/${denominator}`;

/** The noise on every count when the whole budget goes, in equal parts, to this many whole marginals of one row per unit. */
const noise = ({ currency, total }: Budget, marginals: number, relation: 'add-remove' | 'replace-one') => {
  const share = amountShare(total, 1n, BigInt(marginals));
  // One row added changes one cell by 1; one row replaced changes two.
  const sensitivity = { numerator: relation === 'add-remove' ? 1n : 2n, denominator: 1n };
  const kind = defaultNoise[currency];
  const { members, scaleOf, deviation } = noiseKinds[kind];
  const { parameter } = noiseIn(noiseChargeFor(kind, share, sensitivity, currency));
  return { marginals, relation, kind, [members[1]]: text(parameter), deviation: deviation(scaleOf(parameter)) };
};

const budget: Command = command({
  name: 'budget',
  summary: 'Show what a privacy budget is worth: its rho, and the noise it buys',
  help: `usage: surmise budget (--epsilon E [--delta D] | --rho R [--delta D]) [--json]

Shows a privacy budget as the ledger counts it, and how much noise it buys for
whole marginals (tables of counts) of a dataset with one row a person.

  --epsilon E   with --delta: (E, D) differential privacy, Gaussian noise;
                alone: pure differential privacy, Laplace noise
  --delta D     above 0 and below 1; far below 1 / (number of people)
  --rho R       zero-concentrated differential privacy (zCDP) instead of epsilon
  --json        print JSON

example:
  surmise budget --epsilon 1 --delta 1e-9`,
  options: { ...budgetOptions, json: { type: 'boolean' } },
  operands: [],
  run: async ({ values }, io) => {
    const stated = budgetFrom(values);
    const rows = [1, 100].map((marginals) => ({
      marginals,
      addRemove: noise(stated, marginals, 'add-remove'),
      replaceOne: noise(stated, marginals, 'replace-one'),
    }));
    if (values.json) {
      io.out(
        `${JSON.stringify({
          currency: stated.currency,
          [lossName[stated.currency]]: formatAmount(stated.total),
          ...(stated.epsilon === undefined ? {} : { epsilon: formatAmount(stated.epsilon) }),
          delta: stated.delta,
          noise: rows.flatMap(({ addRemove, replaceOne }) => [addRemove, replaceOne]),
        })}\n`,
      );
      return 0;
    }
    const pure = stated.currency === 'pure';
    io.out(`budget   ${describeBudget(stated)}\n`);
    io.out(`counted  ${describeAmount(stated.total, stated.currency)} (${pure ? 'pure' : 'zCDP'})\n\n`);
    io.out(
      `It buys this noise on every count, as a standard deviation (discrete ${noiseKinds[defaultNoise[stated.currency]].name}):\n\n`,
    );
    io.out(
      table(
        [{ title: 'measured' }, { title: 'add-remove', align: 'right' }, { title: 'replace-one', align: 'right' }],
        rows.map(({ marginals, addRemove, replaceOne }) => [
          marginals === 1 ? '1 marginal' : `each of ${marginals} marginals`,
          addRemove.deviation.toPrecision(4),
          replaceOne.deviation.toPrecision(4),
        ]),
        io,
      ),
    );
    io.out('\nadd-remove: the number of rows is private; replace-one: it is public.\n');
    return 0;
  },
});

export default budget;
