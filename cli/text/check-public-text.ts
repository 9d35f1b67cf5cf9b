import type { CheckedPublicFiles, ComparedPublicFile } from '../../adapters/index.js';
import { amountInWords, epsilonAt, formatAmount, lossName } from '../../src/advanced.js';
import type { LedgerStatus } from '../../src/index.js';
import type { Io } from '../command.js';
import { bold, count, dim, percent, table } from '../terminal/print.js';
import { quoted } from './quoted.js';

/** The table to take: the one whose best weighting errs least, unless none can serve. */
const best = ({ tables }: CheckedPublicFiles) =>
  tables
    .filter(({ verdict }) => verdict.advice !== 'unsuitable')
    .reduce<CheckedPublicFiles['tables'][number] | undefined>(
      (least, one) => (least === undefined || one.mixture.value < least.mixture.value ? one : least),
      undefined,
    );

/** The largest epsilon, to four digits, that a release can ask of what remains. */
const epsilonLeft = ({ budget, remaining }: LedgerStatus): string | undefined => {
  const all =
    budget.currency === 'pure'
      ? remaining
      : budget.delta === undefined
        ? undefined
        : epsilonAt[budget.currency](remaining, budget.delta);
  if (all === undefined) return undefined;
  const value = Number(formatAmount(all));
  const digits = 3 - Math.floor(Math.log10(value));
  return String(Math.floor(value * 10 ** digits) / 10 ** digits);
};

export const checkedJson = (checked: CheckedPublicFiles): string => {
  const { tables, privacy, status } = checked;
  const left = epsilonLeft(status);
  const body = {
    tables,
    recommended: best(checked)?.file,
    privacy,
    remaining: {
      [lossName[status.budget.currency]]: formatAmount(status.remaining),
      epsilon: left,
    },
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

const errorText = ({ value, margin }: { readonly value: number; readonly margin: number }, io: Io): string =>
  `${percent(Math.max(0, value))} ${io.unicode ? '±' : '+-'} ${percent(margin)}`;

const headings = (...titles: string[]) => [
  { title: 'public table' },
  ...titles.map((title) => ({ title, align: 'right' as const })),
];

export const checkedText = (checked: CheckedPublicFiles, ledger: string, io: Io): string => {
  const { tables, privacy, status } = checked;
  const rows = tables.map(({ file, rows: size, asIs, mixture, direct, verdict }) => [
    file,
    count(size),
    errorText(asIs, io),
    `${mixture.kind === 'exact' ? '' : 'at most '}${errorText(mixture, io)}`,
    percent(direct),
    verdict.advice,
  ]);
  const list = table(headings('rows', 'as it is', 'best weighting', 'measured directly', 'advice'), rows, io);
  const verdicts = tables.map(({ file, verdict }) => `${bold(file, io)}: ${verdict.text}\n`).join('\n');
  const chosen = best(checked);
  const left = epsilonLeft(status);
  const found = chosen?.verdict.advice === 'uncertain' ? 'Closest, though it is open whether it serves' : 'Take';
  const next =
    chosen === undefined
      ? 'None of these tables can serve: look for another one, or release without one (--mechanism mwem).'
      : `${found}: ${chosen.file}.${left === undefined ? '' : ` A release may use --epsilon ${left} of what remains.`}`;
  return `${list}
${verdicts}
${next}

${privacy.text}
${dim('What remains:', io)} ${amountInWords(status.remaining, status.budget, Math.floor)}; surmise ledger show ${quoted(ledger)}
`;
};

export const comparedText = (against: string, compared: readonly ComparedPublicFile[], io: Io): string => {
  const rows = compared.map(({ file, rows: size, asIs, mixture, bound }) => [
    file,
    count(size),
    percent(asIs),
    percent(mixture),
    percent(bound),
  ]);
  const least = compared.reduce((a, b) => (b.mixture < a.mixture ? b : a));
  return `${table(headings('rows', 'as it is', 'best weighting found', 'none is below'), rows, io)}
Largest error of a cell against ${against}, which is public: exact, and nothing was spent.
Closest: ${least.file}; its rows can be weighted to err least.
`;
};
