import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.js';
import { readCorpus } from './read-corpus.js';
import { targets } from './targets.js';

const root = path.resolve(import.meta.dirname, '..');
/** Processor time that is a hang on any machine; the fuzzer itself is stricter. */
const patience = 20_000;

describe('the inputs that the fuzzer kept', () => {
  it.each(targets.map((target) => [target.name, target] as const))(
    '%s: each is taken or refused in a sentence, without a hang, a flood of memory or a private value',
    async (name, target) => {
      const inputs = readCorpus(root, name);
      expect(inputs.length).toBeGreaterThan(0);
      const faults: string[] = [];
      for (const bytes of inputs) {
        const { fault, detail } = await judge(target, bytes, patience);
        if (fault !== undefined) faults.push(`${fault}: ${detail}`);
      }
      expect(faults).toEqual([]);
    },
  );

  it.each(targets.map((target) => [target.name, target] as const))(
    '%s: what the product itself makes is taken, so that changes of it get far',
    async (_, target) => {
      const outcomes = [];
      for (const bytes of (await target.seeds?.()) ?? []) outcomes.push((await judge(target, bytes, patience)).outcome);
      expect(outcomes).toContain('taken');
      expect(outcomes).not.toContain('finding');
    },
  );

  it('finds an error that is no InputError, a private value, and a broken law', async () => {
    const target = { name: 'planted', mutate: (bytes: Uint8Array) => bytes, secrets: ['Qzx'] };
    const bytes = new Uint8Array();
    const planted = (run: () => string) => judge({ ...target, run }, bytes);
    expect(await planted(() => 'fine')).toMatchObject({ outcome: 'taken' });
    expect(await planted(() => 'it was Qzx')).toMatchObject({ fault: 'a private value is told' });
    expect(
      await planted(() => {
        throw new TypeError('x');
      }),
    ).toMatchObject({ outcome: 'finding', fault: expect.stringContaining('TypeError') });
    expect(
      await planted(() => {
        new Float64Array(2 ** 27);
        return '';
      }),
    ).toMatchObject({ fault: expect.stringContaining('MiB') });
  });
});
