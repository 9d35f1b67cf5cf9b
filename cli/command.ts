import type { Running } from '../src/index.js';
import type { CommandName } from './options/command-table.js';
import type { GivenConfiguration } from './options/configuration.js';
import type { Values } from './options/table.js';

/** Where a command talks to the person or the pipe: the only way a command prints. */
export interface Io {
  /** Writes text as it is to standard output: results. */
  out(text: string): void;
  /** Writes text as it is to standard error: remarks and errors. Never a private value. */
  err(text: string): void;
  /** Pass to everything long: a line of progress on a terminal, and a signal that aborts on Ctrl-C. */
  readonly running: Running & { readonly signal: AbortSignal };
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; 80 in a pipe. */
  readonly columns: number;
  /** Colours may be used: a terminal, and NO_COLOR is not set. */
  readonly colour: boolean;
  /** Block characters may be used; otherwise ASCII. */
  readonly unicode: boolean;
}

/** What the person said after the command's name, checked against its options and operands. */
export interface Args<C extends CommandName> {
  readonly values: Values<C>;
  readonly operands: readonly string[];
  /** All words as they were typed, the command's name first. */
  readonly words: readonly string[];
  /** Options that were typed, whatever a configuration file holds. */
  readonly typed: ReadonlySet<string>;
  /** Where options came from that were not typed. */
  readonly configuration?: GivenConfiguration | undefined;
}

/**
 * One `surmise NAME`. A command takes values that are read and checked, calls the library, and prints; it throws `InputError` for
 * anything the person can put right (exit code 2). What it is called, its operands and its options stand in the tables of options/.
 */
export interface Command<C extends CommandName = CommandName> {
  readonly name: C;
  /** What follows the command's name, a line for each way to call it. */
  readonly usage: readonly string[];
  /** What it does: paragraphs, between the usage and the options. */
  readonly about: string;
  /** What stands after the options. */
  readonly more?: (() => string) | undefined;
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** Resolves to the exit code; nothing means 0. */
  // A method, so that commands of different options fit one registry.
  run(args: Args<C>, io: Io): Promise<number | undefined>;
}

/** Infers which command it is, so that `run` gets the values of that command's options. */
export const command = <const C extends CommandName>(definition: Command<C>): Command =>
  definition as unknown as Command;
