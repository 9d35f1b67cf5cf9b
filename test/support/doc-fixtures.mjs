// What the examples of docs/ take for granted, on the built package: tables of a few columns, an open session, measurements.
import { writeFileSync } from 'node:fs';
import * as surmise from '../../dist/src/index.js';

const { domainOf, encodeTable, seeded } = surmise;
const categories = (name, size) => ({
  name,
  type: 'category',
  values: Array.from({ length: size }, (_, i) => `${i}`),
});
const specs = [
  { name: 'age', type: 'integer', min: 0, max: 9 },
  ...Object.entries({ sex: 2, region: 2, income: 4, race: 3, state: 2, PUMA: 3, YEAR: 2, EDUC: 2 }).map(
    ([name, size]) => categories(name, size),
  ),
];
const domain = domainOf(specs);
const rowsOf = (seed) => {
  const random = seeded(seed);
  const column = (size) => Array.from({ length: 200 }, () => String(random.uint32() % size));
  return encodeTable(domain, Object.fromEntries(domain.attributes.map(({ name, size }) => [name, column(size)])));
};
const openSession = async () => {
  const budget = { epsilon: 20, delta: 1e-9 };
  const source = await surmise.memorySource({ table: rowsOf(1), dataset: 'docs' });
  return surmise.openSession({ source, budget, ledger: await surmise.memoryLedger(surmise.budgetOf(budget), 'docs') });
};

writeFileSync('public.csv', `age,sex\n${Array.from({ length: 40 }, (_, i) => `${i},f`).join('\n')}\n`);
writeFileSync('private.csv', 'age\n12\n34\n');

/** Makes what an example names and does not make itself. */
export const fixtures = {
  domain: async () => domain,
  session: openSession,
  anotherSession: openSession,
  table: async () => rowsOf(1),
  publicTable: async () => rowsOf(2),
  lastYear: async () => rowsOf(3),
  tables: async () => [rowsOf(4), rowsOf(5)],
  prior: async () => surmise.supportOf(rowsOf(2)),
  workload: async () => surmise.allMarginals(domainOf(specs.slice(0, 3)), 2),
  measurements: async () =>
    (await openSession()).measure([surmise.marginal('age', 'sex'), surmise.marginal('income', 'race')], 0.5),
  factors: async () => [],
  stateOfEachPuma: async () => [0, 0, 1],
  random: async () => seeded(1),
  schema: async () => ({ surmise: 1, origin: { kind: 'declared' }, attributes: specs.slice(0, 1) }),
  text: async () =>
    JSON.stringify({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'age', type: 'integer', min: 0, max: 99, bins: 20 },
        { name: 'sex', type: 'category', values: ['f', 'm'] },
        { name: 'income', type: 'number', min: 0, max: 1e5, bins: 4, null: true, nullValues: ['N'] },
      ],
    }),
};
