import { InputError } from '../../src/domain/input-error.js';
import type { Mechanism } from '../../src/release/mechanism.js';
import type { Setting, Settings } from '../../src/release/settings.js';

/** What `--set NAME=VALUE ...` sets of a mechanism, each value read as the type of its default. */
export const settingsFrom = (words: readonly string[], { name, defaults }: Mechanism): Settings => {
  const entries = words.map((word): [string, Setting] => {
    const at = word.indexOf('=');
    if (at < 1)
      throw new InputError(`option --set: must be NAME=VALUE, got ${JSON.stringify(word)}; see surmise release --help`);
    const key = word.slice(0, at);
    const text = word.slice(at + 1);
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

/** A line for each mechanism: its name, what it does, and what can be set of it. */
export const mechanismLines = (mechanisms: readonly Mechanism[]): string => {
  const width = Math.max(...mechanisms.map(({ name }) => name.length));
  return mechanisms
    .map(({ name, summary, defaults }) => {
      const set = Object.entries(defaults).map(([key, value]) => `${key}=${value}`);
      return `  ${name.padEnd(width)}  ${summary}${set.length === 0 ? '' : `\n  ${''.padEnd(width)}  (${set.join(', ')})`}`;
    })
    .join('\n');
};
