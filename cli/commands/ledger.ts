import { formatAmount, inspectLedger, LedgerDamage } from '../../src/advanced.js';
import { InputError, type LedgerInspection } from '../../src/index.js';
import { type Args, command, type Io } from '../command.js';
import { raisedBudget, statedBudget, statedUnit } from '../options/combined.js';
import { ledgerActions } from '../options/command-table.js';
import { whole } from '../options/kinds.js';
import { count } from '../terminal/print.js';
import { describeBudget } from '../text/describe-budget.js';
import { flawsOf, ledgerJson, ledgerText, soundText, standingText, statusJson } from '../text/ledger-text.js';

type Values = Args<'ledger'>['values'];

const damageText = (file: string, line: number, why: string): string =>
  `ledger ${file}: DAMAGED at line ${line}: ${why}\n`;

const inspect = async (file: string): Promise<LedgerInspection> => {
  const { ledgerStore } = await import('../../adapters/index.js');
  return inspectLedger(ledgerStore(file));
};

const init = async (file: string, values: Values, io: Io): Promise<number> => {
  const { createLedger } = await import('../../adapters/index.js');
  const made = await createLedger(file, {
    dataset: values.dataset,
    budget: statedBudget(values),
    relation: values.relation,
    unit: statedUnit(values),
    seeds: values['unsafe-seeds'],
  });
  const status = await made.status();
  io.out(values.json ? `${JSON.stringify(statusJson(status))}\n` : standingText(status, io));
  return 0;
};

const show = async (file: string, { json }: Values, io: Io): Promise<number> => {
  const found = await inspect(file);
  if (found.damage) throw new LedgerDamage(file, found.damage.line, found.damage.why);
  io.out(json ? `${JSON.stringify(ledgerJson(found))}\n` : ledgerText(file, found, io));
  return 0;
};

const verify = async (file: string, { json }: Values, io: Io): Promise<number> => {
  const found = await inspect(file).catch((error: unknown) => {
    if (error instanceof LedgerDamage) return { damage: { line: error.line, why: error.why }, status: undefined };
    throw error;
  });
  const { damage, status } = found;
  if (json) {
    const known = status === undefined ? {} : { ...statusJson(status), ...flawsOf(found) };
    io.out(`${JSON.stringify({ sound: damage === undefined, damage, ...known })}\n`);
  } else if (status === undefined || damage !== undefined) {
    io.out(damageText(file, damage!.line, damage!.why));
    if (status !== undefined) {
      const before =
        status.records === 1 ? 'The record before it is' : `The ${count(status.records)} records before it are`;
      io.out(`${before} sound. Spend nothing until the file is as it was.\n`);
    }
  } else io.out(soundText(file, found, io));
  return damage === undefined ? 0 : 1;
};

/** Gives back what a run that died had set aside. One that still lives is refused its next act, so nothing can be spent twice. */
const end = async (file: string, { json }: Values, io: Io, given?: string): Promise<number> => {
  if (given === undefined)
    throw new InputError('ledger end: must name a run, got none; surmise ledger show lists those that are open');
  const run = whole(1, Number.MAX_SAFE_INTEGER).parse(given, 'run');
  const { openLedger } = await import('../../adapters/index.js');
  const open = await openLedger(file);
  await open.endRun(run, 'ended by hand');
  const status = await open.status();
  io.out(
    json
      ? `${JSON.stringify({ ended: run, ...statusJson(status) })}\n`
      : `run ${run} has ended\n\n${standingText(status, io)}`,
  );
  return 0;
};

/** Raises the total, with the reason why; a release that is under way goes on with what it has set aside. */
const raise = async (file: string, values: Values, io: Io): Promise<number> => {
  const { reason: why = '' } = values;
  if (why.trim() === '')
    throw new InputError(
      'option --reason: must say why the total is raised, got none; it is public, and kept in the ledger for good',
    );
  const { openLedger } = await import('../../adapters/index.js');
  const open = await openLedger(file);
  const before = open.budget;
  await open.raise({ budget: raisedBudget(values, before), why });
  const status = await open.status();
  io.out(
    values.json
      ? `${JSON.stringify({ raised: { from: formatAmount(before.total), to: formatAmount(status.total), why: why.trim() }, ...statusJson(status) })}\n`
      : `ledger ${file}: raised from ${describeBudget(before)} to ${describeBudget(status.budget)}\n\n${standingText(status, io)}`,
  );
  return 0;
};

const bind = async (file: string, { json }: Values, io: Io, table?: string): Promise<number> => {
  if (table === undefined)
    throw new InputError('ledger bind: must name the table, got none; see surmise ledger --help');
  const { bindTable } = await import('../../adapters/index.js');
  await bindTable(file, table);
  io.out(json ? `${JSON.stringify({ ledger: file, table })}\n` : `ledger ${file}: is that of ${table} from now on\n`);
  return 0;
};

type Action = (typeof ledgerActions)[number];

const isOptionOf = (action: Action, option: string): boolean => {
  if (option === 'json' || option === 'verbose') return true;
  if (action === 'raise') return ['epsilon', 'delta', 'rho', 'pure', 'reason'].includes(option);
  return action === 'init' && option !== 'reason';
};

const actions: Readonly<Record<Action, (file: string, values: Values, io: Io, third?: string) => Promise<number>>> = {
  init,
  show,
  verify,
  raise,
  end,
  bind,
};

export default command({
  name: 'ledger',
  usage: [
    'init FILE (--epsilon E [--delta D | --pure] | --rho R [--delta D]) [options]',
    'show FILE [--json]',
    'verify FILE [--json]',
    'raise FILE (--epsilon E | --rho R) --reason TEXT',
    'end FILE RUN',
    'bind FILE TABLE',
  ],
  about: `A ledger is one file for one private dataset, or, for many machines at once, a name in a PostgreSQL database:
postgres://host/database?ledger=NAME in the place of FILE. It holds the total budget and whom it protects, and a line for
everything that was spent; nothing is ever removed. Releases that protect somebody else, or otherwise, need another ledger: their
losses do not add up.

  init      makes the file, with the total budget (see surmise budget --help); refuses when there is one. --epsilon,
            --delta, --pure, --relation and the options of units mean what they mean to surmise release
  show      what was spent, on what, and what remains
  verify    checks every record; exit code 1 when the file was changed
  raise     raises the total, never lowers it, at the delta it was opened with; the reason is kept and shown
  end       gives back what a run that was killed had set aside and not used; should the run still be alive, it can spend
            nothing more
  bind      says that the ledger is that of TABLE: when the table has moved to another disk, or the ledger to another place

Options but --json, --reason and those of the budget are for init:`,
  examples: [
    'surmise ledger init survey.csv.ledger.jsonl --epsilon 1',
    `surmise ledger raise survey.csv.ledger.jsonl --epsilon 2 --reason "a second wave, approved by the board on 3 May"`,
    'surmise ledger init persons.csv.ledger.jsonl --epsilon 1 --unit household --key hhID --max-size 5',
    'surmise ledger show survey.csv.ledger.jsonl',
    "surmise ledger init 'postgres://surmise@db.example.org/census?ledger=survey' --epsilon 1",
  ],
  run: async ({ values, operands, typed }, io) => {
    const [action, file, third] = operands as readonly [string, string, string | undefined];
    if (!Object.hasOwn(actions, action))
      throw new InputError(
        `ledger: must be followed by ${ledgerActions.slice(0, -1).join(', ')} or ${ledgerActions.at(-1)}, got ${JSON.stringify(action)}; see surmise ledger --help`,
      );
    const stray = [...typed].find((option) => !isOptionOf(action as Action, option));
    if (stray !== undefined)
      throw new InputError(
        `option --${stray}: is for surmise ledger ${stray === 'reason' ? 'raise' : 'init'}, got it with ${action}; leave it out`,
      );
    if (third !== undefined && action !== 'end' && action !== 'bind')
      throw new InputError(`ledger ${action}: takes a file, got also ${JSON.stringify(third)}; leave it out`);
    return actions[action as Action](file, values, io, third);
  },
});
