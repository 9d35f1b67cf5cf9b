import { parseArgs } from 'node:util';
import { InputError } from '../../src/index.js';
import type { Args, Command } from '../command.js';
import { type CommandEntry, type CommandName, commandEntry, type Operand } from './command-table.js';
import { merged, readConfiguration } from './configuration.js';
import type { Given, Option } from './option.js';
import { suggest } from './suggest.js';
import { optionsOf } from './table.js';

/** Reads the words after the command's name, or says in one sentence what is wrong with them and what to do. */
export const parse = async (
  { name }: Pick<Command, 'name'>,
  words: readonly string[],
  // For tests: another table.
  options: readonly Option[] = optionsOf(name),
  { operands: declared }: Pick<CommandEntry, 'operands'> = commandEntry(name),
): Promise<Omit<Args<CommandName>, 'words'>> => {
  const { given, operands } = readWords(name, options, words);
  const typed = new Set(Object.keys(given));
  const isHelp = typed.has('help');
  if (!isHelp) checkOperands(name, declared, operands);
  const reads = !isHelp && options.some(({ name }) => name === 'config');
  const configuration = reads ? await readConfiguration(given.config?.[0], options) : undefined;
  const effective = configuration === undefined ? given : merged(given, configuration.given, options);
  const values = valuesOf(options, effective, isHelp);
  return { values: values as Args<CommandName>['values'], operands, typed, configuration };
};

const readWords = (
  name: string,
  options: readonly Option[],
  words: readonly string[],
): { readonly given: Given; readonly operands: readonly string[] } => {
  const more = `see surmise ${name} --help`;
  const byName = new Map(options.map((option) => [option.name, option]));
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options.map(forParseArgs)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Record<string, string[]> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = byName.get(token.name);
    if (!option) {
      const near = suggest(token.name, [...byName.keys()]);
      throw new InputError(
        `option ${token.rawName}: unknown to surmise ${name}; ${near ? `did you mean --${near}?` : more}`,
      );
    }
    if (Object.hasOwn(given, token.name) && !option.many)
      throw new InputError(`option --${token.name}: may be given once, got it twice; ${more}`);
    given[token.name] = [...(given[token.name] ?? []), wordOf(option, token, more)];
  }
  return { given, operands: positionals };
};

const forParseArgs = ({ name, short, kind }: Option) =>
  [
    name,
    {
      type: kind.value === undefined ? 'boolean' : 'string',
      multiple: true,
      ...(short === undefined ? {} : { short }),
    },
  ] as const;

const wordOf = (
  { name, kind }: Option,
  { value, inlineValue }: { readonly value: string | undefined; readonly inlineValue: boolean | undefined },
  more: string,
): string => {
  if (kind.value === undefined) {
    if (value === undefined) return 'true';
    throw new InputError(`option --${name}: takes no value, got one; ${more}`);
  }
  if (value === undefined) throw new InputError(`option --${name}: needs a value, got none; ${more}`);
  // `-o --force` is a forgotten value far more often than a file of that name; a negative number is a value.
  if (!inlineValue && /^-[^\d.]/.test(value))
    throw new InputError(`option --${name}: needs a value, got an option; write --${name}=VALUE if that is meant`);
  return value;
};

const checkOperands = (name: string, operands: readonly Operand[], given: readonly string[]): void => {
  const more = `see surmise ${name} --help`;
  const missing = operands.slice(given.length).filter(({ optional }) => !optional);
  if (missing.length > 0)
    throw new InputError(`${name}: needs ${missing.map((operand) => operand.name).join(' and ')}, got none; ${more}`);
  if (given.length <= operands.length) return;
  const all = operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name)).join(' ');
  throw new InputError(
    `${name}: takes ${all === '' ? 'options only' : `${all} and options`}, got also ${JSON.stringify(given[operands.length])}; ${more}`,
  );
};

const valuesOf = (options: readonly Option[], given: Given, isHelp: boolean): Readonly<Record<string, unknown>> =>
  Object.fromEntries(options.map((option) => [option.name, checked(option, given[option.name], isHelp)]));

const checked = (
  { name, kind, many, otherwise, required }: Option,
  words: readonly string[] | undefined,
  isHelp: boolean,
): unknown => {
  if (words === undefined && required !== undefined && !isHelp) throw new InputError(`option --${name}: ${required}`);
  const read = (words ?? (otherwise === undefined ? [] : [otherwise])).map((word) => kind.parse(word, name));
  if (many) return read;
  return kind.value === undefined ? read[0] === true : read[0];
};
