// A release from beginning to end, in memory and in any runtime: a schema from public data, a private table behind a session, a
// mechanism, a bundle, and questions to what was released. For files and ledgers on disk see `makeRelease` of surmise/node.
import { demoCountry, flatDemo } from '../src/demo/demo-country.js';
import {
  budgetOf,
  domainFromSchema,
  encodeTable,
  learnSchema,
  makeBundle,
  marginal,
  mechanismNamed,
  memoryLedger,
  memorySource,
  openBundle,
  openSession,
  seeded,
  settingsOf,
  supportOf,
  verifyBundle,
  watchLedger,
} from '../src/index.js';

// Orvania, a country that does not exist: an earlier year is public, a later one is private.
const columns = (year: number) => {
  const { tenure, education, insurance, age } = flatDemo(demoCountry({ seed: 1, households: 1500, year }));
  return { tenure, education, insurance, age };
};
const { schema } = learnSchema(columns(2018), { file: 'orvania-2018.csv', bins: 8 });
const domain = domainFromSchema(schema);
const prior = supportOf(encodeTable(domain, columns(2018)));

// The private rows: only the session may hold the source. What the session spends is in the ledger first.
const source = await memorySource({ table: encodeTable(domain, columns(2023)), dataset: 'orvania-2023' });
const budget = { epsilon: 1, delta: 1e-9 };
const { ledger, acts } = watchLedger(await memoryLedger(budgetOf(budget), 'orvania-2023'));
const session = openSession({ source, budget, ledger });

const mechanism = mechanismNamed('reweight');
const settings = settingsOf(mechanism, { maxCells: 500 });
const released = await mechanism.release(session, prior, { random: seeded(1) }, settings);
source.close();

// What is left of it: files that anyone may have, read back without private data.
const files = makeBundle({
  released,
  session,
  acts,
  ledger: await ledger.status(),
  schema,
  mechanism: { name: mechanism.name, options: settings },
  software: 'examples/release.ts',
});
const { model, manifest } = openBundle(files);
console.log(manifest.privacy.text);
const { faults } = await verifyBundle({
  read: async (name) => files[name],
  describe: async (name) => manifest.files.find((file) => file.name === name),
  names: async () => Object.keys(files),
});
console.log(`faults found: ${faults.length}`);

const shares = (counts: Float64Array) =>
  Array.from(counts, (n) => `${((100 * n) / model.total).toFixed(0)}%`).join(' ');
console.log(`tenure: ${shares(model.answer(marginal('tenure')))}`);
console.log(`synthetic rows: ${model.sample(1000, seeded(2)).length}`);
