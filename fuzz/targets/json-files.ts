import { jsonFrom } from '../../adapters/read-json.js';
import { readSchema } from '../../adapters/table/read-schema.js';
import { readConfiguration } from '../../cli/options/configuration.js';
import { optionsOf } from '../../cli/options/table.js';
import { parseOutsideMeasurements } from '../../src/bundle/outside-measurements.js';
import { cellLabels } from '../../src/domain/attribute/cells.js';
import { columnEncoder } from '../../src/domain/attribute/column-encoder.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { estimateGraphical } from '../../src/estimate/graphical/estimate.js';
import { answerSize } from '../../src/query/answer.js';
import { describeQuery } from '../../src/query/describe-query.js';
import { parseQuery } from '../../src/query/parse-query.js';
import { queryKey } from '../../src/query/query-key.js';
import { batchSensitivity } from '../../src/query/sensitivity/sensitivity.js';
import { parseWorkload } from '../../src/query/workload/parse-workload.js';
import { mutateBytes } from '../mutate/bytes.js';
import { mutateJson } from '../mutate/json.js';
import { mixed } from '../mutate/mutator.js';
import { same } from '../same.js';
import { scratchFile } from '../scratch-file.js';
import { domain, outside, schema } from '../seeds.js';
import type { Target } from '../target.js';
import { jsonWords } from '../words.js';

const mutate = mixed([8, mutateJson(jsonWords)], [2, mutateBytes]);
const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A schema file. */
const schemaTarget: Target = {
  name: 'schema',
  run: async (bytes) => {
    const read = await readSchema(scratchFile('schema.json', bytes));
    same(parseSchema(JSON.parse(JSON.stringify(read))), read, 'a schema reads back as it was written');
    const { attributes } = domainFromSchema(read);
    const shown = attributes.filter(({ size }) => size <= 4096).map(cellLabels);
    attributes.forEach((attribute, i) => {
      const encode = columnEncoder(attribute);
      for (const value of [null, '', 'x', '5', '2011-02-03', 'true', Number.NaN]) encode(value);
      if (shown[i] !== undefined && attribute.size <= 4096 && cellLabels(attribute).length !== attribute.size)
        same(1, 2, 'every cell has a label');
    });
    return '';
  },
  mutate,
  seeds: async () => [
    encoded(schema),
    encoded({
      surmise: 1,
      origin: { kind: 'public-table', file: 'p.csv', rows: 10 },
      attributes: [
        {
          name: 'x',
          type: 'number',
          min: 1,
          max: 1000,
          bins: 8,
          scale: 'log',
          nullValues: ['NA'],
          null: true,
          description: 'd',
        },
        { name: 'e', type: 'number', edges: [0, 0.5, 1, 7] },
        { name: 'o', type: 'category', values: ['a', 'b'], ordered: true, other: 'rest' },
        { name: 'w', type: 'date', by: 'week', min: '2014-01-01', max: '2014-03-31' },
      ],
      unit: { id: 'who', maxRecords: 3 },
    }),
    encoded({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'h', type: 'boolean' },
        { name: 'p', type: 'integer', min: 0, max: 9 },
      ],
      twoLevel: { key: 'k', household: ['h'], maxSize: 4 },
    }),
  ],
};

/** A configuration file of `surmise release`. */
const configurationTarget: Target = {
  name: 'configuration',
  run: async (bytes) => {
    const read = await readConfiguration(scratchFile('surmise.config.json', bytes), optionsOf('release'));
    return JSON.stringify(read?.given);
  },
  mutate,
  seeds: async () => [
    encoded({
      private: 'a.csv',
      public: 'b.csv',
      schema: 's.json',
      epsilon: 1,
      delta: '1e-9',
      relation: 'add-remove',
      unitId: 'who',
      maxRecords: 2,
      mechanism: 'aim',
      set: { degree: 2 },
      rows: 10,
      bootstrap: 2,
      format: 'csv',
      seed: 4,
      out: 'o',
      ledger: 'l',
      exclude: ['x'],
    }),
  ],
};

const blocks = [
  { kind: 'keep' },
  { kind: 'sum' },
  { kind: 'value', cell: 1 },
  { kind: 'set', cells: [0, 2] },
  { kind: 'prefix' },
  {
    kind: 'ranges',
    ranges: [
      [0, 2],
      [1, 3],
    ],
  },
  { kind: 'regroup', groups: [0, 0, 1, 1], size: 2 },
  { kind: 'mean' },
  { kind: 'moments', count: 2 },
];

/** A workload or a query as JSON. */
const workloadTarget: Target = {
  name: 'workload',
  run: (bytes) => {
    let json: unknown;
    try {
      json = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return '';
    }
    const { queries } = parseWorkload(json, domain);
    for (const { query } of queries) {
      same(parseQuery(JSON.parse(JSON.stringify(query)), domain), query, 'a query reads back as it was written');
      describeQuery(query);
      queryKey(query);
      answerSize(query, domain);
    }
    const all = queries.map(({ query }) => query);
    for (const relation of ['add-remove', 'replace-one'] as const) batchSensitivity(all, domain, relation, 2);
    return '';
  },
  mutate,
  seeds: async () => [
    encoded({
      queries: [
        { query: { kind: 'marginal', attributes: ['age', 'vip'] }, weight: 2 },
        ...blocks.map((block) => ({
          query: {
            kind: 'factored',
            factors: [
              { attribute: 'born', block },
              { attribute: 'vip', block: { kind: 'keep' } },
            ],
          },
        })),
      ],
    }),
  ],
};

/** Measurements from outside, and a few steps of a fit to some of them. */
const outsideTarget: Target = {
  name: 'outside',
  run: async (bytes) => {
    const { measurements, total } = parseOutsideMeasurements(jsonFrom(bytes, 'outside.json'), domain, 'outside.json');
    if (bytes.length % 8 !== 0) return '';
    const { model } = await estimateGraphical(domain, measurements, {
      until: 'converged',
      iterations: 3,
      memory: 50e6,
      threads: 1,
      ...(total === undefined ? {} : { total }),
    });
    return String(model.total);
  },
  mutate,
  seeds: async () => [encoded(outside)],
};

export const jsonTargets: readonly Target[] = [schemaTarget, configurationTarget, workloadTarget, outsideTarget];
