import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { compare } from '../experiments/audit/neighbours/compare.js';
import { observe } from '../experiments/audit/neighbours/observe.js';
import { auditPair, pairOf } from '../experiments/audit/neighbours/pairs.js';
import { planted, plants } from '../experiments/audit/neighbours/plants.js';
import { subjects } from '../experiments/audit/neighbours/subjects.js';
import type { Way } from '../experiments/audit/neighbours/ways.js';
import type { Entropy } from '../src/privacy/entropy.js';
import type { Relation } from '../src/query/relation.js';

// What `hooks.ts` does in the audit's own processes: sessions get the primitives of the tape, and draws are counted.
vi.mock('../src/privacy/primitives.js', async (original) => {
  const real = (await original()) as typeof import('../src/privacy/primitives.js');
  const { primitivesOnTape } = await import('../experiments/audit/neighbours/current-tape.js');
  return { ...real, exactPrimitives: (entropy: Entropy) => primitivesOnTape(real.exactPrimitives)(entropy) };
});
vi.mock('../src/random/seeded.js', async (original) => {
  const real = (await original()) as typeof import('../src/random/seeded.js');
  const { currentTape } = await import('../experiments/audit/neighbours/current-tape.js');
  return {
    seeded: (seed: number) => {
      const { uint32 } = real.seeded(seed);
      return { uint32: currentTape()?.counted(seed, uint32) ?? uint32 };
    },
  };
});

const folder = mkdtempSync(path.join(tmpdir(), 'neighbours-'));
const root = path.join(folder, 'run');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const calm = { kind: 'none', at: 0 } as const;

describe('neighbouring tables with the same noisy answers', () => {
  const ways: readonly Way[] = ['memory', 'file', 'release', 'cli'];
  const cases = subjects.flatMap((subject) =>
    ways
      .filter((way) => {
        const isFlow = way === 'release' || way === 'cli';
        return subject.draft === undefined ? subject.registered !== undefined || !isFlow : isFlow;
      })
      .map((way) => [subject.name, way, subject] as const),
  );

  // The whole of it, 200 pairs and more for each of these and both relations: npm run audit -- --neighbours.
  it.each(cases)('look alike to the byte: %s, reached by %s', async (_name, way, subject) => {
    // A file release takes a while, so it has one relation here and the command line the other.
    const relations: readonly Relation[] =
      way === 'release' ? ['add-remove'] : way === 'cli' ? ['replace-one'] : ['add-remove', 'replace-one'];
    for (const [place, relation] of relations.entries()) {
      const pair = pairOf({ root, number: 10 + ways.indexOf(way) + place, subject, relation, way });
      const found = await auditPair(pair);
      expect(found.difference).toBeUndefined();
      expect(found.lines).toBeGreaterThan(0);
    }
  });
});

describe('the neighbour audit', () => {
  const [subject] = subjects;
  const householdSubject = subjects.find(({ name }) => name === 'h-reweight')!;

  it.each(plants.map((plant) => [plant.name, plant] as const))('catches %s', async (_name, plant) => {
    for (const way of ['memory', 'file'] as const)
      for (const of of [subject, householdSubject]) {
        const pair = pairOf({ root, number: 3, subject: of, relation: 'add-remove', way, disturbance: calm });
        expect((await auditPair(pair, planted(plant))).difference, of.name).toBeDefined();
      }
  });

  it('catches what the primitives alone would hide: without replay the two tables look different', async () => {
    const { visit, sides } = pairOf({
      root,
      number: 3,
      subject,
      relation: 'add-remove',
      way: 'memory',
      disturbance: calm,
    });
    const [first, second] = [await observe(visit, sides[0]), await observe(visit, sides[1])];
    expect(compare(first, second)).toBeDefined();
    expect(compare(first, await observe(visit, sides[0]))).toBeUndefined();
  });
});
