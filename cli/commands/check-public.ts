import type { CheckedPublicFiles, ComparedPublicFile } from '../../adapters/check-public-files.js';
import { assertDistinct, assertPublic } from '../../adapters/private/looks-private.js';
import { InputError } from '../../src/domain/input-error.js';
import { formatAmount } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { describeAmount } from '../../src/privacy/accounting/charge.js';
import { epsilonOf } from '../../src/privacy/accounting/conversion.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import type { LedgerStatus } from '../../src/privacy/ledger/ledger.js';
import { mostPairCells } from '../../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../../src/random/seeded.js';
import { command, type Io } from '../command.js';
import { ledgerFor } from '../options/ledger-for.js';
import {
  budgetRequest,
  outsideFrom,
  privateHelp,
  privateOptions,
  relationFrom,
  unitFrom,
} from '../options/release-options.js';
import { wholeNumber } from '../options/whole-number.js';
import { bold, count, dim, percent, table } from '../terminal/print.js';
import { stopRemark } from '../text/stop-remark.js';

export default command({
  name: 'check-public',
  summary: 'tell whether a public table can serve as the prior of a private one',
  help: `usage: surmise check-public PRIVATE --public FILE [--public FILE ...] --epsilon E [options]
       surmise check-public --public FILE [--public FILE ...] --against TABLE [options]

The first form asks the private table, for a part of the budget: how far off is each public table as it is, how far off
under the best weighting of its rows (that is what a release can reach), and how far off is plain measuring. The answers are
noisy, with 95% margins. The second form compares with a *public* table that stands for the private one, such as an
earlier year: exact, and free. All errors are those of the worst cell of all pairs of attributes.

      --public FILE       a public table to judge; may be given several times
      --against TABLE     a public table to compare with, in place of PRIVATE
      --share S           the part of the budget that the check spends, over all tables (0.1); the rest is for the release
${privateHelp}
      --max-cells N       leave out pairs of attributes with more cells (${mostPairCells})
      --unsafe-seed N     FOR TESTS: noise from a seed, which protects nobody; needs --ledger
      --json              print JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

example:
  surmise check-public survey.csv --public survey-2018.csv --public neighbours.csv --epsilon 1
  surmise check-public --public survey-2018.csv --public neighbours.csv --against survey-2021.csv`,
  options: {
    ...privateOptions,
    public: { type: 'string', multiple: true },
    against: { type: 'string' },
    share: { type: 'string' },
    'max-cells': { type: 'string' },
    'unsafe-seed': { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: ['[PRIVATE]'],
  run: async ({ values, positionals: [file] }, io) => {
    const { against } = values;
    const files = values.public ?? [];
    if (files.length === 0) throw new InputError('option --public: must name a public table to judge, got none');
    if ((file === undefined) === (against === undefined))
      throw new InputError(
        'check-public: needs either the private table or a public one to compare with (--against), got both or neither; see surmise check-public --help',
      );
    for (const name of files) {
      await assertPublic(name, { private: file });
      if (against !== undefined) await assertDistinct(name, against);
    }
    if (against !== undefined) await assertPublic(against);
    const outside = outsideFrom(values);
    const maxCells = wholeNumber('max-cells', values['max-cells'], { min: 1, max: 1e8, otherwise: mostPairCells });
    const running = { onProgress: io.progress, signal: io.signal };
    const common = { ...running, public: files, random: seeded(1), maxCells, outside };
    const schemaOf = async () => {
      const { releaseSchema } = await import('../options/release-schema.js');
      const choice = {
        schema: values.schema,
        public: files[0],
        private: file,
        exclude: values.exclude,
        unitId: values['unit-id'],
      };
      return (await releaseSchema({ ...running, ...choice })).schema;
    };
    if (against !== undefined) {
      const paid = (
        [
          'epsilon',
          'delta',
          'pure',
          'ledger',
          'another-ledger',
          'dataset',
          'share',
          'relation',
          'unit-id',
          'max-records',
        ] as const
      ).find((option) => values[option] !== undefined);
      if (paid !== undefined)
        throw new InputError(
          `option --${paid}: is for a private table, got it with --against, which is free; leave it out`,
        );
      const { comparePublicFiles } = await import('../../adapters/check-public-files.js');
      const compared = await comparePublicFiles(against, { ...common, schema: await schemaOf() });
      io.out(
        values.json
          ? `${JSON.stringify({ against, tables: compared }, null, 2)}\n`
          : comparedText(against, compared, io),
      );
      return;
    }
    const budget = budgetRequest(values);
    budgetOf(budget); // a budget that makes no sense is told at once
    const share = shareFrom(values.share);
    const seed = wholeNumber('unsafe-seed', values['unsafe-seed'], { min: 0, max: 2 ** 52, otherwise: undefined });
    const unit = unitFrom(values);
    const ledger = await ledgerFor(file, values, seed !== undefined);
    const request = {
      ...common,
      budget,
      share,
      ledger: values.ledger,
      ...(values['another-ledger'] === true ? { anotherLedger: true } : {}),
      relation: relationFrom(values),
      unit,
      dataset: values.dataset,
      ...(seed === undefined ? {} : { entropy: seededEntropy(seed) }),
    };
    let spending = false;
    const onReserved = () => {
      spending = true;
    };
    try {
      const schema = await schemaOf();
      const onOpen = () => io.err(stopRemark(schema, outside));
      const { checkPublicFiles } = await import('../../adapters/check-public-files.js');
      const checked = await checkPublicFiles(file, { ...request, schema, onOpen, onReserved });
      io.out(values.json ? json(checked) : checkedText(checked, ledger, io));
    } catch (error) {
      if (spending) io.err(`surmise: what was spent stays spent; see surmise ledger show ${ledger}\n`);
      throw error;
    }
  },
});

const shareFrom = (text = '0.1'): number => {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share > 0 && share < 1))
    throw new InputError(`option --share: must be above 0 and below 1, got ${JSON.stringify(text)}`);
  return share;
};

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
        : epsilonOf(remaining, budget.delta);
  if (all === undefined) return undefined;
  const value = Number(formatAmount(all));
  const digits = 3 - Math.floor(Math.log10(value));
  return String(Math.floor(value * 10 ** digits) / 10 ** digits);
};

const json = (checked: CheckedPublicFiles): string => {
  const { tables, privacy, status } = checked;
  const left = epsilonLeft(status);
  const body = {
    tables,
    ...(best(checked) && { recommended: best(checked)!.file }),
    privacy,
    remaining: {
      [status.budget.currency === 'pure' ? 'epsilon' : 'rho']: formatAmount(status.remaining),
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

const checkedText = (checked: CheckedPublicFiles, ledger: string, io: Io): string => {
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
${dim('What remains:', io)} ${describeAmount(status.remaining, status.budget.currency)}; surmise ledger show ${ledger}
`;
};

const comparedText = (against: string, compared: readonly ComparedPublicFile[], io: Io): string => {
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
