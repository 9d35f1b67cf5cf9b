// A workload of one's own: what matters to the people who will use the release gets the budget. Cumulative ages by sex, a regrouping
// of regions, and one share that must be right.
import {
  budgetOf,
  domainOf,
  encodeTable,
  factored,
  memoryLedger,
  memorySource,
  openSession,
  reweight,
  seeded,
  supportOf,
} from 'surmise';

const domain = domainOf([
  { name: 'sex', type: 'category', values: ['f', 'm'] },
  { name: 'age', type: 'integer', min: 0, max: 9 },
  { name: 'region', type: 'category', values: ['n', 'e', 's', 'w'] },
]);
const table = (drift: number, count: number) =>
  encodeTable(domain, {
    sex: Array.from({ length: count }, (_, i) => 'fm'[i % 2]),
    age: Array.from({ length: count }, (_, i) => Math.floor((i * 7919) / 2) % (10 - drift)),
    region: Array.from({ length: count }, (_, i) => 'nesw'[(i * i + drift) % 4]),
  });
const ages = factored({ sex: { kind: 'keep' }, age: { kind: 'prefix' } });
const coast = factored({ region: { kind: 'regroup', groups: [0, 1, 1, 0], size: 2 } });
const retired = factored({ age: { kind: 'set', cells: [7, 8, 9] } });
const workload = { queries: [ages, coast, retired].map((query, i) => ({ query, weight: i === 2 ? 3 : 1 })) };

const budget = { epsilon: 1, delta: 1e-9 };
const source = await memorySource({ table: table(2, 4000), dataset: 'survey' });
const session = openSession({ source, budget, ledger: await memoryLedger(budgetOf(budget), 'survey') });
const { model, measurements } = await reweight(session, supportOf(table(0, 2000)), {
  random: seeded(1),
  workload,
});
for (const { noise } of measurements) console.log(`noise: ${noise.kind} of scale ${noise.scale.toFixed(1)}`);
console.log(`retired: about ${Math.round(model.answer(retired)[0])} of ${Math.round(model.total)}`);
