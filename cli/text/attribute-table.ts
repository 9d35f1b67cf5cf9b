import { kindOf } from '../../src/advanced.js';
import { domainFromSchema, type LearnedSchema } from '../../src/index.js';
import type { Io } from '../command.js';
import { clip, count, dim, table } from '../terminal/print.js';

/** What was learned from a public table: a line for each attribute, then the columns that were left out. */
export const attributeTable = ({ schema, notes }: LearnedSchema, io: Io): string => {
  const { attributes } = domainFromSchema(schema);
  const noteOf = new Map(notes.map(({ column, note }) => [column, note]));
  const longestName = Math.min(24, Math.max(9, ...attributes.map(({ name }) => name.length)));
  // What the other columns and the gaps between them leave of the line.
  const widest = Math.max(24, io.columns - longestName - 28);
  const rows = attributes.map(({ name, size, spec }) => {
    const note = noteOf.get(name);
    const declared = kindOf(spec).describe(spec);
    const text = note === undefined ? declared : `${declared}; ${note}`;
    return [clip(name, 24, io.unicode), spec.type, count(size), spec.null ? 'yes' : '', clip(text, widest, io.unicode)];
  });
  const headings = [
    { title: 'attribute' },
    { title: 'type' },
    { title: 'cells', align: 'right' },
    { title: 'null' },
    { title: 'values' },
  ] as const;
  const names = new Set(attributes.map(({ name }) => name));
  const left = notes.filter(({ column }) => !names.has(column));
  const product = attributes.reduce((log, { size }) => log + Math.log10(size), 0);
  const lines = left.map(({ column, note }) => `${clip(column, 24, io.unicode)}: ${note}\n`).join('');
  const cells = `${attributes.length} attributes, together about 10^${Math.round(product)} cells`;
  return `${table(headings, rows, io)}${dim(cells, io)}\n${lines && `\n${lines}`}`;
};
