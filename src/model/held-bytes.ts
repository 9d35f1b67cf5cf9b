import type { Domain } from '../domain/domain.js';
import { codeColumn } from '../domain/table.js';
import type { GraphicalModel } from './graphical/graphical-model.js';
import { treeSize } from './graphical/tree/junction-tree.js';
import type { GroupedModel } from './grouped-model.js';
import type { Model } from './model.js';
import type { SupportModel } from './support/support-model.js';

/** What a kind of model costs. */
interface Costs<M extends Model> {
  /** Bytes that its tables hold, about. */
  readonly bytes: (model: M) => number;
  /** Rows that a marginal goes over; infinite for models that are not made of rows. */
  readonly visits: (model: M) => number;
}

/** Bytes of a row of codes. */
const rowBytes = ({ attributes }: Domain): number =>
  attributes.reduce((sum, { size }) => sum + codeColumn(size, 0).BYTES_PER_ELEMENT, 0);

interface Kinds {
  readonly graphical: GraphicalModel;
  readonly support: SupportModel;
  readonly grouped: GroupedModel;
}

const costs: { readonly [Kind in keyof Kinds]: Costs<Kinds[Kind]> } = {
  graphical: { bytes: ({ tree }) => treeSize(tree).bytes, visits: () => Number.POSITIVE_INFINITY },
  support: {
    bytes: ({ domain, support }) => support.length * (rowBytes(domain) + 8),
    visits: ({ support }) => support.length,
  },
  grouped: {
    bytes: ({ domain, groups, shared }) =>
      groups.reduce((sum, { rows }) => sum + 4 * rows.length + 200, shared.length * rowBytes(domain)),
    visits: ({ groups }) => groups.reduce((sum, { rows }) => sum + rows.length, 0),
  },
};

const costsOf = (model: Model): Costs<Model> | undefined => {
  const kind = 'kind' in model ? String(model.kind) : '';
  return Object.hasOwn(costs, kind) ? (costs[kind as keyof Kinds] as unknown as Costs<Model>) : undefined;
};

/** Bytes that a model holds in its tables, about; 0 for a kind that nobody knows. */
export const heldBytes = (model: Model): number => costsOf(model)?.bytes(model) ?? 0;

/** Rows that a marginal of the model goes over; infinite where it is not made of rows, or of a kind that nobody knows. */
export const visitsOf = (model: Model): number => costsOf(model)?.visits(model) ?? Number.POSITIVE_INFINITY;
