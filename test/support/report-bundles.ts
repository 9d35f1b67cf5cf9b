import { manifestName } from '../../src/bundle/file-names.js';
import type { Manifest } from '../../src/bundle/manifest.js';
import { readManifest } from '../../src/bundle/manifest-text.js';
import type { Bundle } from '../../src/bundle/open-bundle.js';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import { groupedModel } from '../../src/model/grouped-model.js';
import { householdSupportModel } from '../../src/model/households/household-support-model.js';
import type { AnyModel } from '../../src/model/model.js';
import { reweighted, supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import type { Measurement } from '../../src/privacy/measurement.js';
import { marginal } from '../../src/query/marginal.js';
import { normal } from '../../src/random/normal.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';
import { householdTable } from './households.js';
import { smallRelease } from './small-release.js';

const schemaOf = (attributes: readonly AttributeSpec[]): Schema => ({
  surmise: 1,
  origin: { kind: 'public-table', file: 'public.csv', rows: 500 },
  attributes,
});

/** Rows whose attributes depend on a hidden number each row has. */
const tableOf = (schema: Schema, length: number, seed: number): Table => {
  const domain = domainFromSchema(schema);
  const random = seeded(seed);
  const hidden = Float64Array.from({ length }, () => normal(random));
  const columns = domain.attributes.map(({ size }, a) => {
    const codes = codeColumn(size, length);
    for (let row = 0; row < length; row++) {
      const place = (a % 3 === 0 ? hidden[row] : 0) + normal(random);
      codes[row] = Math.max(0, Math.min(size - 1, Math.floor(((place + 3) / 6) * size)));
    }
    return codes;
  });
  return { domain, length, columns };
};

/** Whatever a manifest must have besides what the test is about. */
const plain = (await smallRelease()).files[manifestName];

const bundleOf = <M extends AnyModel>(
  schema: Schema,
  model: M,
  measurements: Measurement[],
  told: Partial<Manifest> = {},
): Bundle<M> => ({
  manifest: {
    ...readManifest(plain).manifest,
    schema,
    public: { file: 'public.csv', rows: 500 },
    measurements: measurements.map(({ query, noise }) => ({ query, noise })),
    ...told,
  },
  model,
  measurements,
});

const measured = (model: AnyModel, names: readonly (readonly string[])[], scale: number): Measurement[] => {
  const random = seeded(3);
  return names.map((attributes) => ({
    query: marginal(...attributes),
    noise: { kind: 'gaussian', scale },
    values: model.marginal(attributes).map((count) => Math.round(count + scale * normal(random))),
  }));
};

/** Attributes of all kinds: short and long lists of categories, numbers, dates, booleans, nulls, long names. */
const variety = (i: number): AttributeSpec => {
  const name = i % 7 === 0 ? `an attribute with a very long name that goes on and on, number ${i}` : `attribute_${i}`;
  switch (i % 6) {
    case 0:
      return {
        name,
        type: 'category',
        values: Array.from({ length: 60 }, (_, v) => `category ${v} of ${i}, told at length`),
        other: 'other',
      };
    case 1:
      return { name, type: 'integer', min: 0, max: 119, null: true };
    case 2:
      return { name, type: 'boolean', null: true };
    case 3:
      return { name, type: 'number', min: 0, max: 10, bins: 20 };
    case 4:
      return { name, type: 'date', by: 'month', min: '2015-01-01', max: '2019-12-31' };
    default:
      return { name, type: 'category', values: ['low', 'middle', 'high'], ordered: true };
  }
};

/** A release of many attributes, with pairs and single ones measured. */
export const wideBundle = (count: number) => {
  const schema = schemaOf(Array.from({ length: count }, (_, i) => variety(i)));
  const table = tableOf(schema, 500, 1);
  const support = supportOf(table);
  const random = seeded(2);
  const model = supportModel(
    reweighted(
      support,
      support.weights.map((weight) => weight * Math.exp(normal(random))),
    ),
    5000,
  );
  const names = schema.attributes.map(({ name }) => name);
  const pairs = names.slice(1, 12).map((name, i) => [names[i], name]);
  return { table, model, bundle: bundleOf(schema, model, measured(model, [[], [names[0]], ...pairs], 20)) };
};

/** A release of groups by district and year. */
export const groupedBundle = () => {
  const schema = schemaOf([
    { name: 'district', type: 'integer', min: 1, max: 40 },
    { name: 'year', type: 'integer', min: 2012, max: 2015 },
    { name: 'sex', type: 'category', values: ['female', 'male'] },
    { name: 'age', type: 'integer', min: 0, max: 19 },
  ]);
  const table = tableOf(schema, 2000, 4);
  const shared: Table = {
    domain: { attributes: table.domain.attributes.slice(2) },
    length: table.length,
    columns: table.columns.slice(2),
  };
  const random = seeded(5);
  const groups = Array.from({ length: 40 * 4 }, (_, g) => ({
    key: [Math.floor(g / 4), g % 4],
    total: g === 7 ? 0 : uniformInteger(random, 90),
    rows: Uint32Array.from({ length: 64 }, () => uniformInteger(random, table.length)),
  }));
  const model = groupedModel(table.domain, ['district', 'year'], shared, groups);
  return {
    table,
    bundle: bundleOf(
      schema,
      model,
      measured(
        model,
        [
          ['district', 'year'],
          ['district', 'year', 'sex'],
        ],
        4,
      ),
    ),
  };
};

const endless = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** A release of households whose attributes and values have long names without a space, with bins of unequal width. */
export const longNamed = () => {
  const [region, tenure, age, income] = [`${endless}_region`, 'tenure', `age_of_${endless}`, 'income'];
  const schema: Schema = {
    ...schemaOf([
      { name: region, type: 'category', values: [`${endless}-north`, `${endless}-south`, 'x'] },
      { name: tenure, type: 'category', values: ['owned outright, told at length', 'rent'], null: true },
      { name: age, type: 'integer', edges: [0, 3, 6, 18, 25, 65, 100] },
      { name: income, type: 'number', edges: [0, 1000, 2000, 2500, 3000, 1e6], null: true },
    ]),
    twoLevel: { key: endless, household: [region, tenure], maxSize: 4 },
  };
  const domain = domainFromSchema(schema);
  const random = seeded(7);
  const homes = Array.from({ length: 300 }, () => ({
    own: [uniformInteger(random, 3), uniformInteger(random, 3)],
    persons: Array.from({ length: 1 + uniformInteger(random, 4) }, () => [
      uniformInteger(random, 6),
      uniformInteger(random, 6),
    ]),
  }));
  const table = householdTable(domain, homes);
  const weights = Float64Array.from(homes, () => uniform(random) + 0.1);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const model = householdSupportModel({ table, weights: weights.map((weight) => weight / sum) }, 3000);
  const { privacy } = readManifest(plain).manifest;
  const told: Partial<Manifest> = {
    privacy: { ...privacy, dataset: endless },
    mechanism: { name: endless, options: { [endless]: endless }, notes: { [endless]: [1, 2, 3] } },
    files: [{ name: `${endless}.csv`, bytes: 123456789, sha256: 'ab'.repeat(32) }],
  };
  const names = [[region], [region, age], [tenure, income], [age, income]];
  return { table, bundle: bundleOf(schema, model, measured(model, names, 12), told) };
};

const attacks = [
  '</svg><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(2)</script>',
  '&lt;script&gt;alert(3)&lt;/script&gt;',
  'javascript:alert(4)',
  '\u202egnp.exe \u0000 \ud800 \n<iframe>',
  '{{7*7}} $& $1 %00',
];

/** A release in which everything that has a name has a hostile one. */
export const hostile = () => {
  const schema: Schema = {
    ...schemaOf([
      { name: attacks[0], type: 'category', values: attacks, other: '<script>other' },
      { name: attacks[1], type: 'category', values: [...attacks].reverse(), null: true },
      { name: attacks[3], type: 'category', values: Array.from({ length: 30 }, (_, i) => `${attacks[i % 8]} ${i}`) },
      { name: attacks[5], type: 'integer', min: 0, max: 30 },
    ]),
    origin: { kind: 'public-table', file: attacks[1], rows: 500 },
  };
  const table = tableOf(schema, 500, 6);
  const model = supportModel(supportOf(table), 500);
  const { privacy } = readManifest(plain).manifest;
  const told: Partial<Manifest> = {
    software: attacks[0],
    public: { file: attacks[1], rows: 500 },
    mechanism: {
      name: attacks[0],
      options: { [attacks[1]]: attacks[0] },
      notes: { [attacks[2]]: [attacks[3], { [attacks[0]]: 1 }] },
    },
    privacy: {
      ...privacy,
      dataset: attacks[0],
      text: attacks[3],
      unit: { kind: 'id', column: attacks[1], maxRecords: 2 },
    },
    ledger: { dataset: attacks[0], records: 1, tip: 'ab'.repeat(32) },
    sampling: { file: 'synthetic.csv', rows: 500, seed: 1, values: attacks[1] },
  };
  return { table, bundle: bundleOf(schema, model, measured(model, [[attacks[0]], [attacks[1], attacks[3]]], 5), told) };
};
