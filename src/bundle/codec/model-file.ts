import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type Answering, type AnyModel, type Model, modelsHouseholds } from '../../model/model.js';
import { readContainer, writeContainer } from './binary-container.js';
import { graphicalCodec } from './graphical-codec.js';
import { groupedCodec } from './grouped-codec.js';
import { householdMixtureCodec } from './household-mixture-codec.js';
import { householdsCodec } from './households-codec.js';
import { localCodec } from './local-codec.js';
import { mixtureCodec } from './mixture-codec.js';
import { badModel, type ModelCodec } from './model-codec.js';
import { supportCodec } from './support-codec.js';

/** A codec whose kind of model is not known here; it is given models of that kind only. */
interface AnyCodec extends Omit<ModelCodec<AnyModel>, 'write'> {
  readonly write: (model: never) => ReturnType<ModelCodec<AnyModel>['write']>;
}

/** Every kind of model that a bundle can hold, by its `kind`. */
const codecs: Readonly<Record<string, AnyCodec>> = {
  support: supportCodec,
  grouped: groupedCodec,
  graphical: graphicalCodec,
  local: localCodec,
  mixture: mixtureCodec,
  households: householdsCodec,
  'household-mixture': householdMixtureCodec,
};

/** How a kind of model is kept, or undefined when nobody knows it. */
export const codecOf = (kind: string): AnyCodec | undefined => (Object.hasOwn(codecs, kind) ? codecs[kind] : undefined);

export const kindOf = (model: Answering): string => ('kind' in model ? String(model.kind) : 'unnamed');

/** The model as bytes. */
export const writeModel = (model: AnyModel): Uint8Array<ArrayBuffer> => {
  const kind = kindOf(model);
  if (!Object.hasOwn(codecs, kind))
    throw new InputError(`model: must be one of ${Object.keys(codecs).join(', ')} to be kept, got ${kind}`);
  return writeContainer({ kind, ...codecs[kind].write(model as never) });
};

/** The same of a model of rows; one of households is refused. */
export const readRowModel = (bytes: Uint8Array, domain: Domain, name: string): Model => {
  const model = readModel(bytes, domain, name);
  if (modelsHouseholds(model)) throw badModel(name, 'one of households');
  return model;
};

/** The model that `writeModel` wrote, over the domain it was made for; `name` is for messages. */
export const readModel = (bytes: Uint8Array, domain: Domain, name: string): AnyModel => {
  const container = readContainer(bytes, name);
  if (!Object.hasOwn(codecs, container.kind)) throw badModel(name, `a model of kind ${JSON.stringify(container.kind)}`);
  return codecs[container.kind].read(container, domain, name);
};
