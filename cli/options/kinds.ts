import path from 'node:path';
import * as v from 'valibot';
import { InputError } from '../../src/index.js';

/** What a shell offers for a value: files, folders, words (of which a list may hold several with commas between), or nothing. */
export type Completion =
  | { readonly kind: 'file' | 'folder' | 'none' }
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly list?: boolean | undefined }
  | { readonly kind: 'words-or-file'; readonly words: readonly string[] };

type Json = v.GenericSchema;

/** What the value of an option is: how it is called, read from a word, written in a configuration file, and completed. */
export interface Kind<T> {
  /** Its placeholder in a help text; a flag has none. */
  readonly value?: string | undefined;
  /** The checked value; `option` is for the sentence that refuses it. */
  readonly parse: (text: string, option: string) => T;
  /** Its form in a configuration file. */
  readonly json: Json;
  /** The words that stand for what a configuration file holds; one, the value as text, unless told. */
  readonly fromJson?: ((value: never) => readonly string[]) | undefined;
  /** The word as seen from a configuration file in another folder. */
  readonly placed?: ((text: string, folder: string) => string) | undefined;
  readonly complete: Completion;
}

const anyText = v.pipe(v.string(), v.nonEmpty());

/** Names of files in a configuration are relative to it; addresses are not. */
const placed = (file: string, folder: string): string =>
  path.isAbsolute(file) || /^[a-z][a-z+.-]*:\/\//i.test(file) ? file : path.join(folder, file);

export const flag: Kind<boolean> = {
  parse: (text) => text === 'true',
  json: v.boolean(),
  complete: { kind: 'none' },
};

export const text = (value: string): Kind<string> => ({
  value,
  parse: (word) => word,
  json: anyText,
  complete: { kind: 'none' },
});

/** A part of a budget: kept as text, since a double would round it. */
export const amount = (value: string): Kind<string> => ({
  ...text(value),
  json: v.union([v.pipe(v.number(), v.finite()), anyText]),
});

export const file: Kind<string> = { ...text('FILE'), placed, complete: { kind: 'file' } };

export const folder: Kind<string> = { ...text('DIR'), placed, complete: { kind: 'folder' } };

/** A whole number in a range, as people write large ones: 1e6, 20_000. */
export const whole = (min: number, max: number): Kind<number> => ({
  value: 'N',
  parse: (word, option) => {
    const value = /^[+-]?\d[\d_]*(e\d+)?$/i.test(word) ? Number(word.replaceAll('_', '')) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < min || value > max)
      throw new InputError(
        `option --${option}: must be a whole number from ${min} to ${max}, got ${JSON.stringify(word)}; see --help`,
      );
    return value;
  },
  json: v.pipe(v.number(), v.safeInteger(), v.minValue(min)),
  complete: { kind: 'none' },
});

/** A part of something, between none and all of it. */
export const share: Kind<number> = {
  value: 'S',
  parse: (word, option) => {
    const value = /^\d*\.?\d+$/.test(word) ? Number(word) : Number.NaN;
    if (!(value > 0 && value < 1))
      throw new InputError(`option --${option}: must be above 0 and below 1, got ${JSON.stringify(word)}`);
    return value;
  },
  json: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
  complete: { kind: 'none' },
};

/** What one of several counts for, in proportion to the others. */
export const weight: Kind<number> = {
  value: 'W',
  parse: (word, option) => {
    const value = /^\d*\.?\d+$/.test(word) ? Number(word) : Number.NaN;
    if (!(value > 0))
      throw new InputError(`option --${option}: must be a number above 0, got ${JSON.stringify(word)}; see --help`);
    return value;
  },
  json: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  complete: { kind: 'none' },
};

/** One of a few words. */
export const words = <const W extends string>(value: string, known: readonly W[]): Kind<W> => ({
  value,
  parse: (word, option) => {
    const found = known.find((one) => one === word);
    if (found === undefined)
      throw new InputError(
        `option --${option}: must be ${known.join(known.length === 2 ? ' or ' : ', ')}, got ${JSON.stringify(word)}`,
      );
    return found;
  },
  json: v.picklist(known),
  complete: { kind: 'words', words: known },
});

/** Several of a kind with commas between them. */
export const list = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  value: 'LIST',
  parse: (word, option) => word.split(',').map((part) => kind.parse(part.trim(), option)),
  json: kind.json,
  complete: kind.complete.kind === 'words' ? { ...kind.complete, list: true } : kind.complete,
});

/** A number with a unit behind it; without one, `units` of '' is meant. */
const measured = (value: string, units: Readonly<Record<string, number>>, rule: string): Kind<number> => ({
  value,
  parse: (word, option) => {
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(word) ?? [];
    const known = units[unit.toLowerCase()];
    const amount = Number(number) * (known ?? Number.NaN);
    if (!(amount > 0 && amount < Infinity))
      throw new InputError(`option --${option}: must be ${rule}, got ${JSON.stringify(word)}`);
    return amount;
  },
  json: v.union([v.pipe(v.number(), v.finite()), anyText]),
  complete: { kind: 'none' },
});

/** A time, in seconds. */
export const duration: Kind<number> = measured(
  'TIME',
  { '': 1, s: 1, sec: 1, m: 60, min: 60, h: 3600 },
  'a time such as 90s, 5m or 2h',
);

/** A size, in bytes. */
export const size: Kind<number> = measured(
  'SIZE',
  { '': 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9, t: 1e12, tb: 1e12 },
  'a size such as 500M or 2G',
);
