import type { Completion } from './kinds.js';

/** A word after the command's name that is no option. */
export interface Operand {
  readonly name: string;
  readonly optional?: boolean | undefined;
  readonly complete: Completion;
}

/** What a command is in a line, without a full stop, and what follows its name. */
export interface CommandEntry {
  readonly summary: string;
  readonly operands: readonly Operand[];
}

const file = (name: string): Operand => ({ name, complete: { kind: 'file' } });
const folder = (name: string): Operand => ({ name, complete: { kind: 'folder' } });
const oneOf = (name: string, words: readonly string[]): Operand => ({ name, complete: { kind: 'words', words } });
const optional = (operand: Operand): Operand => ({ ...operand, optional: true });

/** What can be done with a ledger, and the shells that can be taught. */
export const ledgerActions = ['init', 'show', 'verify', 'raise', 'end', 'bind'] as const;
export const shellNames = ['bash', 'zsh', 'fish'] as const;

/** Every command, in the order of `surmise --help`. */
const commandTable = {
  demo: { summary: 'make the tables of a fictional country and release the private one', operands: [] },
  schema: { summary: 'learn a schema from a public table, or declare one', operands: [file('TABLE')] },
  inspect: { summary: 'count a public table by a schema', operands: [file('TABLE')] },
  release: {
    summary: 'release synthetic rows and a model of a private table, with differential privacy',
    operands: [optional(file('PRIVATE'))],
  },
  estimate: {
    summary: 'make a model and synthetic rows from noisy marginals that another system measured',
    operands: [file('MEASUREMENTS')],
  },
  refit: {
    summary: 'make the model or the rows of a release anew from its measurements, at no cost in privacy',
    operands: [folder('RELEASE')],
  },
  sample: {
    summary: 'draw rows of a release that meet a condition, or that fill the rest of a table',
    operands: [folder('RELEASE')],
  },
  verify: {
    summary: 'check that a release is whole and its privacy statement follows from its charges',
    operands: [folder('DIR')],
  },
  query: {
    summary: 'ask a release by SQL, at no cost in privacy',
    operands: [folder('DIR'), { name: 'SQL', optional: true, complete: { kind: 'none' } }],
  },
  report: {
    summary: 'make the report of a release: one page for a browser, from the release and public data only',
    operands: [folder('DIR')],
  },
  evaluate: {
    summary: 'compare two public or synthetic tables: marginals, worst cells, plots',
    operands: [file('FIRST'), file('SECOND')],
  },
  compare: {
    summary: 'run mechanisms side by side on a public table that stands in for the private one',
    operands: [file('STAND_IN')],
  },
  'check-public': {
    summary: 'tell whether a public table can serve as the prior of a private one',
    operands: [optional(file('PRIVATE'))],
  },
  budget: { summary: 'show what a privacy budget is worth: its rho, and the noise it buys', operands: [] },
  ledger: {
    summary: "make, show or verify the record of a private dataset's budget",
    operands: [oneOf('ACTION', ledgerActions), file('FILE'), optional(file('RUN|TABLE'))],
  },
  studio: { summary: 'open the studio: a release in the browser, on this machine alone', operands: [] },
  completion: {
    summary: 'print a script that lets a shell complete commands, options and their values',
    operands: [optional(oneOf('SHELL', shellNames))],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];

/** The entry of a command. */
export const commandEntry = (name: CommandName): CommandEntry => commandTable[name];
