import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { type CodeColumn, codeColumn } from '../domain/table.js';
import type { Model } from '../model/model.js';
import { type SupportModel, supportModel } from '../model/support-model.js';
import { type Container, readContainer, writeContainer } from './binary-container.js';

/** How one kind of model is kept in a container. */
interface Keeper {
  readonly write: (model: never) => Omit<Container, 'kind'>;
  readonly read: (container: Container, domain: Domain, name: string) => Model;
}

const bad = (name: string, why: string): InputError =>
  new InputError(`${name}: must hold a model of this release, got ${why}; restore it from a copy`);

/** A weighted support: a column of codes for each attribute (named by its position), and the weights of the rows. */
const support: Keeper = {
  write: ({ total, support: { columns, weights } }: SupportModel) => ({
    meta: { total },
    arrays: { ...Object.fromEntries(columns.map((column, index) => [`column ${index}`, column])), weights },
  }),
  read: ({ meta, arrays }, domain, name) => {
    const { weights } = arrays;
    const { total } = meta;
    if (!(weights instanceof Float64Array) || weights.length === 0) throw bad(name, 'no weights');
    if (typeof total !== 'number' || !(total >= 0 && total < Infinity)) throw bad(name, 'no total');
    const length = weights.length;
    const sum = weights.reduce((all, weight) => all + (weight >= 0 ? weight : Number.NaN), 0);
    if (!(Math.abs(sum - 1) < 1e-6)) throw bad(name, 'weights that do not add up to 1');
    const columns = domain.attributes.map(({ size, name: attribute }, index): CodeColumn => {
      const column = arrays[`column ${index}`];
      const expected = codeColumn(size, 0);
      if (column?.constructor !== expected.constructor || column.length !== length)
        throw bad(name, `no column of ${length} codes for ${JSON.stringify(attribute)}`);
      for (let row = 0; row < length; row++)
        if (column[row] >= size) throw bad(name, `a code beyond the cells of ${JSON.stringify(attribute)}`);
      return column as CodeColumn;
    });
    if (Object.keys(arrays).length !== columns.length + 1) throw bad(name, 'arrays nobody knows');
    return supportModel({ domain, length, columns, weights }, total);
  },
};

/** Every kind of model that a bundle can hold, by its `kind`. */
const keepers: Readonly<Record<string, Keeper>> = { support };

const kindOf = (model: Model): string => ('kind' in model ? String(model.kind) : 'unnamed');

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
  if (!Object.hasOwn(keepers, container.kind)) throw bad(name, `a model of kind ${JSON.stringify(container.kind)}`);
  return keepers[container.kind].read(container, domain, name);
};
