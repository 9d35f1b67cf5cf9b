import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BundleFiles } from '../src/bundle/checked-files.js';
import {
  type Container,
  type ContainerArray,
  readContainer,
  writeContainer,
} from '../src/bundle/codec/binary-container.js';
import { readMeasurements, writeMeasurements } from '../src/bundle/codec/measurements-file.js';
import { readModel, readRowModel, writeModel } from '../src/bundle/codec/model-file.js';
import { entryOf } from '../src/bundle/make-bundle.js';
import type { Manifest } from '../src/bundle/manifest.js';
import { manifestText, readManifest } from '../src/bundle/manifest-text.js';
import { openBundle } from '../src/bundle/open-bundle.js';
import { type BundleStore, verifyBundle } from '../src/bundle/verify-bundle.js';
import { InputError } from '../src/domain/input-error.js';
import { distinctCliques } from '../src/estimate/graphical/targets.js';
import { graphicalModel } from '../src/model/graphical/graphical-model.js';
import { junctionTree } from '../src/model/graphical/tree/junction-tree.js';
import { groupedModel } from '../src/model/grouped-model.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { exactPrimitives } from '../src/privacy/primitives.js';
import type { Session } from '../src/privacy/session/session.js';
import { marginal } from '../src/query/marginal.js';
import { prefix } from '../src/query/query.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { mechanisms } from '../src/release/registry.js';
import { type Settings, settingsOf } from '../src/release/settings.js';
import { randomFactors } from './support/full-table.js';
import { plainDomain } from './support/plain-source.js';
import { recording, replaying } from './support/replay.js';
import { domain, prior, publicTable, rows, smallRelease } from './support/small-release.js';

const storeOf = (files: BundleFiles): BundleStore => ({
  read: async (name) => files[name],
  describe: async (name) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
});

const faultsOf = async (files: BundleFiles): Promise<readonly string[]> => (await verifyBundle(storeOf(files))).faults;

/** The files with a manifest that says something else, and whose own hash is right again. */
const retold = (files: BundleFiles, change: (manifest: Manifest) => Manifest): BundleFiles => {
  const { manifest } = readManifest(files['bundle.json']);
  return { ...files, 'bundle.json': new TextEncoder().encode(manifestText(change(manifest))) };
};

const array = fc.oneof(
  fc.uint8Array({ maxLength: 9 }),
  fc.uint16Array({ maxLength: 9 }),
  fc.uint32Array({ maxLength: 9 }),
  fc.int32Array({ maxLength: 9 }),
  fc.float64Array({ maxLength: 9, noNaN: true }),
);
const container: fc.Arbitrary<Container> = fc.record({
  kind: fc.string(),
  meta: fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string()), { noNullPrototype: true }),
  arrays: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), array, { noNullPrototype: true }),
});

/** Settings of mechanisms that need some, or take long without. */
const smallest: Readonly<Record<string, Settings>> = {
  grouped: { keys: 'a,b' },
  gem: { rounds: 2, batch: 20, steps: 5, publicSteps: 5 },
};

describe('a container', () => {
  it('gives back what was written, wherever its bytes begin in memory', () => {
    fc.assert(
      fc.property(container, fc.nat(7), (content, shift) => {
        const bytes = writeContainer(content);
        expect(bytes.length % 8).toBe(0);
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        expect(readContainer(moved.subarray(shift), 'x')).toEqual(content);
        expect(readContainer(Buffer.from(moved.buffer, shift), 'x')).toEqual(content);
      }),
      { numRuns: 200 },
    );
  });

  it('is refused in one sentence when it is cut or longer than its header says', () => {
    const bytes = writeContainer({ kind: 'k', meta: {}, arrays: { x: Float64Array.of(1, 2) } });
    for (let length = 0; length < bytes.length; length++)
      expect(() => readContainer(bytes.subarray(0, length), 'x.bin'), `${length} bytes`).toThrow(/^x\.bin: must be as/);
    expect(() => readContainer(new Uint8Array([...bytes, 0]), 'x.bin')).toThrow(InputError);
  });
});

describe('a bundle', () => {
  it('restores the model and the measurements exactly', async () => {
    const { files, released } = await smallRelease();
    const { model, measurements, manifest } = openBundle(files);
    expect(measurements).toEqual(released.measurements);
    expect(model.total).toBe(released.model.total);
    for (const query of [marginal('a', 'b'), marginal('c'), prefix('c'), marginal()])
      expect(model.answer(query)).toEqual(released.model.answer(query));
    expect(model.sample(50, seeded(3))).toEqual(released.model.sample(50, seeded(3)));
    expect(manifest.mechanism.name).toBe('everything');
    expect(manifest.privacy.seeded).toBe(true);
  });

  it('draws the rows of a graphical model again, whatever cliques its tree was made of', () => {
    const random = seeded(4);
    const wide = plainDomain([2, 3, 2, 4, 2, 3, 2, 2]);
    const names = wide.attributes.map(({ name }) => name);
    for (let round = 0; round < 40; round++) {
      const cliques = distinctCliques(
        Array.from({ length: 9 }, () => [...new Set([0, 1].map(() => names[uniformInteger(random, names.length)]))]),
      );
      const tree = junctionTree(wide, cliques);
      const model = graphicalModel(tree, randomFactors(tree, cliques, round, 1), 50);
      const again = readRowModel(writeModel(model), wide, 'model.bin');
      expect(again.sample(30, seeded(round))).toEqual(model.sample(30, seeded(round)));
    }
  });

  it('keeps a model of groups exactly, and refuses one whose groups do not fit', () => {
    const inside = { attributes: [domain.attributes[0], domain.attributes[2]] };
    const shared = { domain: inside, length: 3, columns: [Uint8Array.of(0, 2, 1), Uint16Array.of(299, 0, 17)] };
    const groups = [
      { key: [0], total: 5, rows: Uint32Array.of(0, 0, 2) },
      { key: [1], total: 0, rows: Uint32Array.of(1) },
    ];
    const model = groupedModel(domain, ['b'], shared, groups);
    const bytes = writeModel(model);
    const again = readRowModel(bytes, domain, 'm');
    for (const names of [['a', 'b', 'c'], ['c'], []]) expect(again.marginal(names)).toEqual(model.marginal(names));
    expect(again.sample(9, seeded(1))).toEqual(model.sample(9, seeded(1)));
    const { kind, meta, arrays } = readContainer(bytes, 'm');
    const lies: Record<string, ContainerArray>[] = [
      { rows: Uint32Array.of(0, 0, 3, 1) },
      { keys: Uint32Array.of(0, 2) },
      { starts: Uint32Array.of(0, 0, 4) },
      { starts: Uint32Array.of(0, 3, 5) },
      { totals: Float64Array.of(5, -1) },
      { 'column 0': Uint8Array.of(0, 3, 1) },
    ];
    for (const lie of lies)
      expect(() => readModel(writeContainer({ kind, meta, arrays: { ...arrays, ...lie } }), domain, 'm')).toThrow(
        /^m: must hold a model of this release/,
      );
  });

  it('keeps values beyond 32 bits', () => {
    const wide = {
      query: marginal('b'),
      noise: { kind: 'laplace', scale: 1e12 },
      values: Float64Array.of(-(2 ** 40), 7),
    } as const;
    expect(readMeasurements(writeMeasurements([wide]), [wide], domain, 'm')).toEqual([wide]);
  });

  it('is found whole under both relations, both currencies, and with an id as unit', async () => {
    const unit = { kind: 'id', column: 'who', maxRecords: 3 } as const;
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const budget of [{ epsilon: 3, delta: 1e-6 }, { epsilon: 3 }])
        for (const extra of [{}, { unit }])
          expect(await faultsOf((await smallRelease({ relation, budget, ...extra })).files)).toEqual([]);
  });

  it('depends on nothing private but the outputs of the primitives: replayed on neighbours it is equal byte for byte', async () => {
    const recorded = recording(exactPrimitives(seededEntropy(11)));
    const { files } = await smallRelease({ primitives: recorded.primitives });
    const neighbours = [rows.slice(1), [...rows, [1, 0, 250]], [], rows.map(() => [2, 1, 299])];
    for (const table of neighbours) {
      const again = await smallRelease({ table, primitives: replaying(recorded.outputs) });
      expect(Object.keys(again.files)).toEqual(Object.keys(files));
      for (const [name, bytes] of Object.entries(files))
        expect(Buffer.from(bytes).equals(again.files[name]), name).toBe(true);
    }
    // The comparison can fail: other outputs make other files.
    const other = await smallRelease({ primitives: exactPrimitives(seededEntropy(12)) });
    expect(Buffer.from(files['measurements.bin']).equals(other.files['measurements.bin'])).toBe(false);
  });
});

describe.each(mechanisms.map((mechanism) => ({ name: mechanism.name, mechanism })))(
  'a bundle of $name',
  ({ mechanism }) => {
    const make = (session: Session) =>
      mechanism.release(
        session,
        prior,
        { random: seeded(1), threads: 1, publicTable },
        settingsOf(mechanism, smallest[mechanism.name] ?? {}),
      );

    it('depends on nothing private but the outputs of the primitives', async () => {
      const recorded = recording(exactPrimitives(seededEntropy(21)));
      const { files } = await smallRelease({ make, primitives: recorded.primitives });
      expect(await faultsOf(files)).toEqual([]);
      for (const table of [rows.slice(1), [...rows, [1, 0, 250]]]) {
        const again = await smallRelease({ make, table, primitives: replaying(recorded.outputs) });
        for (const [name, bytes] of Object.entries(files))
          expect(Buffer.from(bytes).equals(again.files[name]), name).toBe(true);
      }
    });
  },
);

describe('verifying', () => {
  it('notices a change of any byte of any file', async () => {
    const { files } = await smallRelease();
    for (const [name, bytes] of Object.entries(files)) {
      const step = Math.max(1, Math.floor(bytes.length / 150));
      for (let at = 0; at < bytes.length; at += step) {
        const changed = bytes.slice();
        changed[at] ^= 1;
        const faults = await faultsOf({ ...files, [name]: changed });
        expect(faults.join('\n'), `${name}, byte ${at}`).toContain(name);
        expect(() => openBundle({ ...files, [name]: changed }), `${name}, byte ${at}`).toThrow(InputError);
      }
    }
  });

  it('names a file that is missing, cut, or not listed', async () => {
    const { files } = await smallRelease();
    const { 'model.bin': model, ...rest } = files;
    expect(await faultsOf(rest)).toEqual(['model.bin: must be in the bundle, got no such file']);
    expect((await faultsOf({ ...files, 'model.bin': model.slice(8) }))[0]).toMatch(/^model\.bin: must have \d+ bytes/);
    expect(await faultsOf({ ...files, 'notes.txt': new Uint8Array(1) })).toEqual([
      'notes.txt: must be listed in bundle.json, got a file that is not',
    ]);
    await expect(verifyBundle(storeOf({}))).rejects.toThrow(/^bundle\.json: must be in the directory of a release/);
  });

  it('finds the lie when bundle.json is changed and its hash made anew', async () => {
    const { files } = await smallRelease();
    const lies: [string, (manifest: Manifest) => Manifest, RegExp][] = [
      [
        'one charge',
        (m) => ({
          ...m,
          charges: m.charges.map((act, i) =>
            i === 0
              ? {
                  ...act,
                  charges: act.charges.map(
                    (charge) => ({ ...charge, sigmaSquared: { numerator: 10n ** 9n, denominator: 1n } }) as never,
                  ),
                }
              : act,
          ),
        }),
        /privacy statement: its spent must follow[\s\S]*measurement 1 \(total\): must have a charge/,
      ],
      [
        'one noise scale',
        (m) => ({
          ...m,
          measurements: m.measurements.map((one, i) =>
            i === 2 ? { ...one, noise: { ...one.noise, scale: one.noise.scale / 2 } } : one,
          ),
        }),
        /measurement 3 \(a x b\): must have a charge/,
      ],
      ['a charge left out', (m) => ({ ...m, charges: m.charges.slice(1) }), /privacy statement: its spent/],
      [
        'noise denied',
        (m) => ({
          ...m,
          measurements: m.measurements.map((one) => ({ ...one, noise: { kind: 'none', scale: 0 } as const })),
        }),
        /measurement 1 \(total\): must have noise/,
      ],
      [
        'a stronger guarantee',
        (m) => ({ ...m, privacy: { ...m.privacy, epsilon: '0.5' } }),
        /privacy statement: its epsilon must follow/,
      ],
      [
        'another relation',
        (m) => ({ ...m, privacy: { ...m.privacy, relation: 'replace-one' } }),
        /privacy statement: its text|must have a charge/,
      ],
      [
        'a smaller budget',
        (m) => ({ ...m, budget: { ...m.budget, total: '0.000001' } }),
        /charges: must stay within the budget/,
      ],
      [
        'a larger unit',
        (m) => ({ ...m, privacy: { ...m.privacy, unit: { kind: 'id', column: 'x', maxRecords: 9 } } }),
        /must have a charge/,
      ],
      [
        'a measurement left out',
        (m) => ({ ...m, measurements: m.measurements.slice(0, -1) }),
        /measurements\.bin: must hold/,
      ],
      [
        'a query that was not asked',
        (m) => ({
          ...m,
          measurements: m.measurements.map((one, i) => (i === 1 ? { ...one, query: marginal('a', 'c') } : one)),
        }),
        /measurements\.bin: must hold/,
      ],
      [
        'other cells',
        (m) => ({
          ...m,
          schema: {
            ...m.schema,
            attributes: [{ name: 'a', type: 'integer', min: 0, max: 1 }, ...m.schema.attributes.slice(1)],
          },
        }),
        /model\.bin: must hold a model of this release, got a code beyond/,
      ],
    ];
    for (const [what, change, says] of lies)
      expect((await faultsOf(retold(files, change))).join('\n'), what).toMatch(says);
  });
});
