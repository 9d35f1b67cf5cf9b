import {
  type Amount,
  amountToNumber,
  describeAmount,
  epsilonInWords,
  formatAmount,
  unitText,
} from '../../src/advanced.js';
import type { Budget, LedgerInspection, LedgerStatus } from '../../src/index.js';
import type { Io } from '../command.js';
import { bar, clip, count, percent, table } from '../terminal/print.js';
import { describeBudget } from './describe-budget.js';
import { quoted } from './quoted.js';

/** Each act of a ledger with the release it was for, and what became of it. */
const actsOf = ({ entries, open }: LedgerInspection) => {
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

/** Where a ledger stands, for programs. */
export const statusJson = (status: LedgerStatus) => ({
  dataset: status.dataset,
  relation: status.relation,
  unit: status.unit,
  seeds: status.seeds ? true : undefined,
  currency: status.budget.currency,
  epsilon: status.budget.epsilon === undefined ? undefined : formatAmount(status.budget.epsilon),
  delta: status.budget.delta,
  total: formatAmount(status.total),
  spent: formatAmount(status.spent),
  reserved: formatAmount(status.reserved),
  remaining: formatAmount(status.remaining),
  rho: status.rho === undefined ? undefined : formatAmount(status.rho),
  thresholds: status.thresholds,
  records: status.records,
  tip: status.tip,
});

/** Where a ledger stands, for a person. */
export const standingText = (status: LedgerStatus, io: Io): string => {
  const { budget, total, spent, reserved, remaining } = status;
  const named = (amount: Amount) => describeAmount(amount, budget.currency);
  const epsilon = (amount: Amount, round: (digits: number) => number): string =>
    budget.currency !== 'pure' && budget.delta !== undefined && amount > 0n
      ? ` (epsilon ${epsilonInWords(amount, { currency: budget.currency, delta: budget.delta }, round)} at delta ${budget.delta})`
      : '';
  const share = amountToNumber(spent) / amountToNumber(total);
  const lines = [
    `dataset    ${clip(status.dataset, 60, io.unicode)}`,
    ...(status.seeds ? ['FOR TESTS  noise from seeds, which protects nobody'] : []),
    `protects   ${unitText(status.unit)} (${status.relation})`,
    `budget     ${describeBudget(budget)}${budget.currency !== 'pure' && budget.epsilon !== undefined ? `, counted as ${named(total)}${budget.either ? ', or in gdp if its first release is of Gaussian noise alone' : ''}` : ''}`,
    `spent      ${named(spent)}${epsilon(spent, Math.ceil)}`,
    ...(reserved > 0n ? [`of which   ${named(reserved)} reserved and not committed: it counts as spent`] : []),
    ...(status.rho === undefined || spent === 0n
      ? []
      : [`in rho     ${formatAmount(status.rho)}: what adds up with losses that are counted in rho elsewhere`]),
    ...(status.thresholds === undefined
      ? []
      : [`thresholds delta ${status.thresholds} for values that were asked for: add it to the delta of the budget`]),
    `remaining  ${named(remaining)}${epsilon(remaining, Math.floor)}`,
    `           [${bar(share, 40, io.unicode)}] ${percent(share)} spent`,
    `records    ${count(status.records)}, the last with hash ${status.tip}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** The totals to which a ledger was raised, with their reasons. */
const raisesOf = ({ entries }: LedgerInspection) => {
  let before: Budget | undefined;
  return entries.flatMap((entry) => {
    if (entry.verdict !== 'accepted') return [];
    const { record } = entry;
    if (record.kind === 'open') before = record;
    if (record.kind !== 'raise' || before === undefined) return [];
    const { seq, time, why, total, epsilon } = record;
    const from = before;
    before = { ...from, total, epsilon };
    return [{ seq, time, why, from, to: before }];
  });
};

/** A ledger with everything it was spent on, for programs. */
export const ledgerJson = (found: LedgerInspection) => ({
  ...statusJson(found.status),
  raises: raisesOf(found).map(({ seq, time, why, from, to }) => ({
    seq,
    time,
    from: formatAmount(from.total),
    to: formatAmount(to.total),
    epsilon: to.epsilon === undefined ? undefined : formatAmount(to.epsilon),
    why,
  })),
  runs: found.runs.map(({ id, left }) => ({ run: id, left: formatAmount(left) })),
  reservations: actsOf(found).map((act) => ({
    ...act,
    reserved: formatAmount(act.reserved),
    spent: formatAmount(act.spent),
  })),
});

const headings = [
  { title: '#', align: 'right' },
  { title: 'time' },
  { title: 'reserved', align: 'right' },
  { title: 'spent', align: 'right' },
  { title: 'state' },
  { title: 'what' },
] as const;

/** A ledger with everything it was spent on, for a person. */
export const ledgerText = (file: string, found: LedgerInspection, io: Io): string => {
  const { currency } = found.status.budget;
  const runs = found.runs.map(
    ({ id, left }) =>
      `run ${id} holds ${describeAmount(left, currency)} that no act has used: it is under way, or was stopped. When it was stopped: surmise ledger end ${quoted(file)} ${id}\n`,
  );
  const rows = actsOf(found).map(({ seq, time, what, reserved, spent, state }) => [
    String(seq),
    time.slice(0, 19).replace('T', ' '),
    formatAmount(reserved),
    formatAmount(spent),
    state === 'open' ? 'not committed' : state,
    clip(what, 40, io.unicode),
  ]);
  const raises = raisesOf(found).map(
    ({ time, why, from, to }) =>
      `raised     on ${time.slice(0, 10)} from ${describeBudget(from)} to ${describeBudget(to)}: ${why}\n`,
  );
  return `${standingText(found.status, io)}${raises.join('')}${runs.join('')}${rows.length === 0 ? '' : `\n${table(headings, rows, io)}`}`;
};

/** A ledger whose records were all checked and found sound, for a person. */
export const soundText = (file: string, found: LedgerInspection, io: Io): string => {
  const { void: lost, torn } = flawsOf(found);
  const voids = lost > 0 ? `${count(lost)} void: two writers met, and this one wrote again further down.\n` : '';
  const tears =
    torn.length > 0
      ? `${count(torn.length)} torn (line ${torn.join(', ')}): a write that a crash or a full disk cut short.\n`
      : '';
  return `ledger ${file}: sound
Every hash, the chain, the order, the budget and the cost of every commit were checked.
${voids}${tears}
${standingText(found.status, io)}
A file alone cannot show whether records are missing at its end: compare the last hash with a copy of it.
`;
};

/** Records that count for nothing, and that harm nothing: of a writer that came second, or cut short by a crash. */
export const flawsOf = ({ entries }: LedgerInspection) => ({
  void: entries.filter(({ verdict }) => verdict === 'void').length,
  torn: entries.filter(({ verdict }) => verdict === 'torn').map(({ line }) => line),
});
