import { createHash } from 'node:crypto';
import { readModel, writeModel } from '../../src/bundle/codec/model-file.js';
import { manifestName } from '../../src/bundle/manifest.js';
import { manifestText, readManifest } from '../../src/bundle/manifest-text.js';
import { openBundle } from '../../src/bundle/open-bundle.js';
import { verifyBundle } from '../../src/bundle/verify-bundle.js';
import { answerSql } from '../../src/evaluate/sql/answer-sql.js';
import { seeded } from '../../src/random/seeded.js';
import { type Files, pack, unpack } from '../archive.js';
import { mutateBytes } from '../mutate/bytes.js';
import { mutateContainer } from '../mutate/container.js';
import { mutateJson } from '../mutate/json.js';
import { below, type Mutator, mixed, oneOf } from '../mutate/mutator.js';
import { resealedFiles } from '../repair.js';
import { same } from '../same.js';
import { bundleSeeds } from '../seeds.js';
import type { Target } from '../target.js';
import { jsonWords } from '../words.js';

const storeOf = (files: Files) => ({
  read: async (name: string) => (Object.hasOwn(files, name) ? files[name] : undefined),
  describe: async (name: string) =>
    Object.hasOwn(files, name)
      ? { name, bytes: files[name].length, sha256: createHash('sha256').update(files[name]).digest('hex') }
      : undefined,
  names: async () => Object.keys(files),
});

/** What anybody might ask of a release whose attributes they do not know. */
const questions = (names: readonly string[]): string[] => [
  'SELECT COUNT(*) FROM data',
  ...names.slice(0, 3).flatMap((name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    return [
      `SELECT ${quoted}, COUNT(*) FROM data GROUP BY ${quoted} ORDER BY 2 DESC LIMIT 3`,
      `SELECT AVG(${quoted}) FROM data`,
    ];
  }),
];

/** Opens, verifies, asks and draws, as `verify`, `query` and `report` do. */
const run = async (bytes: Uint8Array): Promise<string> => {
  const files = unpack(bytes);
  if (Object.hasOwn(files, manifestName)) {
    const { manifest } = readManifest(files[manifestName]);
    const again = readManifest(new TextEncoder().encode(manifestText(manifest)));
    same(again.manifest, manifest, 'a manifest reads back as it was written');
    if (!again.intact) same(1, 2, 'a manifest that was written is intact');
  }
  const { faults } = await verifyBundle(storeOf(files));
  const bundle = openBundle(files);
  const { model } = bundle;
  const written = writeModel(model);
  same(writeModel(readModel(written, model.domain, 'again')), written, 'a model reads back as it was written');
  const names = model.domain.attributes.map(({ name }) => name);
  const answers = questions(names).map((question) => {
    try {
      return answerSql(question, bundle);
    } catch (error) {
      return (error as Error).name === 'InputError' ? (error as Error).message : Promise.reject(error);
    }
  });
  const settled = await Promise.all(answers);
  if (model.total > 0) model.sample(5, seeded(1));
  return JSON.stringify([faults, settled]);
};

/** Changes one of the files. */
const inPart =
  (names: readonly string[], mutator: Mutator): Mutator =>
  (bytes, other, random) => {
    const files: Record<string, Uint8Array> = { ...unpack(bytes) };
    const donor = unpack(other);
    const present = names.filter((name) => files[name] !== undefined);
    if (present.length === 0) return bytes;
    const name = oneOf(present, random);
    // Now and then a whole file of another bundle.
    if (donor[name] !== undefined && below(20, random) === 0) files[name] = donor[name];
    else files[name] = mutator(files[name], donor[name] ?? files[name], random);
    return pack(files);
  };

const repair = (bytes: Uint8Array): Uint8Array => resealedFiles(bytes, manifestName);
const binary = mixed([6, mutateContainer], [1, mutateBytes]);
const json = mixed([8, mutateJson(jsonWords)], [1, mutateBytes]);
const common = { run, repair, seeds: bundleSeeds };

/** A release's directory, attacked through each of its files, with hashes made anew most of the time. */
export const bundleTargets: readonly Target[] = [
  {
    ...common,
    name: 'bundle',
    mutate: mixed([3, inPart([manifestName], json)], [1, inPart(['model.bin'], binary)]),
    share: 2,
  },
  { ...common, name: 'model', mutate: inPart(['model.bin'], binary), share: 2 },
  { ...common, name: 'measurements', mutate: inPart(['measurements.bin'], binary) },
  { ...common, name: 'replicates', mutate: inPart(['replicates.bin', 'replicates.bin', 'model.bin'], binary) },
];
export { inPart };
