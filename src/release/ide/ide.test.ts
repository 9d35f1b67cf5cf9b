import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless } from '../../../test/support/replay.js';
import { supportOf } from '../../model/support/support.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession, sessionOn } from '../../privacy/session/open-session.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { ide } from './ide.js';
import { type IdeMeasure, ideWorkload } from './workload.js';

const domain = plainDomain([2, 3, 4]);
const random = seeded(3);
/** Attribute b leans on a, and leans otherwise in private than in public. */
const draw = (count: number, lean: number): Row[] =>
  Array.from({ length: count }, () => {
    const a = uniformInteger(random, 2);
    const b = uniform(random) < lean ? a : uniformInteger(random, 3);
    return [a, b, uniformInteger(random, 4)];
  });
const publicRows = draw(2000, 0.2);
const privateRows = draw(3000, 0.7);
const prior = supportOf({
  domain,
  length: publicRows.length,
  columns: domain.attributes.map((_, i) => Uint8Array.from(publicRows, (row) => row[i])),
});
const options = async (budget: { rho: number; delta: number } | { epsilon: number }) => ({
  source: plainSource(domain, privateRows),
  budget,
  ledger: await memoryLedger(budgetOf(budget), 'plain'),
  entropy: seededEntropy(1),
});
const truth = (a: number, b: number) => privateRows.filter((row) => row[0] === a && row[1] === b).length;

describe('a release by IDE', () => {
  it('reproduces the measured marginals when noise is taken away', async () => {
    const session = sessionOn(await options({ rho: 0.5, delta: 1e-6 }), noiseless, false);
    const { model, notes } = await ide(session, prior, { random, measure: 'pairs', epochs: 2000 });
    expect(notes.converged).toBe(true);
    expect(model.total).toBeCloseTo(3000, 9);
    const counts = model.marginal(['a', 'b']);
    counts.forEach((count, cell) => {
      expect(count).toBeCloseTo(truth(Math.floor(cell / 3), cell % 3), 3);
    });
  });

  it('item 14: measures the cliques of the public table by default, and what it is told otherwise', async () => {
    // b is nearly a copy of a, and c is on its own.
    const dependent = draw(2000, 0.9);
    const columns = domain.attributes.map((_, i) => Uint8Array.from(dependent, (row) => row[i]));
    const support = supportOf({ domain, length: dependent.length, columns });
    const measured = async (measure?: IdeMeasure): Promise<string[]> => {
      const session = openSession(await options({ rho: 0.5, delta: 1e-6 }));
      const told = measure === undefined ? {} : { measure };
      const { measurements } = await ide(session, support, { random, epochs: 1, ...told });
      return measurements.map(({ query }) => attributesOf(query).join('')).sort();
    };
    expect(await measured()).toEqual(['ab', 'c']);
    expect(await measured('cliques')).toEqual(['ab', 'c']);
    expect(await measured('cliques+one-ways')).toEqual(['a', 'ab', 'b', 'c']);
    expect(await measured('one-ways')).toEqual(['a', 'b', 'c']);
    expect(await measured('pairs')).toEqual(['ab', 'ac', 'bc']);
    expect(() => ideWorkload(support, 'triples')).toThrow(
      'measure: must be one of cliques, cliques+one-ways, one-ways, pairs, got "triples"',
    );
  });

  it('joins no attributes whose marginal would have too many cells, whatever they have to do with each other', () => {
    const [a, b] = [4000, 5000];
    const codes = Array.from({ length: 50 }, (_, i) => i);
    const wide = {
      domain: plainDomain([a, b]),
      length: codes.length,
      columns: [Uint16Array.from(codes), Uint16Array.from(codes)],
    };
    expect(ideWorkload(supportOf(wide)).queries.map(({ query }) => attributesOf(query))).toEqual([['a'], ['b']]);
  });

  it('spends what it is given and no more, with the noise of the session, and comes near the private table', async () => {
    for (const [budget, kind] of [
      [{ rho: 0.5, delta: 1e-6 }, 'gaussian'],
      [{ epsilon: 3 }, 'laplace'],
    ] as const) {
      const session = openSession(await options(budget));
      const workload = workloadOf([marginal('a', 'b'), marginal('c')]);
      const { model, measurements } = await ide(session, prior, { random, workload, share: 0.5 });
      expect(session.remaining).toBeCloseTo(0.5, 6);
      expect(measurements.map(({ noise }) => noise.kind)).toEqual([kind, kind]);
      expect(measurements[0].noise.scale).toBe(measurements[1].noise.scale);
      const counts = model.marginal(['a', 'b']);
      // The seeded noise has a scale below 5; the prior is off by hundreds.
      counts.forEach((count, cell) => {
        expect(Math.abs(count - truth(Math.floor(cell / 3), cell % 3))).toBeLessThan(100);
      });
    }
  });
});
