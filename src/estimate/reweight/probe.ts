import type { WeightedRows } from '../../model/support/weighted-rows.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { nudge, type Probe } from '../stopping/risk-probes.js';
import { type Descent, startDescent, type Target } from './descent.js';

/** A fit of the rows' weights to measurements that are moved a little at random. */
export const reweightProbe = async (
  rows: WeightedRows,
  targets: readonly Target[],
  total: number | undefined,
  random: Random,
): Promise<Probe<Descent>> => {
  const noise = targets.map(({ measurement: { values } }) => values.map(() => normal(random)));
  const moved = targets.map(({ measurement: { values }, variance }, t) =>
    values.map((value, i) => value + nudge * Math.sqrt(variance) * noise[t][i]),
  );
  const fit = await startDescent(rows, targets, total, moved);
  return {
    fit,
    along({ answers }) {
      let sum = 0;
      targets.forEach(({ variance }, t) => {
        const mine = fit.answers[t];
        let product = 0;
        for (let i = 0; i < mine.length; i++) product += noise[t][i] * (mine[i] - answers[t][i]);
        sum += product / Math.sqrt(variance);
      });
      return sum;
    },
  };
};
