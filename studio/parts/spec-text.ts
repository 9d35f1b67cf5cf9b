import type { AttributeSpec } from '../../src/index.js';
import type { Language, Words } from '../words.js';
import { numbers } from './numbers.js';

/** What a column may hold, in a few words. */
export const specText = (spec: AttributeSpec, { columns }: Words, language: Language): string => {
  const kind = columns.types[spec.type];
  const empty = spec.null ? `; ${columns.empty.toLowerCase()}` : '';
  return `${kind}${contentsText(spec, columns, language)}${empty}`;
};

const contentsText = (spec: AttributeSpec, columns: Words['columns'], language: Language): string => {
  const { declared } = numbers(language);
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
        ? ` ${declared(spec.min!)} – ${declared(spec.max!)}, ${spec.bins === undefined ? columns.eachInteger : columns.inBins(spec.bins)}`
        : ` ${declared(spec.edges[0])} – ${declared(spec.edges.at(-1)!)}, ${columns.inBins(spec.edges.length - 1)}`;
  }
};
