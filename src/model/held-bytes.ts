import { codeColumn } from '../domain/table.js';
import type { GraphicalModel } from './graphical/graphical-model.js';
import { treeSize } from './graphical/tree/junction-tree.js';
import type { GroupedModel } from './grouped-model.js';
import type { Model } from './model.js';
import type { SupportModel } from './support/support-model.js';

/** Bytes that a model holds in its tables, about. */
export const heldBytes = (model: Model): number => {
  const kind = 'kind' in model ? model.kind : undefined;
  if (kind === 'graphical') return treeSize((model as GraphicalModel).tree).bytes;
  const width = model.domain.attributes.reduce((sum, { size }) => sum + codeColumn(size, 0).BYTES_PER_ELEMENT, 0);
  if (kind === 'support') return (model as SupportModel).support.length * (width + 8);
  if (kind === 'grouped') {
    const { groups, shared } = model as GroupedModel;
    return groups.reduce((sum, { rows }) => sum + 4 * rows.length + 200, shared.length * width);
  }
  return 0;
};
