/** Next steps that a front end says in its own words: what each needs to know. */
export interface HintFacts {
  /** The sentence begins with this option of the function that was called. */
  readonly option: { readonly name: string };
  readonly 'make-ledger': object;
  readonly 'over-budget': object;
  readonly 'pure-ledger': object;
  readonly 'set-once': object;
  readonly 'put-ledger-back': object;
  readonly 'second-ledger': object;
  readonly 'name-ledger': object;
  readonly 'moved-table': { readonly ledger: string };
  readonly 'bind-table': { readonly ledger: string; readonly table: string };
  readonly 'verify-ledger': object;
  readonly 'test-ledger': object;
  readonly 'make-schema': object;
  readonly 'learn-elsewhere': object;
  readonly unfinished: object;
  readonly 'nothing-unfinished': object;
  readonly 'verify-bundle': object;
  readonly 'state-budget': object;
  readonly 'rehearse-public': object;
  /** `instead` is what can be asked without it. */
  readonly 'within-bins': { readonly instead: string };
}

/** What a caller can do about a refusal, for a program to say in its own words. */
export type Hint = {
  readonly [Kind in keyof HintFacts]: { readonly kind: Kind } & HintFacts[Kind];
}[keyof HintFacts];

/** For each hint, the whole sentence out of what is wrong and the next step. */
export type HintWords = {
  readonly [Kind in keyof HintFacts]: (rule: string, hint: HintFacts[Kind]) => string;
};

/** A next step that needs no facts. */
export const nextStep =
  (step: string) =>
  (rule: string): string =>
    `${rule}; ${step}`;

/** The sentence in the given words. */
export const sentenceIn = (words: HintWords, rule: string, hint: Hint): string =>
  (words[hint.kind] as (rule: string, hint: Hint) => string)(rule, hint);

/** The words of the library: names of its functions and their options. */
export const libraryWords: HintWords = {
  option: (rule) => rule,
  'make-ledger': nextStep('check the path, or make one with createFileLedger'),
  'over-budget': nextStep(
    'ask for less, or show the ledger to see what was spent; its total can be raised, with a reason, by `raise`',
  ),
  'pure-ledger': nextStep('ask for pure epsilon (a budget without delta)'),
  'set-once': nextStep('a ledger is made once; its total is raised, with a reason, by `raise`'),
  'put-ledger-back': nextStep('put the ledger back, or say where it is now with bindTable'),
  'second-ledger': nextStep('leave `ledger` out, or say `anotherLedger` and add the budgets up yourself'),
  'name-ledger': nextStep('name its ledger, or a place for a new one (`ledger`)'),
  'moved-table': nextStep(
    'name that ledger (`ledger`), or, for another table, a place for a new one and say `anotherLedger`',
  ),
  'bind-table': nextStep('name the right ledger, or say that the table moved with bindTable'),
  'verify-ledger': nextStep('nothing can be spent until the file is as it was, see inspectLedger'),
  'test-ledger': nextStep('use a ledger made for tests (`seeds`), or leave the seed out'),
  'make-schema': nextStep('check the path, or make one with learnFile'),
  'learn-elsewhere': nextStep(
    'learn it from a public table (learnFile), or, where there is none, write it by hand from what is known of the columns, with "origin": { "kind": "declared" } (docs/domain.md)',
  ),
  unfinished: nextStep('go on with it (`resume`), or give it up with discardUnfinished: what it spent stays spent'),
  'nothing-unfinished': nextStep('begin a new release'),
  'verify-bundle': nextStep('see verifyBundle'),
  'state-budget': nextStep('see docs/accounting.md'),
  'rehearse-public': nextStep('give a public table'),
  'within-bins': (rule, { instead }) =>
    `${rule}; ${instead}, or say \`withinBins\` to take its values for evenly spread`,
};
