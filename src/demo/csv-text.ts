import type { DemoColumns, DemoValue } from './demo-country.js';

/** Columns as the lines of a CSV file (RFC 4180, \n), with or without the line of names; null is an empty field. */
export const csvText = (columns: DemoColumns, { header = true }: { header?: boolean | undefined } = {}): string => {
  const names = Object.keys(columns);
  const values = names.map((name) => columns[name]);
  const length = values[0]?.length ?? 0;
  const lines = new Array<string>(length);
  for (let row = 0; row < length; row++) {
    let line = field(values[0][row]);
    for (let column = 1; column < values.length; column++) line += `,${field(values[column][row])}`;
    lines[row] = `${line}\n`;
  }
  return (header ? `${names.map(field).join(',')}\n` : '') + lines.join('');
};

const field = (value: DemoValue): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return /[",\r\n]/.test(value) || value === '' ? `"${value.replaceAll('"', '""')}"` : value;
};
