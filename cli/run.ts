import { InputError } from '../src/index.js';
import type { Command, Io } from './command.js';
import { commands } from './commands.js';
import { withLocalTables } from './files/local-tables.js';
import { systemSentence } from './files/system-error.js';
import { type CommandName, commandEntry, commandNames } from './options/command-table.js';
import { helpText } from './options/help.js';
import { parse } from './options/parse.js';
import { suggest } from './options/suggest.js';
import { inputSentence } from './text/hint-words.js';
import { version } from './version.js';

/** Everything went as asked. */
const exitDone = 0;
/** A bug of ours. */
const exitBug = 1;
/** Something given cannot be used; the one sentence on standard error says what to do. */
const exitInput = 2;

/** Runs the command line `surmise WORDS...` and resolves to its exit code. Never rejects but with the signal's reason. */
export const run = async (words: readonly string[], io: Io): Promise<number> => {
  const [name, ...rest] = words;
  try {
    if (name === undefined) {
      io.err(overview());
      return exitInput;
    }
    if (name === '--version' || name === '-V') {
      io.out(`surmise ${version()}\n`);
      return exitDone;
    }
    if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
      io.out(overview());
      return exitDone;
    }
    const [target, args] = name === 'help' ? [rest[0], ['--help']] : [name, rest];
    const command = await load(target);
    const parsed = await parse(command, args);
    if (parsed.values.help) {
      io.out(`${helpText(command)}\n`);
      return exitDone;
    }
    const whole = { ...parsed, words: [target, ...args] };
    return (await withLocalTables(command.name, whole, io, (local) => command.run(local, io))) ?? exitDone;
  } catch (error) {
    if (io.running.signal.aborted) throw io.running.signal.reason;
    return report(error, words, io);
  }
};

const load = async (name: string): Promise<Command> => {
  if (Object.hasOwn(commands, name)) return (await commands[name as CommandName]()).default;
  const what = name.startsWith('-') ? 'option' : 'command';
  const near = suggest(name.replace(/^-+/, ''), what === 'option' ? ['help', 'version'] : commandNames);
  const next = near ? `did you mean ${what === 'option' ? '--' : ''}${near}?` : 'see surmise --help';
  throw new InputError(`${what} ${name}: unknown to surmise; ${next}`);
};

const overview = (): string => {
  const width = Math.max(...commandNames.map((name) => name.length));
  const list = commandNames.map((name) => `  ${name.padEnd(width)}  ${commandEntry(name).summary}`);
  return `surmise: differentially private answers and synthetic rows, with public data as a prior

usage: surmise COMMAND [options]

${list.join('\n')}

  surmise COMMAND --help   what a command does, its options, and an example
  surmise --version        the version of this program

Exit codes: 0 done, 1 a bug of surmise, 2 something given cannot be used, 130 stopped by Ctrl-C.
`;
};

/**
 * One sentence for the person. An unexpected error may carry a value of a private table in its message (a database quotes
 * what it could not convert), so only its kind and, on request, the places in the code are shown.
 */
export const report = (error: unknown, words: readonly string[], io: Io): number => {
  if (error instanceof InputError) {
    io.err(`surmise: ${inputSentence(error)}\n`);
    return exitInput;
  }
  const system = systemSentence(error);
  if (system) {
    io.err(`surmise: ${system}\n`);
    return exitInput;
  }
  const kind = error instanceof Error ? error.name : typeof error;
  const verbose = words.includes('--verbose') || Boolean(process.env.SURMISE_DEBUG);
  const hint = verbose ? '' : '; run it again with --verbose to see where';
  io.err(`surmise: unexpected ${kind} in "${words[0]}": this is a bug of surmise, please report it${hint}\n`);
  if (verbose && error instanceof Error) io.err(`${frames(error)}\n`);
  return exitBug;
};

/** The lines of a stack that name places in code; the message above them is left out. */
const frames = (error: Error): string => {
  const stack = error.stack ?? '';
  const start = stack.indexOf(error.message);
  // Without the message in it, the stack begins with something unknown: show nothing.
  if (start < 0) return '';
  const lines = stack.slice(start + error.message.length).split('\n');
  return lines.filter((line) => /^ {4}at /.test(line)).join('\n');
};
