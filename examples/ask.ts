// Estimation from outside, and asking: noisy marginals that another system measured become a model, which answers SQL with bounds.

import * as surmise from 'surmise';
import * as advanced from 'surmise/advanced';

const domain = surmise.domainOf([
  { name: 'sex', type: 'category', values: ['f', 'm'] },
  { name: 'age', type: 'integer', min: 0, max: 2 },
  { name: 'works', type: 'boolean' },
]);
const noise = { kind: 'gaussian', scale: 20 };
const byAge = { attributes: ['sex', 'age'], values: [1010, 2013, 991, 988, 1968, 1507], noise };
const byWork = { attributes: ['age', 'works'], values: [1804, 212, 620, 3361, 1985, 507], noise };
const given = { measurements: [byAge, byWork] };
const { measurements } = advanced.parseOutsideMeasurements(given, domain, 'marginals.json');
const estimate = (noisy: typeof measurements) => surmise.estimateGraphical(domain, noisy, { until: 'converged' });
const { model } = await estimate(measurements);
const refit = async (noisy: typeof measurements) => (await estimate(noisy)).model;
const replicates = await advanced.bootstrap({ model, measurements, refit }, { random: surmise.seeded(1) });

const sql = 'SELECT sex, COUNT(*), PERCENT() FROM data WHERE works AND age >= 1 GROUP BY sex';
const source = { model, measurements, ...(replicates && { replicates }) };
for (const { columns, rows } of surmise.answerSql(sql, source)) {
  console.log(columns.map(({ title }) => title).join(' | '));
  for (const { values, low, high } of rows) {
    const short = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : value);
    const bounded = (value: unknown, i: number) =>
      typeof value === 'number' ? `${short(value)} (${short(low[i])} to ${short(high[i])})` : value;
    console.log(values.map(bounded).join(' | '));
  }
}
