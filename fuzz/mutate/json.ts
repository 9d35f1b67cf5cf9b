import type { Random } from '../../src/random/random.js';
import { below, type Mutator, oneOf } from './mutator.js';

type Holder = Record<string | number, unknown>;

/** Stands for lists in lists, many thousand deep: made of text, since neither writing nor copying such a value is certain to work. */
const deep = '@@DEEP@@';
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const values = (random: Random): unknown =>
  oneOf<unknown>(
    [
      0,
      -0,
      1,
      -1,
      0.5,
      1e-320,
      1e308,
      2 ** 20,
      2 ** 31,
      2 ** 32,
      2 ** 53,
      2 ** 53 + 2,
      1e21,
      1e300,
      -1e9,
      null,
      true,
      false,
      '',
      'a',
      '__proto__',
      'constructor',
      '\u0000',
      '\ud800',
      '0',
      '1/3',
      '9'.repeat(60),
      '1e400',
      '2014-03-31',
      '0001-01-01',
      '9999-12-31',
      'x'.repeat(3000),
      [],
      {},
      [[]],
      [0],
      [1, 0],
      { kind: 'keep' },
      deep,
    ],
    random,
  );

const holders = (value: unknown, found: Holder[] = []): Holder[] => {
  if (typeof value === 'object' && value !== null && found.length < 5000) {
    if (Object.keys(value).length > 0) found.push(value as Holder);
    for (const part of Object.values(value)) holders(part, found);
  }
  return found;
};

const changeOne = (root: { value: unknown }, other: unknown, words: readonly string[], random: Random): void => {
  const all = holders(root);
  const holder = oneOf(all, random);
  const keys = Object.keys(holder);
  const key = oneOf(keys, random);
  const set = (at: string | number, value: unknown): void => {
    Object.defineProperty(holder, at, { value, enumerable: true, configurable: true, writable: true });
  };
  switch (below(10, random)) {
    case 0:
    case 1:
      set(key, values(random));
      return;
    case 2:
      if (holder === (root as unknown)) return;
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 3:
      if (Array.isArray(holder))
        holder.splice(below(holder.length + 1, random), 0, structuredClone(holder[Number(key)]));
      else if (holder !== (root as unknown)) set(oneOf(words, random), structuredClone(holder[key]));
      return;
    case 4: {
      const donor = holders({ other });
      const from = oneOf(donor, random);
      set(key, structuredClone(from[oneOf(Object.keys(from), random)]));
      return;
    }
    case 5:
      if (typeof holder[key] === 'number')
        set(key, oneOf([-1, 1, 0.5, 2, 1000, 2 ** 32], random) * Number(holder[key]));
      else set(key, oneOf(words, random));
      return;
    case 6:
      if (typeof holder[key] === 'number') set(key, Number(holder[key]) + oneOf([-1, 1, 0.5], random));
      else set(key, values(random));
      return;
    case 7:
      // Long lists of one thing.
      if (Array.isArray(holder)) {
        const part = holder[Number(key)];
        const room = 60_000 / (1 + (JSON.stringify(part)?.length ?? 0));
        for (let left = Math.min(room, oneOf([2, 10, 300, 3000], random)); left > 0; left--) holder.push(part);
      } else set(key, [holder[key]]);
      return;
    case 8:
      if (holder === (root as unknown) || Array.isArray(holder)) set(key, values(random));
      else {
        const value = holder[key];
        delete holder[key];
        set(oneOf(words, random), value);
      }
      return;
    default: {
      const [a, b] = [key, oneOf(keys, random)];
      const held = holder[a];
      set(a, holder[b]);
      set(b, held);
    }
  }
};

const parse = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** Some changes to a JSON value; `words` are names that the format knows. */
export const mutateJsonText = (
  text: string,
  otherText: string,
  words: readonly string[],
  random: Random,
): string | undefined => {
  const encoder = new TextEncoder();
  const root = { value: parse(encoder.encode(text)) };
  if (root.value === undefined) return undefined;
  const other = parse(encoder.encode(otherText));
  for (let left = 1 + below(4, random); left > 0; left--) changeOne(root, other, words, random);
  const out = JSON.stringify(root.value) ?? 'null';
  return out.replaceAll(JSON.stringify(deep), () => nested(oneOf([20, 200, 20_000], random)));
};

/** Changes the value that a JSON text stands for, and not only its letters. */
export const mutateJson =
  (words: readonly string[]): Mutator =>
  (bytes, other, random) => {
    const decoder = new TextDecoder();
    const out = mutateJsonText(decoder.decode(bytes), decoder.decode(other), words, random);
    return out === undefined ? bytes : new TextEncoder().encode(out);
  };
