import { describe, expect, it } from 'vitest';
import { allHouseholds, householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { groupHouseholds } from '../../domain/households/group-households.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { modelsHouseholds } from '../../model/model.js';
import { redraw } from '../../model/redraw.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { type ContainerArray, readContainer, writeContainer } from './binary-container.js';
import { readModel, readRowModel, writeModel } from './model-file.js';
import { readReplicates, writeReplicates } from './replicates-file.js';

const domain = householdDomain([3], [300, 2], 2, true);
const listed = allHouseholds([3], [2, 2], 2);
const random = seeded(3);
const parts = listed.map(() => uniform(random));
const sum = parts.reduce((a, b) => a + b);
const table = groupHouseholds({
  table: plainTable(
    domain,
    listed.flatMap((household) => rowsOf(domain, household)),
  ),
  keys: listed.flatMap(({ persons }, h) => persons.map(() => h)),
});
const model = householdSupportModel({ table, weights: Float64Array.from(parts, (part) => part / sum) }, 812.5);
const bytes = writeModel(model);

describe('a model of households in a file', () => {
  it('answers the same to the last bit, and draws the same households', () => {
    const again = readModel(bytes, domain, 'm');
    if (!modelsHouseholds(again)) throw new Error('a model of households was read as another');
    expect([again.total, again.householdTotal]).toEqual([model.total, model.householdTotal]);
    for (const query of [holding('g', 'a'), holding(), marginal('b', 'size')])
      expect(again.answer(query)).toEqual(model.answer(query));
    expect(again.households(200, seeded(9))).toEqual(model.households(200, seeded(9)));
  });

  it('is refused where a model of rows is wanted, and over a domain without households', () => {
    expect(() => readRowModel(bytes, domain, 'm')).toThrow(/got one of households/);
    const plain = { attributes: domain.attributes };
    expect(() => readModel(bytes, plain, 'm')).toThrow(/households where the schema has none/);
    expect(() => readModel(bytes, plainDomain([2, 2]), 'm')).toThrow(/must hold a model of this release/);
  });

  const { kind, meta, arrays } = readContainer(bytes, 'm');
  const changed = (name: string, change: (copy: ContainerArray) => void): Record<string, ContainerArray> => {
    const copy = arrays[name].slice() as ContainerArray;
    change(copy);
    return { [name]: copy };
  };
  const pair = listed.findIndex(({ persons }) => persons.length === 2);
  it.each<[string, Record<string, unknown>, Record<string, ContainerArray>, RegExp]>([
    [
      'a household of three',
      {},
      changed('offsets', (copy) => {
        copy[pair + 1]++;
      }),
      /has not 1 to 2 persons|of another size/,
    ],
    [
      'a household of nobody',
      {},
      changed('offsets', (copy) => {
        copy[1] = 0;
      }),
      /has not 1 to 2 persons/,
    ],
    [
      'starts that go back',
      {},
      changed('offsets', (copy) => {
        copy[2] = 0;
      }),
      /has not 1 to 2 persons/,
    ],
    [
      'another size than it says',
      {},
      changed('column 3', (copy) => {
        copy[0] ^= 1;
      }),
      /of another size than it says/,
    ],
    [
      'persons who disagree about their household',
      {},
      changed('column 0', (copy) => {
        const row = table.offsets[pair];
        copy[row] = (copy[row] + 1) % 3;
      }),
      /differ in what they say/,
    ],
    [
      'a code beyond',
      {},
      changed('column 0', (copy) => {
        copy[0] = 3;
      }),
      /a code beyond/,
    ],
    [
      'weights below zero',
      {},
      changed('weights', (copy) => {
        copy[0] = -0.5;
      }),
      /do not add up/,
    ],
    ['no total', { householdTotal: -1 }, {}, /no number of households/],
    ['an array too many', {}, { more: Uint8Array.of(1) }, /arrays nobody knows/],
  ])('is refused with %s', (_, others, lie, fault) => {
    const forged = writeContainer({ kind, meta: { ...meta, ...others }, arrays: { ...arrays, ...lie } });
    expect(() => readModel(forged, domain, 'm')).toThrow(fault);
  });

  it('keeps its replicates, and draws the tables that they came from again', () => {
    const other = householdSupportModel(
      { table, weights: model.support.weights.map((_, h, all) => all[all.length - 1 - h]) },
      700,
    );
    const truths = [1, 2].map((k) => redraw(model, seeded(4 + k)));
    const kept = writeReplicates(model, { models: [other, model], truths, seed: 5, clump: 1, inflation: 1.5 });
    const read = readReplicates(kept, model, 'r');
    expect(read.models[0].answer(holding())[0]).toBeCloseTo(700, 4);
    expect([...read.models[0].answer(holding('g'))]).toEqual(
      [...other.answer(holding('g'))].map((answer) => expect.closeTo(answer, 3)),
    );
    expect(read.truths[0].answer(holding('g', 'b'))).toEqual(truths[0].answer(holding('g', 'b')));
  });
});

it('is redrawn as whole households: each kind of them by chance about its expected number', () => {
  // A sum of 400 Poisson numbers: five standard deviations, a false alarm in about two million.
  const draws = Array.from({ length: 400 }, (_, k) => redraw(model, seeded(k)).answer(holding('g', 'a')));
  model.answer(holding('g', 'a')).forEach((expected, cell) => {
    const mean = draws.reduce((all, answers) => all + answers[cell], 0) / 400;
    expect(Math.abs(mean - expected)).toBeLessThan(5 * Math.sqrt(Math.max(expected, 1) / 400) + 1e-9);
  });
});
