import * as v from 'valibot';
import type { CategorySpec } from '../attribute.js';
import { firstRepeated } from '../first-repeated.js';
import { valueText } from '../value-text.js';
import { type AttributeKind, type Encoder, type OutsideCells, quote } from './kind.js';

const check = (spec: CategorySpec, fail: (text: string) => never): void => {
  const repeated = firstRepeated(spec.values);
  if (repeated !== undefined) fail(`\`values\` must differ, got ${quote(repeated)} twice`);
  const values = new Set(spec.values);
  const clash = spec.nullValues?.find((text) => values.has(text));
  if (clash !== undefined) {
    fail(`${quote(clash)} stands in both \`values\` and \`nullValues\`; take it out of one`);
  }
  if (spec.other === undefined) return;
  if (spec.other === '') fail('`other` must be a label, got an empty text');
  if (values.has(spec.other)) {
    fail(`\`other\` must not be one of the \`values\`, got ${quote(spec.other)}; choose another label`);
  }
  if (spec.nullValues?.includes(spec.other)) {
    fail(`\`other\` must not be one of the \`nullValues\`, got ${quote(spec.other)}; choose another label`);
  }
};

const encoder = (spec: CategorySpec, { empty, unknown }: OutsideCells): Encoder => {
  const cells = new Map<string, number>([['', empty]]);
  for (const text of spec.nullValues ?? []) cells.set(text, empty);
  if (spec.other !== undefined) cells.set(spec.other, spec.values.length); // what synthetic rows hold is inside under every rule
  for (const [cell, text] of spec.values.entries()) cells.set(text, cell); // a declared '' is a value
  return (value) => {
    const text = valueText(value);
    if (text === undefined) return unknown;
    return text === '' && typeof value !== 'string' ? empty : (cells.get(text) ?? unknown);
  };
};

/** The texts of all cells but the null cell. */
const textsOf = ({ values, other }: CategorySpec): readonly string[] =>
  other === undefined ? values : [...values, other];

/** A label for undeclared values that none of the texts has: the one that is wanted, in brackets where that is needed. */
export const freeOther = (texts: Iterable<string>, wanted = 'other'): string => {
  const taken = new Set(texts);
  let other = wanted;
  while (taken.has(other)) other = `(${other})`;
  return other;
};

/** Listed texts. */
export const category: AttributeKind<CategorySpec> = {
  title: 'categories',
  entries: {
    values: v.pipe(v.array(v.string()), v.nonEmpty()),
    other: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    ordered: v.exactOptional(v.boolean()),
  },
  check,
  describe: (spec) => textsOf(spec).join(', '),

  cells: ({ values }) => values.length,
  labels: ({ values }) => [...values],
  other: ({ other }) => other,
  order: ({ ordered }) => (ordered === true ? 'ordered' : 'free'),
  single: (spec) => {
    const texts = textsOf(spec);
    return (cell) => texts[cell];
  },
  line: {
    edges: ({ values }) => Float64Array.from({ length: values.length + 1 }, (_, i) => i),
    unit: 'values',
    continuous: false,
    mean: () => undefined,
  },

  encoder,
  undeclared: "not a declared value; add it to the schema's values or give the attribute an `other`",
  widen: (spec) =>
    spec.other === undefined ? { ...spec, other: freeOther([...spec.values, ...(spec.nullValues ?? [])]) } : spec,
  drawing: () => undefined,
  mapTexts: (spec, map) => {
    const values = spec.values.map(map);
    return spec.other === undefined ? { ...spec, values } : { ...spec, values, other: map(spec.other) };
  },

  // Any text may be a category: it takes what looks like no other type (`learnAttribute`).
  recognise: () => undefined,
  learn: () => undefined,
};
