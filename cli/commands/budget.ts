import {
  amountToNumber,
  describeAmount,
  formatAmount,
  gdpBudget,
  lossName,
  type MarginalNoise,
  marginalNoise,
} from '../../src/advanced.js';
import type { Budget } from '../../src/index.js';
import { command } from '../command.js';
import { statedBudget } from '../options/combined.js';
import { table } from '../terminal/print.js';
import { describeBudget } from '../text/describe-budget.js';

export default command({
  name: 'budget',
  usage: ['(--epsilon E [--delta D | --pure] | --rho R [--delta D]) [--json]'],
  about: `Shows a privacy budget as the ledger counts it, and how much noise it buys for whole marginals (tables of counts) of a
dataset with one row a person.`,
  examples: ['surmise budget --epsilon 1', 'surmise budget --epsilon 1 --pure'],
  run: async ({ values }, io) => {
    const stated = statedBudget(values);
    const rowsOf = (budget: Budget) =>
      [1, 100].map((marginals) => ({
        marginals,
        addRemove: marginalNoise(budget, marginals, 'add-remove'),
        replaceOne: marginalNoise(budget, marginals, 'replace-one'),
      }));
    const rows = rowsOf(stated);
    // The same (epsilon, delta) for a release of Gaussian noise alone.
    const exact = stated.either && gdpBudget(stated);
    if (values.json) {
      io.out(
        `${JSON.stringify({
          currency: stated.currency,
          [lossName[stated.currency]]: formatAmount(stated.total),
          epsilon: stated.epsilon === undefined ? undefined : formatAmount(stated.epsilon),
          delta: stated.delta,
          noise: rows.flatMap(({ addRemove, replaceOne }) => [addRemove, replaceOne].map(noiseJson)),
          gdp: exact && formatAmount(exact.total),
          gdpNoise:
            exact && rowsOf(exact).flatMap(({ addRemove, replaceOne }) => [addRemove, replaceOne].map(noiseJson)),
        })}\n`,
      );
      return 0;
    }
    const pure = stated.currency === 'pure';
    io.out(`budget   ${describeBudget(stated)}\n`);
    io.out(`counted  ${describeAmount(stated.total, stated.currency)} (${pure ? 'pure' : 'zCDP'})\n\n`);
    io.out(`It buys this noise on every count, as a standard deviation (discrete ${rows[0].addRemove.name}):\n\n`);
    const noise = (shown: typeof rows) =>
      table(
        [{ title: 'measured' }, { title: 'add-remove', align: 'right' }, { title: 'replace-one', align: 'right' }],
        shown.map(({ marginals, addRemove, replaceOne }) => [
          marginals === 1 ? '1 marginal' : `each of ${marginals} marginals`,
          addRemove.deviation.toPrecision(4),
          replaceOne.deviation.toPrecision(4),
        ]),
        io,
      );
    io.out(noise(rows));
    if (exact !== undefined) {
      const less = 100 * (1 - Math.sqrt(amountToNumber(stated.total) / amountToNumber(exact.total)));
      io.out(`\nA release of Gaussian noise alone is counted by its exact loss, ${describeAmount(exact.total, 'gdp')}, where the ledger began with such a
release or is new: ${less.toFixed(1)}% less noise for the same guarantee, but for the variance of about one record that it costs to be a whole number:\n\n`);
      io.out(noise(rowsOf(exact)));
    }
    io.out('\nadd-remove: the number of rows is private; replace-one: it is public.\n');
    return 0;
  },
});

const noiseJson = ({ marginals, relation, kind, parameter, deviation }: MarginalNoise) => ({
  marginals,
  relation,
  kind,
  [parameter.name]: parameter.value,
  deviation,
});
