import { type HintWords, nextStep, sentenceIn } from '../../src/advanced.js';
import type { InputError } from '../../src/index.js';
import { quoted } from './quoted.js';

/** What the library hints at, in the words of the command line. */
const words: HintWords = {
  option: (rule, { name }) => `option --${rule.startsWith(`${name}:`) ? rule : `${name}: ${rule}`}`,
  'make-ledger': nextStep('check the path, or make one with surmise ledger init'),
  'over-budget': nextStep(
    'ask for less, or see surmise ledger show; a total can be raised, with a reason, by surmise ledger raise',
  ),
  'pure-ledger': nextStep('add --pure'),
  'set-once': nextStep(
    'a ledger is made once, see surmise ledger show; its total is raised, with a reason, by surmise ledger raise',
  ),
  'put-ledger-back': nextStep('put the ledger back, or say where it is now with surmise ledger bind FILE TABLE'),
  'second-ledger': nextStep('leave --ledger out, or say --another-ledger and add the budgets up yourself'),
  'name-ledger': nextStep('name its ledger, or a place for a new one, with --ledger FILE'),
  'moved-table': (rule, { ledger }) =>
    `${rule}; add --ledger ${quoted(ledger)}, or, for another table, --ledger FILE --another-ledger`,
  'bind-table': (rule, { ledger, table }) =>
    `${rule}; name the right ledger, or say that the table moved with surmise ledger bind ${quoted(ledger)} ${quoted(table)}`,
  'verify-ledger': nextStep('nothing can be spent until the file is as it was, see surmise ledger verify'),
  'test-ledger': nextStep('use a ledger made for tests (surmise ledger init --unsafe-seeds), or leave the seed out'),
  'make-schema': nextStep('check the path, or make one with surmise schema'),
  'learn-elsewhere': nextStep(
    'learn it from a public table (surmise schema), or, where there is none, write it by hand from what is known of the columns, with "origin": { "kind": "declared" } (docs/domain.md)',
  ),
  unfinished: nextStep('add --resume to go on with it, or --discard to give it up (what it spent stays spent)'),
  'nothing-unfinished': nextStep('leave out --resume or --discard'),
  'verify-bundle': nextStep('see surmise verify'),
  'state-budget': nextStep('see surmise budget --help'),
  'rehearse-public': (rule) => `option --${rule}; add --public FILE`,
  'within-bins': (rule, { instead }) =>
    `${rule}; ${instead}, or add --within-bins to take its values for evenly spread`,
};

/** An input error as the command line says it. */
export const inputSentence = ({ message, rule, hint }: InputError): string =>
  hint === undefined ? message : sentenceIn(words, rule, hint);
