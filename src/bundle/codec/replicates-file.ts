import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import { atOnce, type Turns } from '../../domain/turns.js';
import { heldList } from '../../model/held-list.js';
import type { AnyModel } from '../../model/model.js';
import { redrawing } from '../../model/redraw.js';
import type { Replicates } from '../../model/replicates.js';
import { seeded } from '../../random/seeded.js';
import { type ContainerArray, readContainer, writeContainer } from './binary-container.js';
import { codecOf, kindOf } from './model-file.js';

const equal = (a: ContainerArray, b: ContainerArray | undefined): boolean =>
  b !== undefined && a.constructor === b.constructor && a.length === b.length && a.every((value, i) => value === b[i]);

/** Doubles that are no whole numbers lose half of their digits: bounds need far fewer than are left. */
const narrowed = (array: ContainerArray): ContainerArray =>
  array instanceof Float64Array && !array.every(Number.isInteger) ? Float32Array.from(array) : array;

/**
 * The replicates of a model: of each, the arrays in which it differs from the model, named `0 weights`, `1 weights`, ... What they
 * share with it, such as the rows of a support, is in model.bin. The drawn tables are drawn again from the model.
 */
export const writeReplicates = (
  model: AnyModel,
  { models, seed, clump, inflation }: Replicates,
): Uint8Array<ArrayBuffer> => {
  const kind = kindOf(model);
  const codec = codecOf(kind);
  if (codec === undefined || models.some((replicate) => kindOf(replicate) !== kind))
    throw new InputError(`replicates: must be of the model's kind, ${kind}, to be kept, got others`);
  const base = codec.write(model as never);
  const metas: unknown[] = [];
  const arrays: [string, ContainerArray][] = [];
  models.forEach((replicate, k) => {
    const own = codec.write(replicate as never);
    metas.push(own.meta);
    for (const [name, array] of Object.entries(own.arrays))
      if (!equal(array, base.arrays[name])) arrays.push([`${k} ${name}`, narrowed(array)]);
  });
  return writeContainer({
    kind: 'replicates',
    meta: { inflation, seed, clump, models: metas },
    arrays: Object.fromEntries(arrays),
  });
};

/** The replicates that `writeReplicates` wrote beside this model; `name` is for messages. */
export const readReplicates = (bytes: Uint8Array, model: AnyModel, name: string): Replicates =>
  atOnce(readingReplicates(bytes, model, name));

/** The same in turns. */
export function* readingReplicates(bytes: Uint8Array, model: AnyModel, name: string): Turns<Replicates> {
  const bad = (why: string): InputError =>
    new InputError(`${name}: must hold the replicates of this release, got ${why}; restore it from a copy`);
  const { kind, meta, arrays } = readContainer(bytes, name);
  // Releases of earlier versions have none.
  const { inflation, seed, clump = 1, models } = meta;
  const codec = codecOf(kindOf(model));
  if (kind !== 'replicates' || codec === undefined) throw bad('another kind of file');
  if (typeof inflation !== 'number' || !(inflation >= 1 && inflation < Infinity)) throw bad('no inflation');
  if (!Number.isSafeInteger(seed) || (seed as number) < 0) throw bad('no seed');
  if (typeof clump !== 'number' || !(clump >= 1 && clump < Infinity)) throw bad('no clump');
  if (!Array.isArray(models) || models.length < 2) throw bad('fewer than two');
  if (models.length > limits.replicates) throw bad(`${models.length} of them where ${limits.replicates} are the most`);
  const base = codec.write(model as never);
  const own: Record<string, ContainerArray>[] = models.map(() => Object.assign(Object.create(null), base.arrays));
  for (const [key, array] of Object.entries(arrays)) {
    const [, k, array_] = /^(\d+) (.+)$/s.exec(key) ?? [];
    if (k === undefined || own[Number(k)] === undefined) throw bad('an array of no replicate');
    own[Number(k)][array_] = array instanceof Float32Array ? Float64Array.from(array) : array;
  }
  const { list: read } = heldList(models.length, function* (k) {
    yield;
    const its: unknown = models[k];
    if (typeof its !== 'object' || its === null) throw bad('a replicate without facts');
    const meta = its as Record<string, unknown>;
    return codec.read({ kind: kindOf(model), meta, arrays: own[k] }, model.domain, name);
  });
  // Each is read once to see that it can be. They are made one after the other, so what they take together is time more than memory.
  let need = 0;
  for (let k = 0; k < models.length; k++) {
    yield;
    need += read[k].cost?.bytes ?? 0;
    if (need > limits.replicateBytes)
      throw bad(
        `tables of more than ${bytesText(limits.replicateBytes)} in all (${bytesText(need)} for the first ${k + 1} of ${models.length})`,
      );
  }
  // Drawing takes longer than reading, and not everybody asks for bounds.
  const drawn = heldList(models.length, (k) => redrawing(model, seeded((seed as number) + k), clump));
  return { inflation, seed: seed as number, clump, truths: drawn.list, open: drawn.open, models: read };
}
