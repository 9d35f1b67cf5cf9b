import { type HintWords, nextStep, sentenceIn } from '../../src/advanced.js';
import { InputError } from '../../src/index.js';

/** What a person can do about a refusal, in the words of the page. */
const words: HintWords = {
  option: (rule) => rule,
  'make-ledger': nextStep('take in a copy of it, or begin a new one'),
  'over-budget': nextStep('ask for less'),
  'pure-ledger': nextStep('ask for pure epsilon, without a delta'),
  'set-once': nextStep('a ledger is made once'),
  'put-ledger-back': nextStep('take in a copy of the ledger'),
  'second-ledger': nextStep('use the ledger that the table has'),
  'name-ledger': nextStep('take in its ledger, or begin a new one'),
  'moved-table': nextStep('use the ledger that the table has'),
  'bind-table': nextStep('take in the ledger of this table'),
  'verify-ledger': nextStep('nothing can be spent until the ledger is as it was'),
  'test-ledger': nextStep('leave the seed of the noise out'),
  'make-schema': nextStep('describe the columns'),
  'learn-elsewhere': nextStep('learn the columns from a public table, or describe them yourself'),
  unfinished: nextStep('go on with it, or give it up: what it spent stays spent'),
  'nothing-unfinished': nextStep('begin a new release'),
  'verify-bundle': nextStep('open a copy that is whole'),
  'state-budget': nextStep('say it in epsilon and delta'),
  'rehearse-public': nextStep('add a public table'),
  'within-bins': (rule, { instead }) => `${rule}; ${instead}`,
};

/** The sentence that a person reads. */
export const sentenceOf = (error: InputError): string =>
  error.hint === undefined ? error.message : sentenceIn(words, error.rule, error.hint);

/** The same of anything that was thrown; undefined where the person cannot put it right. */
export const sentenceOfAny = (error: unknown): string | undefined =>
  error instanceof InputError ? sentenceOf(error) : undefined;
