import fc from 'fast-check';
import { encodeTable } from '../../src/domain/encode/encode-table.js';
import { encodeHouseholds } from '../../src/domain/households/encode-households.js';
import { groupHouseholds } from '../../src/domain/households/group-households.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { answerSql } from '../../src/evaluate/sql/answer-sql.js';
import { graphicalModel } from '../../src/model/graphical/graphical-model.js';
import { junctionTree } from '../../src/model/graphical/tree/junction-tree.js';
import { householdSupportModel } from '../../src/model/households/household-support-model.js';
import { redraw } from '../../src/model/redraw.js';
import { supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import { seeded } from '../../src/random/seeded.js';
import { mutateBytes } from '../mutate/bytes.js';
import { below, type Mutator, mixed } from '../mutate/mutator.js';
import { mutateText } from '../mutate/text.js';
import { schema } from '../seeds.js';
import type { Target } from '../target.js';
import { sqlWords } from '../words.js';

/** With a number of bins, and an attribute of more cells than a screen has. */
const domain = domainFromSchema(
  parseSchema({
    ...schema,
    attributes: [
      ...schema.attributes,
      { name: 'pay', type: 'number', min: 0, max: 100, bins: 4 },
      { name: 'zip', type: 'integer', min: 0, max: 999 },
      { name: 'serial', type: 'integer', min: 0, max: 2 ** 31 },
    ],
  }),
);

const n = 50;
const support = supportOf(
  encodeTable(domain, {
    age: Array.from({ length: n }, (_, i) => (i % 9 === 0 ? null : i)),
    city: Array.from({ length: n }, (_, i) => ['Bonn', 'Graz', 'Bern', 'Ulm'][i % 4]),
    vip: Array.from({ length: n }, (_, i) => i % 2 === 0),
    born: Array.from({ length: n }, (_, i) => `201${i % 4}-05-05`),
    pay: Array.from({ length: n }, (_, i) => i * 2),
    zip: Array.from({ length: n }, (_, i) => i * 19),
    serial: Array.from({ length: n }, (_, i) => i),
  }),
);
const model = supportModel(support, 1000);
const replicates = {
  models: [1, 2].map((seed) => redraw(model, seeded(seed))),
  truths: [3, 4].map((seed) => redraw(model, seeded(seed))),
  seed: 3,
  clump: 1,
  inflation: 1,
};
const released = {
  model,
  measurements: [
    {
      query: { kind: 'marginal' as const, attributes: ['city', 'vip'] },
      noise: { kind: 'gaussian' as const, scale: 2 },
      values: new Float64Array(8).fill(125),
    },
  ],
  replicates,
};
const small = domainFromSchema(schema);
const graphical = {
  model: graphicalModel(
    junctionTree(small, [
      ['age', 'city'],
      ['city', 'vip', 'born'],
    ]),
    [],
    1000,
  ),
  measurements: [],
};

/** Five households of one to three persons, over the same attributes: ages and births are said of persons. */
const sized = domainFromSchema(
  parseSchema({ ...schema, twoLevel: { key: 'home', household: ['city', 'vip'], maxSize: 3 } }),
);
const homes = groupHouseholds(
  encodeHouseholds(sized, 'home', {
    persons: {
      home: [1, 1, 2, 3, 3, 3, 4, 5, 5],
      age: [30, null, 50, 3, 40, 41, 80, 20, 21],
      born: Array.from({ length: 9 }, (_, i) => `201${i % 4}-05-05`),
    },
    households: {
      home: [1, 2, 3, 4, 5],
      city: ['Bonn', 'Graz', 'Bonn', 'Bern', 'Ulm'],
      vip: [true, false, true, true, false],
    },
  }),
);
const ofHomes = {
  model: householdSupportModel({ table: homes, weights: Float64Array.of(0.1, 0.2, 0.3, 0.2, 0.2) }, 500),
  measurements: [],
};

const name = fc.constantFrom('age', 'city', 'vip', 'born', 'pay', 'zip');
const literal = fc.constantFrom(
  '0',
  '20',
  '40',
  '-1',
  '1e3',
  '0.5',
  "'Bonn'",
  "'elsewhere'",
  "'2011'",
  "'2011-02-03'",
  "'20-39'",
  'TRUE',
  'NULL',
  '12345',
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: false },
    fc.tuple(name, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), literal).map((parts) => parts.join(' ')),
    fc
      .tuple(name, fc.array(literal, { minLength: 1, maxLength: 6 }))
      .map(([own, list]) => `${own} IN (${list.join(', ')})`),
    fc.tuple(name, literal, literal).map(([own, from, to]) => `${own} BETWEEN ${from} AND ${to}`),
    fc.tuple(name, fc.constantFrom('IS NULL', 'IS NOT NULL')).map((parts) => parts.join(' ')),
    fc
      .tuple(
        fc.constantFrom('city', 'city', 'city', 'age'),
        fc.constantFrom('LIKE', 'NOT LIKE', 'ILIKE', 'NOT ILIKE'),
        fc.constantFrom("'B%'", "'%n_'", "'_%!%' ESCAPE '!'", "''", "'%%%r%%'", "'x!' ESCAPE '!'"),
      )
      .map((parts) => parts.join(' ')),
    fc.constant('vip'),
    fc.tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition')).map(([a, op, b]) => `(${a}) ${op} ${b}`),
    tie('condition').map((inner) => `NOT (${inner})`),
  ),
}));
const caseOf = fc
  .tuple(
    fc.array(fc.tuple(condition, fc.oneof(name, literal)), { minLength: 1, maxLength: 3 }),
    fc.option(fc.oneof(name, literal)),
  )
  .map(
    ([branches, otherwise]) =>
      `CASE ${branches.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')}${otherwise === null ? '' : ` ELSE ${otherwise}`} END`,
  );
const argument = fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: caseOf });
const functions = 'COUNT SUM AVG MIN MAX MEDIAN STDDEV STDDEV_POP VARIANCE VAR_POP'.split(' ');
const aggregate = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('COUNT(*)', 'SHARE()', 'PERCENT()', '1'),
      fc.tuple(fc.constantFrom(...functions), argument).map(([of, own]) => `${of}(${own})`),
      fc.tuple(name, name).map(([x, y]) => `CORR(${x}, ${y})`),
      fc
        .tuple(fc.constantFrom('QUANTILE', 'QUANTILE_CONT'), argument, fc.constantFrom(0, 0.3, 0.5, 1))
        .map(([of, own, share]) => `${of}(${own}, ${share})`),
      fc
        .tuple(fc.constantFrom('CONT', 'DISC'), argument, fc.constantFrom('', ' DESC'))
        .map(([of, own, order]) => `PERCENTILE_${of}(0.9) WITHIN GROUP (ORDER BY ${own}${order})`),
      fc.constant('COUNT(*) * 1.0 / (SELECT COUNT(*) FROM data)'),
    ),
    fc.option(condition, { freq: 5 }),
  )
  .map(([own, filter]) => (filter === null || !own.endsWith(')') ? own : `${own} FILTER (WHERE ${filter})`));
/** Statements that are mostly right. */
const statement = fc
  .record({
    groups: fc.uniqueArray(argument, { maxLength: 3 }),
    columns: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
    where: fc.option(condition),
    having: fc.option(aggregate),
    limit: fc.option(fc.nat(20)),
  })
  .map(
    ({ groups, columns, where, having, limit }) =>
      `SELECT ${[...groups, ...columns].join(', ')} FROM data${where === null ? '' : ` WHERE ${where}`}${groups.length > 0 ? ` GROUP BY ${groups.map((_, i) => i + 1).join(', ')}` : ''}${
        having === null || groups.length === 0 ? '' : ` HAVING ${having} > 1`
      }${limit === null ? '' : ` ORDER BY 1 LIMIT ${limit}`}`,
  );

/** The same of households, by who lives in them. */
const ofHouseholds = fc
  .record({
    group: fc.option(fc.constantFrom('city', 'vip', 'age')),
    holds: fc.array(
      fc.tuple(
        fc.constantFrom('EXISTS', 'NOT EXISTS', 'home IN', 'home NOT IN'),
        condition,
        fc.option(fc.tuple(fc.constantFrom('=', '<', '>='), fc.nat(3))),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    column: aggregate,
    join: fc.constantFrom('AND', 'OR'),
  })
  .map(({ group, holds, column, join }) => {
    const each = holds.map(
      ([how, where, having]) =>
        `${how} (SELECT home FROM persons WHERE ${where}${having === null ? '' : ` GROUP BY home HAVING COUNT(*) ${having.join(' ')}`})`,
    );
    return `SELECT ${group === null ? '' : `${group}, `}${column} FROM households WHERE ${each.join(` ${join} `)}${group === null ? '' : ` GROUP BY ${group}`}`;
  });

const generate: Mutator = (_bytes, _other, random) =>
  new TextEncoder().encode(
    fc.sample(fc.oneof({ weight: 3, arbitrary: statement }, { weight: 2, arbitrary: ofHouseholds }), {
      numRuns: 1,
      seed: below(2 ** 31, random),
    })[0],
  );

/** SQL against a model of each kind that answers differently. */
export const sqlTarget: Target = {
  name: 'sql',
  run: (bytes) => {
    const text = new TextDecoder().decode(bytes);
    const withinBins = bytes.length % 2 === 1;
    const isOfHomes = /persons|households/i.test(text);
    const source = isOfHomes ? ofHomes : bytes.length % 3 === 0 ? graphical : released;
    return JSON.stringify(answerSql(text, source, { withinBins })).slice(0, 10_000);
  },
  mutate: mixed([4, mutateText(sqlWords)], [1, mutateBytes], [3, generate]),
  seeds: async () =>
    [
      'SELECT sex, COUNT(*) FROM data',
      'SELECT city, COUNT(*), AVG(age) AS mean FROM data WHERE age BETWEEN 20 AND 39 OR vip GROUP BY city HAVING COUNT(*) > 2 ORDER BY mean DESC LIMIT 2 OFFSET 1',
      "SELECT SUM(pay) / COUNT(*) FROM data WHERE NOT (city = 'Bonn' AND born < '2012-01-01'); SELECT SHARE() FROM data WHERE age IS NULL",
      'SELECT COUNT(*) FROM data WHERE zip IN (1, 2, 3, 999)',
      'SELECT COUNT(*) FROM data WHERE serial < 1000',
      'SELECT city, COUNT(*) FROM households h WHERE EXISTS (SELECT 1 FROM persons p WHERE p.home = h.home AND age < 20) GROUP BY city',
      'SELECT PERCENT() FROM households WHERE NOT vip AND home IN (SELECT home FROM persons GROUP BY home HAVING COUNT(*) >= 2)',
      "SELECT CASE WHEN city LIKE 'B%' THEN city ELSE 'rest' END AS kind, MEDIAN(age), MIN(born) FILTER (WHERE vip) FROM data GROUP BY kind",
      'SELECT CORR(age, pay), STDDEV(zip), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY pay DESC), QUANTILE(age, 0.25) FROM data',
      'SELECT CASE WHEN EXISTS (SELECT 1 FROM persons WHERE age < 20) THEN 1 END, COUNT(*) FILTER (WHERE vip) FROM households GROUP BY 1',
      "SELECT AVG(age) FROM persons JOIN households ON persons.home = households.home WHERE city = 'Bonn'",
    ].map((text) => new TextEncoder().encode(text)),
  share: 2,
};
