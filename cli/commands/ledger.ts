import { createFileLedger, fileLedger, fileStore } from '../../adapters/ledger/file-ledger.js';
import { boundTable, isBoundTo, tableIdentity } from '../../adapters/ledger/table-identity.js';
import { InputError } from '../../src/domain/input-error.js';
import { type Amount, amountToNumber, formatAmount } from '../../src/privacy/accounting/amount.js';
import { describeAmount } from '../../src/privacy/accounting/charge.js';
import { epsilonOf } from '../../src/privacy/accounting/conversion.js';
import { LedgerDamage } from '../../src/privacy/ledger/chain.js';
import { inspectLedger, type LedgerInspection } from '../../src/privacy/ledger/inspect-ledger.js';
import type { LedgerStatus } from '../../src/privacy/ledger/ledger.js';
import { type Command, command, type Io } from '../command.js';
import { relationFrom, unitFrom } from '../options/release-options.js';
import { wholeNumber } from '../options/whole-number.js';
import { bar, clip, count, percent, table } from '../terminal/print.js';
import { budgetFrom, budgetOptions, describeBudget } from './budget.js';

/** Each act of a ledger with the release it was for, and what became of it. */
const work = ({ entries, open }: LedgerInspection) => {
  const settled = new Map<number, { state: 'committed' | 'cancelled'; spent: Amount }>();
  const releases = new Map<number, string>();
  for (const entry of entries) {
    if (entry.verdict !== 'accepted') continue;
    const { record } = entry;
    if (record.kind === 'run') releases.set(record.seq, record.release);
    if (record.kind === 'commit') settled.set(record.reservation, { state: 'committed', spent: record.amount });
    if (record.kind === 'cancel') settled.set(record.reservation, { state: 'cancelled', spent: 0n as Amount });
  }
  const stillOpen = new Set(open);
  return entries.flatMap((entry) => {
    if (entry.verdict !== 'accepted' || entry.record.kind !== 'reserve') return [];
    const { seq, run, time, what, amount } = entry.record;
    const end = settled.get(seq);
    const state = end?.state ?? (stillOpen.has(seq) ? 'open' : 'unknown');
    const release = releases.get(run);
    return [{ seq, run, release, time, what, reserved: amount, spent: end?.spent ?? amount, state }];
  });
};

const statusJson = (status: LedgerStatus) => ({
  dataset: status.dataset,
  relation: status.relation,
  unit: status.unit,
  ...(status.seeds ? { seeds: true } : {}),
  currency: status.budget.currency,
  ...(status.budget.epsilon === undefined ? {} : { epsilon: formatAmount(status.budget.epsilon) }),
  delta: status.budget.delta,
  total: formatAmount(status.total),
  spent: formatAmount(status.spent),
  reserved: formatAmount(status.reserved),
  remaining: formatAmount(status.remaining),
  records: status.records,
  tip: status.tip,
});

const tally = ({ entries }: LedgerInspection) => ({
  void: entries.filter(({ verdict }) => verdict === 'void').length,
  torn: entries.filter(({ verdict }) => verdict === 'torn').map(({ line }) => line),
});

const damageSentence = (file: string, line: number, why: string): string =>
  `ledger ${file}: DAMAGED at line ${line}: ${why}`;

const standing = (status: LedgerStatus, io: Io): string => {
  const { budget, total, spent, reserved, remaining } = status;
  const named = (amount: Amount) => describeAmount(amount, budget.currency);
  const epsilon =
    budget.currency === 'zcdp' && budget.delta !== undefined && spent > 0n
      ? ` (epsilon ${amountToNumber(epsilonOf(spent, budget.delta)).toPrecision(4)} at delta ${budget.delta})`
      : '';
  const share = amountToNumber(spent) / amountToNumber(total);
  const lines = [
    `dataset    ${clip(status.dataset, 60, io.unicode)}`,
    ...(status.seeds ? ['FOR TESTS  noise from seeds, which protects nobody'] : []),
    `protects   ${status.unit.kind === 'row' ? 'a row' : `values of ${JSON.stringify(status.unit.column)}, at most ${status.unit.maxRecords} rows each`} (${status.relation})`,
    `budget     ${describeBudget(budget)}${budget.currency === 'zcdp' && budget.epsilon !== undefined ? `, counted as ${named(total)}` : ''}`,
    `spent      ${named(spent)}${epsilon}`,
    ...(reserved > 0n ? [`of which   ${named(reserved)} reserved and not committed: it counts as spent`] : []),
    `remaining  ${named(remaining)}`,
    `           [${bar(share, 40, io.unicode)}] ${percent(share)} spent`,
    `records    ${count(status.records)}, the last with hash ${status.tip}`,
  ];
  return `${lines.join('\n')}\n`;
};

const show = async (file: string, json: boolean, io: Io): Promise<number> => {
  const found = await inspectLedger(fileStore(file));
  if (found.damage) throw new LedgerDamage(file, found.damage.line, found.damage.why);
  const rows = work(found);
  if (json) {
    const reservations = rows.map((row) => ({
      ...row,
      reserved: formatAmount(row.reserved),
      spent: formatAmount(row.spent),
    }));
    const runs = found.runs.map(({ id, left }) => ({ run: id, left: formatAmount(left) }));
    io.out(`${JSON.stringify({ ...statusJson(found.status), runs, reservations })}\n`);
    return 0;
  }
  io.out(standing(found.status, io));
  for (const { id, left } of found.runs)
    io.out(
      `run ${id} holds ${describeAmount(left, found.status.budget.currency)} that no act has used: it is under way, or was stopped. When it was stopped: surmise ledger end ${file} ${id}\n`,
    );
  if (rows.length === 0) return 0;
  io.out('\n');
  io.out(
    table(
      [
        { title: '#', align: 'right' },
        { title: 'time' },
        { title: 'reserved', align: 'right' },
        { title: 'spent', align: 'right' },
        { title: 'state' },
        { title: 'what' },
      ],
      rows.map(({ seq, time, what, reserved, spent, state }) => [
        String(seq),
        time.slice(0, 19).replace('T', ' '),
        formatAmount(reserved),
        formatAmount(spent),
        state === 'open' ? 'not committed' : state,
        clip(what, 40, io.unicode),
      ]),
      io,
    ),
  );
  return 0;
};

const verify = async (file: string, json: boolean, io: Io): Promise<number> => {
  let found: LedgerInspection;
  try {
    found = await inspectLedger(fileStore(file));
  } catch (error) {
    if (!(error instanceof LedgerDamage)) throw error;
    const { line, why } = error;
    io.out(
      json ? `${JSON.stringify({ sound: false, damage: { line, why } })}\n` : `${damageSentence(file, line, why)}\n`,
    );
    return 1;
  }
  const { status, damage } = found;
  const { void: lost, torn } = tally(found);
  if (json) {
    const body = {
      sound: damage === undefined,
      damage,
      ...statusJson(status),
      void: lost,
      torn,
    };
    io.out(`${JSON.stringify(body)}\n`);
    return damage ? 1 : 0;
  }
  if (damage) {
    io.out(`${damageSentence(file, damage.line, damage.why)}\n`);
    const sound =
      status.records === 1 ? 'The record before it is' : `The ${count(status.records)} records before it are`;
    io.out(`${sound} sound. Spend nothing until the file is as it was.\n`);
    return 1;
  }
  io.out(`ledger ${file}: sound\n`);
  io.out('Every hash, the chain, the order, the budget and the cost of every commit were checked.\n');
  if (lost > 0) io.out(`${count(lost)} void: two writers met, and this one wrote again further down.\n`);
  if (torn.length > 0)
    io.out(`${count(torn.length)} torn (line ${torn.join(', ')}): a write that a crash or a full disk cut short.\n`);
  io.out(`\n${standing(status, io)}`);
  io.out(
    '\nA file alone cannot show whether records are missing at its end: compare the last hash with a copy of it.\n',
  );
  return 0;
};

/** Gives back what a run that died had set aside. One that still lives is refused its next act, so nothing can be spent twice. */
const end = async (file: string, given: string | undefined, io: Io): Promise<number> => {
  const run = wholeNumber('run', given, { min: 1, max: Number.MAX_SAFE_INTEGER, otherwise: undefined });
  if (run === undefined)
    throw new InputError('ledger end: must name a run, got none; surmise ledger show lists those that are open');
  const open = await fileLedger(file, {});
  await open.endRun(run, 'ended by hand');
  io.out(`run ${run} has ended\n\n${standing(await open.status(), io)}`);
  return 0;
};

const bind = async (file: string, table: string | undefined, io: Io): Promise<number> => {
  if (table === undefined)
    throw new InputError('ledger bind: must name the table, got none; see surmise ledger --help');
  const open = await fileLedger(file, {});
  const identity = await tableIdentity(table);
  if (!isBoundTo(await open.tables(), identity, open.dataset)) await open.bind(boundTable(identity, open.dataset));
  io.out(`ledger ${file}: is that of ${table} from now on\n`);
  return 0;
};

const actions = ['init', 'show', 'verify', 'end', 'bind'];

const ledger: Command = command({
  name: 'ledger',
  summary: "Make, show or verify the record of a private dataset's budget",
  help: `usage: surmise ledger init FILE (--epsilon E [--delta D] | --rho R [--delta D]) [options]
       surmise ledger show FILE [--json]
       surmise ledger verify FILE [--json]
       surmise ledger end FILE RUN
       surmise ledger bind FILE TABLE

A ledger is one file for one private dataset. It holds the total budget and whom it
protects, which are set once, and a line for everything that was spent; nothing is ever
removed. Releases that protect somebody else, or otherwise, need another ledger: their
losses do not add up.

  init      makes the file; refuses when there is one
  show      what was spent, on what, and what remains
  verify    checks every record; exit code 1 when the file was changed
  end       gives back what a run that was killed had set aside and not used; should the
            run still be alive, it can spend nothing more
  bind      says that the ledger is that of TABLE, which has moved to another disk

  --epsilon, --delta, --rho   the total budget, see surmise budget --help
  --dataset NAME    a public name of the private dataset (a random one)
  --relation R      add-remove (the default) or replace-one
  --unit-id COLUMN  protect everything that one value of COLUMN contributes ...
  --max-records N   ... of which at most N rows are kept
  --unsafe-seeds    FOR TESTS: a ledger for noise from seeds, which protects nobody; it
                    takes no other
  --json            print JSON

example:
  surmise ledger init survey.csv.ledger.jsonl --epsilon 1 --delta 1e-9
  surmise ledger show survey.csv.ledger.jsonl`,
  options: {
    ...budgetOptions,
    dataset: { type: 'string' },
    relation: { type: 'string' },
    'unit-id': { type: 'string' },
    'max-records': { type: 'string' },
    'unsafe-seeds': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: ['ACTION', 'FILE', '[RUN|TABLE]'],
  run: async ({ values, positionals: [action, file, third] }, io) => {
    const json = values.json === true;
    if (!actions.includes(action))
      throw new InputError(
        `ledger: must be followed by ${actions.slice(0, -1).join(', ')} or ${actions.at(-1)}, got ${JSON.stringify(action)}; see surmise ledger --help`,
      );
    const { json: _, ...forInit } = values;
    const stray = Object.keys(forInit).find((option) => forInit[option as keyof typeof forInit] !== undefined);
    if (action !== 'init' && stray !== undefined)
      throw new InputError(`option --${stray}: is for surmise ledger init, got it with ${action}; leave it out`);
    if (third !== undefined && action !== 'end' && action !== 'bind')
      throw new InputError(`ledger ${action}: takes a file, got also ${JSON.stringify(third)}; leave it out`);
    if (action === 'show') return show(file, json, io);
    if (action === 'verify') return verify(file, json, io);
    if (action === 'end') return end(file, third, io);
    if (action === 'bind') return bind(file, third, io);
    const made = await createFileLedger(file, {
      dataset: values.dataset,
      budget: budgetFrom(values),
      relation: relationFrom(values),
      unit: unitFrom(values),
      seeds: values['unsafe-seeds'],
    });
    const status = await made.status();
    io.out(json ? `${JSON.stringify(statusJson(status))}\n` : standing(status, io));
    return 0;
  },
});

export default ledger;
