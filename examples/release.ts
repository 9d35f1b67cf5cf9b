// A release in memory, in any runtime: a schema from public data, a private table behind its ledger, a mechanism that is chosen by
// what is public, and questions to the model. For files and ledgers on disk see `releaseFiles` of surmise/node.

import {
  budgetOf,
  domainFromSchema,
  encodeTable,
  learnSchema,
  makeRelease,
  marginal,
  memoryLedger,
  memorySource,
} from 'surmise';
import { demoCountry, flatDemo } from 'surmise/advanced';

// Orvania, a country that does not exist: an earlier year is public, a later one is private.
const columns = (year: number) => {
  const { tenure, education, insurance, age } = flatDemo(demoCountry({ seed: 1, households: 1500, year }));
  return { tenure, education, insurance, age };
};
const { schema } = learnSchema(columns(2018), { file: 'orvania-2018.csv', bins: 8 });
const domain = domainFromSchema(schema);
const publicTable = { name: 'orvania-2018.csv', table: encodeTable(domain, columns(2018)) };

const budget = { epsilon: 1, delta: 1e-9 };
const source = await memorySource({ table: encodeTable(domain, columns(2023)), dataset: 'orvania-2023' });
const ledger = await memoryLedger(budgetOf(budget), 'orvania-2023');
const { model, manifest, files } = await makeRelease({ source, ledger, schema, publicTable, budget });

console.log(manifest.privacy.text);
const shares = Array.from(model.answer(marginal('tenure')), (n) => `${((100 * n) / model.total).toFixed(0)}%`);
console.log(`tenure: ${shares.join(' ')}`);
console.log(`files: ${Object.keys(files).sort().join(', ')}`);
await source.close();
