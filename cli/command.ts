import type { parseArgs } from 'node:util';
import type { Progress } from '../src/domain/running.js';

/** Options of a command as `node:util` parseArgs declares them. `--help` and `--verbose` are added to every command. */
export interface Options {
  readonly [name: string]: {
    readonly type: 'string' | 'boolean';
    /** One letter. */
    readonly short?: string | undefined;
    /** May be given several times; its value is then a list. */
    readonly multiple?: boolean | undefined;
  };
}

/** Where a command talks to the person or the pipe: the only way a command prints. */
export interface Io {
  /** Writes text as it is to standard output: results. */
  out(text: string): void;
  /** Writes text as it is to standard error: remarks and errors. Never a private value. */
  err(text: string): void;
  /** Pass as `onProgress`: one rewriting line on a terminal, nothing in a pipe. */
  readonly progress: (progress: Progress) => void;
  /** Aborts on Ctrl-C; pass to everything long. */
  readonly signal: AbortSignal;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; 80 in a pipe. */
  readonly columns: number;
  /** Colours may be used: a terminal, and NO_COLOR is not set. */
  readonly colour: boolean;
  /** Block characters may be used; otherwise ASCII. */
  readonly unicode: boolean;
}

/** What the person typed after the command's name, checked against the declared options and operands. */
export interface ParsedArgs<O extends Options = Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O; strict: true; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
}

/**
 * One `surmise NAME`. A command parses, calls the library, and prints; it throws `InputError` for anything the person can put
 * right (exit code 2). Make one with `command`, so that `args.values` has the types of its options.
 */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line for `surmise --help`, without a full stop. */
  readonly summary: string;
  /** The whole text of `surmise NAME --help`: usage, options, and an example. Ends without a newline. */
  readonly help: string;
  readonly options: O;
  /** Names of the operands in order, such as `['TABLE']`; one in brackets (`'[FILE]'`) may be left out. */
  readonly operands: readonly string[];
  /** Resolves to the exit code; nothing means 0. */
  run(args: ParsedArgs<O>, io: Io): Promise<number | undefined>;
}

/** Infers the types of the options, and hides them, so that commands of different options fit one registry. */
export const command = <const O extends Options>(definition: Command<O>): Command => definition as unknown as Command;
