import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type CodeColumn, codeColumn } from '../../domain/table.js';
import type { AnyModel } from '../../model/model.js';
import type { Container, ContainerArray } from './binary-container.js';

/** How one kind of model is kept in a container. */
export interface ModelCodec<M extends AnyModel> {
  readonly write: (model: M) => Omit<Container, 'kind'>;
  /** Checks everything that the model relies on; `name` is the file's, for messages. */
  readonly read: (container: Container, domain: Domain, name: string) => M;
}

export const badModel = (name: string, why: string): InputError =>
  new InputError(`${name}: must hold a model of this release, got ${why}; restore it from a copy`);

/** Columns of codes as arrays of a container, named by their position. */
export const columnArrays = (columns: readonly CodeColumn[]): Record<string, ContainerArray> =>
  Object.fromEntries(columns.map((column, index) => [`column ${index}`, column]));

/** The columns of a domain that `columnArrays` named, each of `length` codes that the domain has. */
export const readColumnArrays = ({ arrays }: Container, domain: Domain, length: number, name: string): CodeColumn[] =>
  domain.attributes.map(({ size, name: attribute }, index) => {
    const column = arrays[`column ${index}`];
    if (column?.constructor !== codeColumn(size, 0).constructor || column.length !== length)
      throw badModel(name, `no column of ${length} codes for ${JSON.stringify(attribute)}`);
    for (let row = 0; row < length; row++)
      if (column[row] >= size) throw badModel(name, `a code beyond the cells of ${JSON.stringify(attribute)}`);
    return column as CodeColumn;
  });
