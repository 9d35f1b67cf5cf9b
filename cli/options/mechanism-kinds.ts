import * as v from 'valibot';
import {
  anyMechanismNamed,
  type Estimator,
  estimatorNamed,
  estimators,
  householdMechanisms,
  mechanismNamed,
} from '../../src/advanced.js';
import {
  type AnyMechanism,
  InputError,
  type Mechanism,
  mechanisms,
  type Setting,
  type Settings,
} from '../../src/index.js';
import { type Kind, list } from './kinds.js';

const names = mechanisms.map(({ name }) => name);
const all: readonly AnyMechanism[] = [...mechanisms, ...householdMechanisms];

/** A mechanism of the registry, or `auto`. */
export const mechanismKind: Kind<AnyMechanism | 'auto'> = {
  value: 'NAME',
  parse: (word) => (word === 'auto' ? word : anyMechanismNamed(word)),
  json: v.pipe(v.string(), v.nonEmpty()),
  complete: { kind: 'words', words: ['auto', ...all.map(({ name }) => name)] },
};

/** Mechanisms with commas between them, none twice, or all. */
export const mechanismsKind: Kind<readonly Mechanism[]> = {
  ...list({ ...mechanismKind, parse: mechanismNamed, complete: { kind: 'words', words: ['all', ...names] } }),
  parse: (word, option) => {
    // One that must be told something first is compared when it is named.
    if (word === 'all') return mechanisms.filter(({ required, slow }) => required === undefined && !slow);
    const given = word.split(',').map((name) => name.trim());
    const twice = given.find((name, i) => given.indexOf(name) !== i);
    if (twice !== undefined) throw new InputError(`option --${option}: names must differ, got ${twice} twice`);
    return given.map(mechanismNamed);
  },
};

/** An estimator that a release can be fitted anew by. */
export const estimatorKind: Kind<Estimator> = {
  value: 'NAME',
  parse: (word) => estimatorNamed(word),
  json: v.pipe(v.string(), v.nonEmpty()),
  complete: { kind: 'words', words: estimators.map(({ name }) => name) },
};

/** `NAME=VALUE`: what it means is known once the mechanism is. */
export const settingKind: Kind<readonly [name: string, value: string]> = {
  value: 'NAME=VALUE',
  parse: (word, option) => {
    const at = word.indexOf('=');
    if (at < 1)
      throw new InputError(
        `option --${option}: must be NAME=VALUE, got ${JSON.stringify(word)}; see surmise release --help`,
      );
    return [word.slice(0, at), word.slice(at + 1)];
  },
  json: v.record(v.string(), v.union([v.pipe(v.number(), v.finite()), v.string(), v.boolean()])),
  fromJson: (set: Settings) => Object.entries(set).map(([name, value]) => `${name}=${value}`),
  complete: { kind: 'none' },
};

/** What `--set NAME=VALUE ...` sets of a mechanism, each value read as the type of its default. */
export const settingsFrom = (
  given: readonly (readonly [name: string, value: string])[],
  { name, defaults }: Pick<AnyMechanism, 'name' | 'defaults'>,
): Settings => {
  const entries = given.map(([key, text]): [string, Setting] => {
    const type = Object.hasOwn(defaults, key) ? typeof defaults[key] : undefined;
    if (type === undefined)
      throw new InputError(
        `option --set: ${name} has ${Object.keys(defaults).join(', ') || 'nothing to set'}, got ${JSON.stringify(key)}`,
      );
    if (type === 'string') return [key, text];
    const value = type === 'boolean' ? { true: true, false: false }[text] : text.trim() === '' ? NaN : Number(text);
    if (value === undefined || Number.isNaN(value))
      throw new InputError(`option --set: ${key} must be a ${type}, got ${JSON.stringify(text)}`);
    return [key, value];
  });
  return Object.fromEntries(entries);
};

/** The same for several mechanisms: each takes what it has, and what none of them has is refused. */
export const settingsForAll = (
  given: readonly (readonly [name: string, value: string])[],
  all: readonly Mechanism[],
): ((mechanism: Mechanism) => Settings) => {
  const stray = given.find(([key]) => !all.some(({ defaults }) => Object.hasOwn(defaults, key)));
  if (stray !== undefined)
    throw new InputError(
      `option --set: must name something of ${all.map(({ name }) => name).join(', ')}, got ${JSON.stringify(stray[0])}`,
    );
  return (mechanism) =>
    settingsFrom(
      given.filter(([key]) => Object.hasOwn(mechanism.defaults, key)),
      mechanism,
    );
};

/** What fits in a line of help. */
const helpWidth = 120;

/** Words with commas between them, in lines of at most `width` letters. */
const wrapped = (words: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  for (const [i, word] of words.entries()) {
    const told = i === words.length - 1 ? word : `${word},`;
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 1 + told.length <= width) lines[last] += ` ${told}`;
    else lines.push(told);
  }
  return lines;
};

/** Lines for each mechanism: its name, what it does, and what can be set of it. */
export const mechanismLines = (): string => settableLines(all);

/** The same for each estimator. */
export const estimatorLines = (): string => settableLines(estimators);

const settableLines = (all: readonly Pick<AnyMechanism, 'name' | 'summary' | 'defaults' | 'choices'>[]): string => {
  const width = Math.max(...all.map(({ name }) => name.length));
  const margin = ''.padEnd(width + 4);
  return all
    .map(({ name, summary, defaults, choices }) => {
      const set = Object.entries(defaults).map(([key, value]) => {
        const others = choices?.[key]?.filter((word) => word !== value) ?? [];
        return `${key}=${[value, ...others].join('|')}`;
      });
      const lines = set.length === 0 ? [] : wrapped(set, helpWidth - margin.length - 2);
      const told = lines.length === 0 ? '' : `\n${margin}(${lines.join(`\n${margin} `)})`;
      return `  ${name.padEnd(width)}  ${summary}${told}`;
    })
    .join('\n');
};
