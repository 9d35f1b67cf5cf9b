import { distinctTexts, isMadeOf, nullsOf } from '../../learn/summary.js';
import type { BooleanSpec } from '../attribute.js';
import { valueText } from '../value-text.js';
import { type AttributeKind, type Encoder, nullTexts, type OutsideCells, quote, withNull } from './kind.js';

/** Cells of the texts that a boolean attribute reads, in lower case. */
export const BOOLEAN_TEXTS: ReadonlyMap<string, number> = new Map([
  ['false', 0],
  ['f', 0],
  ['no', 0],
  ['n', 0],
  ['0', 0],
  ['true', 1],
  ['t', 1],
  ['yes', 1],
  ['y', 1],
  ['1', 1],
]);

const encoder = (spec: BooleanSpec, { empty, unknown }: OutsideCells): Encoder => {
  const nulls = nullTexts(spec);
  return (value) => {
    if (value === true) return 1;
    if (value === false) return 0;
    const text = valueText(value)?.trim();
    if (text === undefined) return unknown;
    return nulls.has(text) ? empty : (BOOLEAN_TEXTS.get(text.toLowerCase()) ?? unknown);
  };
};

/** False and true. */
export const boolean: AttributeKind<BooleanSpec> = {
  title: 'yes or no',
  entries: {},
  check: (spec, fail) => {
    const clash = spec.nullValues?.find((text) => /^\s*(true|false)\s*$/i.test(text));
    if (clash !== undefined) fail(`\`nullValues\` must not say true or false, got ${quote(clash)}`);
  },
  describe: () => 'false, true',

  cells: () => 2,
  labels: () => ['false', 'true'],
  other: () => undefined,
  order: () => 'fixed',
  single: () => (cell) => cell === 1,
  line: { edges: () => Float64Array.of(0, 1, 2), continuous: false, mean: (from) => from },

  encoder,
  undeclared: 'not true or false (true, false, t, f, yes, no, y, n, 1, 0); correct it or list the text in `nullValues`',
  widen: withNull,
  drawing: () => undefined,
  mapTexts: (spec) => spec,

  // The other texts may as well be categories or numbers.
  recognise: (text) => (/^\s*(true|false|t|f)\s*$/i.test(text) ? Number.NaN : undefined),
  learn: (name, summary) =>
    isMadeOf(summary, 'boolean') && distinctTexts(summary) > 1
      ? { spec: { name, type: 'boolean', ...nullsOf(summary) } }
      : undefined,
};
