import type { AttributeSpec } from '../../src/index.js';
import type { Words } from '../words.js';

/** What a column may hold, in a few words. */
export const specText = (spec: AttributeSpec, { columns }: Words): string => {
  const kind = columns.types[spec.type];
  const empty = spec.null ? `; ${columns.empty.toLowerCase()}` : '';
  return `${kind}${contentsText(spec, columns)}${empty}`;
};

const contentsText = (spec: AttributeSpec, columns: Words['columns']): string => {
  switch (spec.type) {
    case 'boolean':
      return '';
    case 'category': {
      const first = spec.values.slice(0, 4).join(', ');
      const rest = spec.values.length > 4 ? ', …' : '';
      return `: ${first}${rest}${spec.other === undefined ? '' : `, ${spec.other}`}`;
    }
    case 'date':
      return ` ${spec.min} – ${spec.max} ${columns.by} ${columns.periods[spec.by]}`;
    default:
      return spec.edges === undefined
        ? ` ${spec.min} – ${spec.max}, ${spec.bins === undefined ? columns.eachInteger : columns.inBins(spec.bins)}`
        : ` ${spec.edges[0]} – ${spec.edges.at(-1)}, ${columns.inBins(spec.edges.length - 1)}`;
  }
};
