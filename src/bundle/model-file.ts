import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Model } from '../model/model.js';
import { readContainer, writeContainer } from './binary-container.js';
import { graphicalKeeper } from './graphical-keeper.js';
import { groupedKeeper } from './grouped-keeper.js';
import { badModel, type ModelKeeper } from './model-keeper.js';
import { supportKeeper } from './support-keeper.js';

/** A keeper whose kind of model is not known here; it is given models of that kind only. */
interface AnyKeeper extends Omit<ModelKeeper<Model>, 'write'> {
  readonly write: (model: never) => ReturnType<ModelKeeper<Model>['write']>;
}

/** Every kind of model that a bundle can hold, by its `kind`. */
const keepers: Readonly<Record<string, AnyKeeper>> = {
  support: supportKeeper,
  grouped: groupedKeeper,
  graphical: graphicalKeeper,
};

/** How a kind of model is kept, or undefined when nobody knows it. */
export const keeperOf = (kind: string): AnyKeeper | undefined =>
  Object.hasOwn(keepers, kind) ? keepers[kind] : undefined;

export const kindOf = (model: Model): string => ('kind' in model ? String(model.kind) : 'unnamed');

/** The model as bytes. */
export const writeModel = (model: Model): Uint8Array<ArrayBuffer> => {
  const kind = kindOf(model);
  if (!Object.hasOwn(keepers, kind))
    throw new InputError(`model: must be one of ${Object.keys(keepers).join(', ')} to be kept, got ${kind}`);
  return writeContainer({ kind, ...keepers[kind].write(model as never) });
};

/** The model that `writeModel` wrote, over the domain it was made for; `name` is for messages. */
export const readModel = (bytes: Uint8Array, domain: Domain, name: string): Model => {
  const container = readContainer(bytes, name);
  if (!Object.hasOwn(keepers, container.kind))
    throw badModel(name, `a model of kind ${JSON.stringify(container.kind)}`);
  return keepers[container.kind].read(container, domain, name);
};
