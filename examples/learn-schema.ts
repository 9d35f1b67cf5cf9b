// Learns a schema from a public table, and reads another table by it: values that the public table never showed have a
// place all the same.
import { domainFromSchema, encodeTable, learnSchema } from 'surmise';
import { cellLabels, demoCountry, flatDemo, indexOf } from 'surmise/advanced';

// Orvania, a country that does not exist, five years apart.
const earlier = flatDemo(demoCountry({ seed: 1, households: 500, year: 2018 }));
const later = flatDemo(demoCountry({ seed: 1, households: 500, year: 2023 }));

const { schema, notes } = learnSchema(earlier, { file: 'orvania-2018.csv', exclude: ['household_id'], bins: 10 });
for (const { column, note } of notes) console.log(`${column}: ${note}`);

const domain = domainFromSchema(schema);
console.log(domain.attributes.map(({ name, size }) => `${name} (${size})`).join(', '));

const table = encodeTable(domain, later);
const at = indexOf(domain, 'tenure');
const labels = cellLabels(domain.attributes[at]);
const counts = new Float64Array(labels.length);
for (const code of table.columns[at]) counts[code]++;
labels.forEach((label, cell) => {
  console.log(`${label}: ${counts[cell]} of ${table.length}`);
});
