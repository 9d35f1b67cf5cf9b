import { commandEntry, commandNames, type Operand } from '../options/command-table.js';
import type { Completion } from '../options/kinds.js';
import { optionsOf } from '../options/table.js';

export interface OptionFacts {
  readonly name: string;
  readonly short?: string | undefined;
  /** Placeholder of its value; absent for a flag. */
  readonly value?: string | undefined;
  readonly help: string;
  readonly many: boolean;
  readonly key?: string | undefined;
  readonly otherwise?: string | undefined;
  readonly complete: Completion;
}

export interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly operands: readonly Operand[];
  readonly options: readonly OptionFacts[];
}

/** What a shell can complete: every command with its operands and options, as the command line itself reads them. */
export const completionFacts: readonly CommandFacts[] = commandNames.map((name) => ({
  name,
  ...commandEntry(name),
  options: optionsOf(name).map(
    ({ name, short, kind, value = kind.value, help, many, key, otherwise }): OptionFacts => ({
      name,
      short,
      value,
      help,
      many: many === true,
      key,
      otherwise,
      complete: kind.complete,
    }),
  ),
}));

/** The ways to type an option. */
export const spellings = ({ name, short }: OptionFacts): readonly string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

/** The ways to type every option that is followed by a value. */
export const valued = ({ options }: CommandFacts): readonly string[] =>
  options.filter(({ value }) => value !== undefined).flatMap(spellings);

/** The first clause of a help line: completion lists are narrow. */
export const briefly = (help: string): string => help.split(/[;:(]/)[0].trim();

/** A text for a shell, as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
