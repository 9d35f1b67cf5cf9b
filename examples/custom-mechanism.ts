// A mechanism of one's own in 30 lines: measure every attribute, select the pair that independence serves worst, measure it, and
// estimate. It can do no harm: all it may do to private rows are the session's acts, each paid for before it happens.

import * as surmise from 'surmise';
import * as advanced from 'surmise/advanced';

const worstPairs = async (session: surmise.Session, rounds: number): Promise<surmise.Released> => {
  const { domain } = session;
  const pairs = surmise.allMarginals(domain, 2).queries.map(({ query }) => query);
  const singles = domain.attributes.map(({ name }) => surmise.marginal(name));
  const measurements = await session.measure(singles, 0.3);
  let { model } = await surmise.estimateGraphical(domain, measurements);
  for (let round = 0; round < rounds; round++) {
    const candidates = pairs.map((query) => ({ query, reference: model.answer(query) }));
    const worst = await session.select(candidates, 0.2 / rounds);
    measurements.push(...(await session.measure([pairs[worst]], 0.5 / rounds)));
    ({ model } = await surmise.estimateGraphical(domain, measurements));
  }
  return { model, measurements, notes: { rounds } };
};

const names = ['a', 'b', 'c', 'd'];
const domain = surmise.domainOf(names.map((name) => ({ name, type: 'integer', min: 0, max: 3 })));
const digits = (i: number) => [i % 4, i % 4, (i >> 2) % 4, ((i >> 2) + (i % 3)) % 4];
const column = (at: number) => Array.from({ length: 5000 }, (_, i) => digits(i * 7)[at]);
const table = surmise.encodeTable(domain, Object.fromEntries(names.map((name, at) => [name, column(at)])));

const budget = { epsilon: 1, delta: 1e-9 };
const source = await surmise.memorySource({ table, dataset: 'digits' });
const ledger = await surmise.memoryLedger(surmise.budgetOf(budget), 'digits');
const session = surmise.openSession({ source, budget, ledger });
const { model, measurements } = await worstPairs(session, 2);
for (const { query } of measurements.slice(names.length))
  console.log(`selected: ${advanced.attributesOf(query).join(', ')}`);
const equal = [0, 5, 10, 15].reduce((sum, cell) => sum + model.marginal(['a', 'b'])[cell], 0);
console.log(`a = b in ${((100 * equal) / model.total).toFixed(0)}% of the records`);
