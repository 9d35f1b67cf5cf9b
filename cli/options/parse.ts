import { parseArgs } from 'node:util';
import { InputError } from '../../src/domain/input-error.js';
import type { Command, Options, ParsedArgs } from '../command.js';
import { suggest } from './suggest.js';

/** Options that every command has. */
export const common = {
  help: { type: 'boolean', short: 'h' },
  verbose: { type: 'boolean' },
} as const satisfies Options;

/** Reads the words after the command's name, or says in one sentence what is wrong with them and what to do. */
export const parse = (command: Command, words: readonly string[]): ParsedArgs<Options & typeof common> => {
  const options: Options = { ...command.options, ...common };
  const more = `see surmise ${command.name} --help`;
  const parsed = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) {
      const near = suggest(token.name, Object.keys(options));
      throw new InputError(
        `option ${token.rawName}: unknown to surmise ${command.name}; ${near ? `did you mean --${near}?` : more}`,
      );
    }
    if (seen.has(token.name) && !option.multiple)
      throw new InputError(`option --${token.name}: may be given once, got it twice; ${more}`);
    seen.add(token.name);
    if (option.type === 'boolean' && token.value !== undefined)
      throw new InputError(`option --${token.name}: takes no value, got one; ${more}`);
    if (option.type === 'string' && token.value === undefined)
      throw new InputError(`option --${token.name}: needs a value, got none; ${more}`);
    // `-o --force` is a forgotten value far more often than a file of that name; a negative number is a value.
    if (option.type === 'string' && !token.inlineValue && /^-[^\d.]/.test(token.value ?? ''))
      throw new InputError(
        `option --${token.name}: needs a value, got an option; write --${token.name}=VALUE if that is meant`,
      );
  }
  if (!parsed.values.help) {
    const needed = command.operands.filter((operand) => !operand.startsWith('['));
    const missing = needed.slice(parsed.positionals.length);
    if (missing.length > 0) throw new InputError(`${command.name}: needs ${missing.join(' and ')}, got none; ${more}`);
    const extra = parsed.positionals[command.operands.length];
    if (extra !== undefined)
      throw new InputError(
        `${command.name}: takes ${operandCount(command)}, got also ${JSON.stringify(extra)}; ${more}`,
      );
  }
  return parsed as unknown as ParsedArgs<Options & typeof common>;
};

const operandCount = ({ operands }: Command): string =>
  operands.length === 0 ? 'options only' : `${operands.join(' ')} and options`;
