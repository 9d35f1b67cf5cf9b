import { createFileLedger, fileStore } from '../../adapters/file-ledger.js';
import { InputError } from '../../src/domain/input-error.js';
import { type Amount, amountToNumber, formatAmount } from '../../src/privacy/accounting/amount.js';
import { describeAmount } from '../../src/privacy/accounting/charge.js';
import { epsilonOf } from '../../src/privacy/accounting/conversion.js';
import { LedgerDamage } from '../../src/privacy/ledger/chain.js';
import { inspectLedger, type LedgerInspection } from '../../src/privacy/ledger/inspect-ledger.js';
import type { LedgerStatus } from '../../src/privacy/ledger/ledger.js';
import { type Command, command, type Io } from '../command.js';
import { bar, clip, count, percent, table } from '../print.js';
import { budgetFrom, budgetOptions, describeBudget } from './budget.js';

/** Each reservation of a ledger with what became of it. */
const work = ({ entries, open }: LedgerInspection) => {
  const settled = new Map<number, { state: 'committed' | 'cancelled'; spent: Amount; detail?: unknown }>();
  for (const entry of entries) {
    if (entry.verdict !== 'accepted') continue;
    const { record } = entry;
    if (record.kind === 'commit')
      settled.set(record.reservation, { state: 'committed', spent: record.amount, detail: record.detail });
    if (record.kind === 'cancel') settled.set(record.reservation, { state: 'cancelled', spent: 0n as Amount });
  }
  const stillOpen = new Set(open);
  return entries.flatMap((entry) => {
    if (entry.verdict !== 'accepted' || entry.record.kind !== 'reserve') return [];
    const { seq, time, what, amount } = entry.record;
    const end = settled.get(seq);
    const state = end?.state ?? (stillOpen.has(seq) ? 'open' : 'unknown');
    return [{ seq, time, what, reserved: amount, spent: end?.spent ?? amount, state, detail: end?.detail }];
  });
};

const statusJson = (status: LedgerStatus) => ({
  dataset: status.dataset,
  currency: status.budget.currency,
  ...(status.budget.epsilon === undefined ? {} : { epsilon: formatAmount(status.budget.epsilon) }),
  ...(status.budget.delta === undefined ? {} : { delta: status.budget.delta }),
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
    io.out(`${JSON.stringify({ ...statusJson(found.status), reservations })}\n`);
    return 0;
  }
  io.out(standing(found.status, io));
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
      ...(damage ? { damage } : {}),
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

const ledger: Command = command({
  name: 'ledger',
  summary: "Make, show or verify the record of a private dataset's budget",
  help: `usage: surmise ledger init FILE --dataset NAME (--epsilon E [--delta D] | --rho R [--delta D])
       surmise ledger show FILE [--json]
       surmise ledger verify FILE [--json]

A ledger is one file for one private dataset. It holds the total budget, which
is set once, and a line for everything that was spent; nothing is ever removed.

  init      makes the file; refuses when there is one
  show      what was spent, on what, and what remains
  verify    checks every record; exit code 1 when the file was changed

  --dataset NAME   a public name of the private dataset
  --epsilon, --delta, --rho   the total budget, see surmise budget --help
  --json           print JSON

example:
  surmise ledger init survey.ledger --dataset survey-2024 --epsilon 1 --delta 1e-9
  surmise ledger show survey.ledger`,
  options: { ...budgetOptions, dataset: { type: 'string' }, json: { type: 'boolean' } },
  operands: ['ACTION', 'FILE'],
  run: async ({ values, positionals: [action, file] }, io) => {
    const json = values.json === true;
    const forInit = (['dataset', 'epsilon', 'delta', 'rho'] as const).find((option) => values[option] !== undefined);
    if ((action === 'show' || action === 'verify') && forInit !== undefined)
      throw new InputError(`option --${forInit}: is for surmise ledger init, got it with ${action}; leave it out`);
    switch (action) {
      case 'init': {
        if (values.dataset === undefined)
          throw new InputError('option --dataset: must name the private dataset, got none; see surmise ledger --help');
        const made = await createFileLedger(file, { dataset: values.dataset, budget: budgetFrom(values) });
        const status = await made.status();
        io.out(json ? `${JSON.stringify(statusJson(status))}\n` : standing(status, io));
        return 0;
      }
      case 'show':
        return show(file, json, io);
      case 'verify':
        return verify(file, json, io);
      default:
        throw new InputError(
          `ledger: must be followed by init, show or verify, got ${JSON.stringify(action)}; see surmise ledger --help`,
        );
    }
  },
});

export default ledger;
