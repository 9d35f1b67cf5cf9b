// A release in memory, in any runtime: a schema from public data, a private table behind a session, a mechanism that is chosen by
// what is public, and questions to the model. For files and ledgers on disk see `makeRelease` of surmise/node.
import { demoCountry, flatDemo } from '../src/demo/demo-country.js';
import {
  budgetOf,
  domainFromSchema,
  encodeTable,
  learnSchema,
  marginal,
  mechanismNamed,
  memoryLedger,
  memorySource,
  openSession,
  seeded,
  settingsOf,
  supportOf,
} from '../src/index.js';

// Orvania, a country that does not exist: an earlier year is public, a later one is private.
const columns = (year: number) => {
  const { tenure, education, insurance, age } = flatDemo(demoCountry({ seed: 1, households: 1500, year }));
  return { tenure, education, insurance, age };
};
const { schema } = learnSchema(columns(2018), { file: 'orvania-2018.csv', bins: 8 });
const domain = domainFromSchema(schema);
const source = await memorySource({ table: encodeTable(domain, columns(2023)), dataset: 'orvania-2023' });

const budget = { epsilon: 1, delta: 1e-9 };
const session = openSession({ source, budget, ledger: await memoryLedger(budgetOf(budget), 'orvania-2023') });
const mechanism = mechanismNamed('reweight');
const settings = settingsOf(mechanism, { maxCells: 500 });
const prior = supportOf(encodeTable(domain, columns(2018)));
const { model } = await mechanism.release(session, prior, { random: seeded(1) }, settings);

console.log(session.statement().text);
const shares = Array.from(model.answer(marginal('tenure')), (n) => `${((100 * n) / model.total).toFixed(0)}%`);
console.log(`tenure: ${shares.join(' ')}`);
console.log(`synthetic rows: ${model.sample(1000, seeded(2)).length}`);
