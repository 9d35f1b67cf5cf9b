import { stripVTControlCharacters } from 'node:util';
import type { Io } from '../command.js';

/** A column of a printed table: its heading, and whether it is a number (aligned right). */
export interface Heading {
  readonly title: string;
  readonly align?: 'left' | 'right' | undefined;
}

/** Rows in aligned columns under dimmed headings, two spaces apart, ending with a newline. Colour codes do not count as width. */
export const table = (
  headings: readonly Heading[],
  rows: readonly (readonly string[])[],
  io: Pick<Io, 'colour'>,
): string => {
  const widths = headings.map(({ title }, i) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i] ?? ''))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const gap = ' '.repeat(widths[i] - widthOf(cell));
        return headings[i].align === 'right' ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  const lines = rows.map((row) => line(headings.map((_, i) => row[i] ?? '')));
  return `${[dim(line(headings.map(({ title }) => title)), io), ...lines].join('\n')}\n`;
};

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `width` characters filled to `share` (0..1), in eighths of a character, or in # signs without unicode. */
export const bar = (share: number, width: number, unicode: boolean): string => {
  const filled = Math.min(1, Math.max(0, share)) * width;
  if (!unicode) return '#'.repeat(Math.round(filled)).padEnd(width, '.');
  const whole = Math.floor(filled + 1 / 16);
  const part = Math.max(0, Math.min(7, Math.round((filled - whole) * 8)));
  return ('█'.repeat(whole) + eighths[part]).padEnd(width, ' ');
};

/** A row of heights (0..1), one character each: the shape of a distribution at a glance. */
export const spark = (shares: readonly number[], unicode: boolean): string => {
  const steps = unicode ? ' ▁▂▃▄▅▆▇█' : ' .:-=+*#@';
  return shares
    .map((share) => {
      const height = Math.min(1, Math.max(0, share)) * (steps.length - 1);
      // Something that is there at all must not look like nothing.
      return steps[share > 0 ? Math.max(1, Math.round(height)) : 0];
    })
    .join('');
};

const paint = (code: number) => (text: string, io: Pick<Io, 'colour'>) =>
  io.colour ? `\x1b[${code}m${text}\x1b[0m` : text;

export const bold = paint(1);
export const dim = paint(2);
export const yellow = paint(33);

/** 12,345: the same on every machine, whatever its language. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** One decimal, and never a rounded-away 0% or 100%. */
export const percent = (share: number): string => {
  if (share > 0 && share < 0.001) return '<0.1%';
  if (share < 1 && share > 0.999) return '>99.9%';
  return `${(share * 100).toFixed(1)}%`;
};

/** Text cut to `width` characters, with an ellipsis where something is missing; control characters are shown as dots. */
export const clip = (text: string, width: number, unicode: boolean): string => {
  const shown = text.replace(/\p{Cc}/gu, '.');
  if (widthOf(shown) <= width) return shown;
  const mark = unicode ? '…' : '~';
  return [...shown].slice(0, Math.max(0, width - 1)).join('') + mark;
};

/** Number of characters on the screen: code points without colour codes (wide scripts count as one). */
const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;
