// What a release leaves behind: files that anyone may have, verified and read back without private data.

import * as surmise from 'surmise';
import * as advanced from 'surmise/advanced';

const schema = surmise.parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
  ],
});
const domain = surmise.domainFromSchema(schema);
const rows = {
  sex: Array.from({ length: 900 }, (_, i) => 'fm'[i % 2]),
  age: Array.from({ length: 900 }, (_, i) => i % 80),
};

const budget = { epsilon: 1, delta: 1e-9 };
const ledger = await surmise.memoryLedger(surmise.budgetOf(budget), 'clinic');
const source = await surmise.memorySource({ table: surmise.encodeTable(domain, rows), dataset: 'clinic' });
const session = surmise.openSession({ source, budget, ledger });
const released = await surmise.aim(session, { random: surmise.seeded(1) });
await session.close();

const made = { mechanism: { name: 'aim', options: {} }, software: 'examples/bundle.ts' };
const files = advanced.makeBundle({ released, session, ledger: await ledger.status(), schema, ...made });
const { manifest, model } = surmise.openBundle(files);
const { faults } = await surmise.verifyBundle({
  read: async (name) => files[name],
  describe: async (name) => manifest.files.find((file) => file.name === name),
  names: async () => Object.keys(files),
});
console.log(`files: ${Object.keys(files).join(', ')}`);
console.log(`faults found: ${faults.length}`);
console.log(`about ${Math.round(model.total / 100) * 100} records`);
