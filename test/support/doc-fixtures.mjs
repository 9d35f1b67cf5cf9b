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
const budget = { epsilon: 20, delta: 1e-9 };
const openSource = () => surmise.memorySource({ table: rowsOf(1), dataset: 'docs' });
const openLedger = () => surmise.memoryLedger(surmise.budgetOf(budget), 'docs');
const openSession = async () => surmise.openSession({ source: await openSource(), budget, ledger: await openLedger() });

writeFileSync('public.csv', `age,sex\n${Array.from({ length: 40 }, (_, i) => `${i},f`).join('\n')}\n`);
writeFileSync('private.csv', 'age\n12\n34\n');
const columnsOf = (shift) => {
  const age = Array.from({ length: 200 }, (_, i) => 20 + ((i * 7 + shift) % 40));
  return { age, sex: age.map((years, i) => ((years + i) % 3 === 0 ? 'f' : 'm')) };
};
for (const year of [2018, 2024]) {
  const { age, sex } = columnsOf(year);
  writeFileSync(`survey-${year}.csv`, `age,sex\n${age.map((years, i) => `${years},${sex[i]}`).join('\n')}\n`);
}
writeFileSync(
  'schema.json',
  JSON.stringify({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
      { name: 'sex', type: 'category', values: ['f', 'm'] },
    ],
  }),
);

/** Makes what an example names and does not make itself. */
export const fixtures = {
  domain: async () => domain,
  session: openSession,
  anotherSession: openSession,
  source: openSource,
  ledger: openLedger,
  budget: async () => budget,
  columns2018: async () => columnsOf(2018),
  columns2024: async () => columnsOf(2024),
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
  wholeSchema: async () => ({ surmise: 1, origin: { kind: 'declared' }, attributes: specs }),
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
