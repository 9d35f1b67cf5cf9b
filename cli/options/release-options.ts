import { InputError } from '../../src/domain/input-error.js';
import { type Outside, outsideRules } from '../../src/domain/schema/outside.js';
import type { BudgetRequest } from '../../src/privacy/accounting/budget.js';
import type { Options } from '../command.js';
import { wholeNumber } from './whole-number.js';

/** Options of every command that opens a private table. */
export const privateOptions = {
  schema: { type: 'string' },
  exclude: { type: 'string', multiple: true },
  epsilon: { type: 'string' },
  delta: { type: 'string' },
  pure: { type: 'boolean' },
  relation: { type: 'string' },
  outside: { type: 'string' },
  'unit-id': { type: 'string' },
  'max-records': { type: 'string' },
  ledger: { type: 'string' },
  'another-ledger': { type: 'boolean' },
  dataset: { type: 'string' },
} as const satisfies Options;

/** Their part of a help text. */
export const privateHelp = `      --schema FILE       the schema; without it one is learned from the public table
      --exclude COLUMN    leave a column out of the learned schema, such as an id; may be given several times
      --epsilon E         the budget of this run
      --delta D           1e-9 unless told; Gaussian noise
      --pure              no delta: pure epsilon, Laplace noise (the same as --delta 0)
      --relation R        add-remove (the number of rows is private; the default) or replace-one (it is public)
      --outside R         values that the schema does not name: declared (to \`other\`, the null cell or the nearest end where the
                          schema has one, else the run stops; the default), other (every attribute gets a cell for them),
                          clip (cells stay; what has no place goes to the first), or stop
      --unit-id COLUMN    protect everything that one value of COLUMN contributes, not just a row ...
      --max-records N     ... and keep at most N rows of each, chosen at random
      --ledger FILE       the private table's ledger (PRIVATE.ledger.jsonl); made with this budget as its total, once, when
                          there is none: make a larger one with surmise ledger init
      --another-ledger    start --ledger FILE although the table has a ledger: add the budgets up yourself
      --dataset NAME      a public name for the ledger and the release (a random one, which the ledger keeps)`;

interface Values {
  readonly outside?: string | undefined;
  readonly epsilon?: string | undefined;
  readonly delta?: string | undefined;
  readonly pure?: boolean | undefined;
  readonly relation?: string | undefined;
  readonly 'unit-id'?: string | undefined;
  readonly 'max-records'?: string | undefined;
}

/** The budget a person asked for: Gaussian noise at delta 1e-9 unless told. */
export const budgetRequest = ({ epsilon, delta, pure }: Values): BudgetRequest => {
  if (epsilon === undefined)
    throw new InputError('option --epsilon: must say what may be spent, got none; see surmise budget --help');
  const zero = delta !== undefined && /^0*(\.0*)?$/.test(delta) && delta !== '' && delta !== '.';
  if (pure && delta !== undefined && !zero)
    throw new InputError(`option --pure: has no delta, got --delta ${delta}; leave one of them out`);
  return pure || zero ? { epsilon } : { epsilon, delta: delta ?? '1e-9' };
};

export const relationFrom = ({ relation = 'add-remove' }: Values): 'add-remove' | 'replace-one' => {
  if (relation !== 'add-remove' && relation !== 'replace-one')
    throw new InputError(`option --relation: must be add-remove or replace-one, got ${JSON.stringify(relation)}`);
  return relation;
};

/** The rule for values that the schema does not name. */
export const outsideFrom = ({ outside = 'declared' }: Values): Outside => {
  const rule = outsideRules.find((known) => known === outside);
  if (rule === undefined)
    throw new InputError(`option --outside: must be ${outsideRules.join(', ')}, got ${JSON.stringify(outside)}`);
  return rule;
};

/** The unit that the options name, or undefined where the schema decides. */
export const unitFrom = (
  values: Values,
): { readonly kind: 'id'; readonly column: string; readonly maxRecords: number } | undefined => {
  const column = values['unit-id'];
  const maxRecords = wholeNumber('max-records', values['max-records'], { min: 1, max: 1e9, otherwise: undefined });
  if ((column === undefined) !== (maxRecords === undefined))
    throw new InputError(
      `option --${column === undefined ? 'unit-id' : 'max-records'}: must be given with --${column === undefined ? 'max-records' : 'unit-id'}, got none; name the id column and the most rows an id may keep`,
    );
  return column === undefined || maxRecords === undefined ? undefined : { kind: 'id', column, maxRecords };
};
