import type { Manifest } from '../../bundle/manifest.js';
import { formatAmount, parseAmount } from '../../privacy/accounting/amount.js';
import { epsilonAt } from '../../privacy/accounting/budget.js';
import { type Charge, chargeKinds, costOf, type SingleCharge } from '../../privacy/accounting/charge.js';
import { type Currency, lossName } from '../../privacy/accounting/currency.js';
import { decimalText } from '../../privacy/accounting/decimal.js';
import { chargeToJson } from '../../privacy/ledger/record/charge-json.js';
import { isNoiseCharge, noiseIn, noiseKinds } from '../../privacy/noise/noise-kinds.js';
import { rationalNumber } from '../../privacy/rational.js';
import { byUnit } from '../../query/unit.js';
import { html } from '../html.js';
import { behind, type Cell, list, paragraph, type Section, table } from '../layout.js';
import { count, percent, plural, powerText, roundedUp, significant } from '../number-text.js';
import {
  beliefAfter,
  beliefInWords,
  epsilonInWords,
  type Guarantee,
  guaranteeOf,
  hiddenText,
  strengthText,
  unitText,
} from './privacy-words.js';

/** Tables of charges up to this length are shown at once. */
const shortTable = 8;

/** What the guarantee means for a person, what it does not cover, and the charges it follows from. */
export const privacySection = ({ privacy, charges, budget, ledger }: Manifest): Section => {
  const guarantee = guaranteeOf(privacy);
  const unit = unitText(privacy);
  const all = charges.flatMap((act) => act.charges);
  const rows = chargeRows(all, privacy.currency);
  const priced = table(chargeColumns(privacy.currency), rows);
  return {
    id: 'privacy',
    title: 'What it means for the people in the table',
    body: html`<div class="beside"><div>${paragraph(`Protected is ${unit}.`, `This release hides ${hiddenText(privacy)}.`)}
${paragraph(epsilonInWords(guarantee, privacy), beliefInWords(guarantee), strengthText(guarantee))}
</div>${beliefTable(guarantee)}</div>
<h3>What is not protected</h3>
${list([
  'What is true of the population. If the release shows that an illness is frequent among smokers, that can be applied to any smoker, whether or not that person is in the table.',
  byUnit(privacy.unit, {
    row: () =>
      'Several rows of one person taken together. If a person has k rows, all of them together are protected with about k times the epsilon.',
    id: ({ column }) =>
      `Groups of several values of “${column}” taken together, such as a family: k of them are protected with about k times the epsilon.`,
    household: () =>
      'Several households taken together, such as a street: k of them are protected with about k times the epsilon.',
    person: () =>
      'Households: how many there are, who lives with whom, and all that is said of them. Several persons taken together, such as a family: k of them are protected with about k times the epsilon.',
  }),
  'People in the public tables: those are public as they are.',
  'What other releases from the same table give away. Their losses add up; the ledger of the table keeps the sum.',
  'Whoever can read the private table, or watch how long the release took to make.',
])}
<h3>In numbers</h3>
<p class="small">${privacy.text}</p>
${deltaTable(privacy)}
${paragraph(
  `${plural(all.length, 'charge')} to the ledger of “${ledger.dataset}” make up the loss. Losses add up (sequential composition, for choices that depend on earlier answers too); groups that share no unit cost as much as the dearest of them.`,
  `Together they cost ${lossName[privacy.currency]} ${roundedUp(privacy.spent, 6)} of ${significant(Number(budget.total), 6)} allowed.`,
)}
${lostText(charges)}
${rows.length <= shortTable ? priced : behind(`All charges (${plural(rows.length, 'kind')})`, priced)}
${noiseWords(all)}`,
  };
};

/** What an interruption took. */
const lostText = (charges: Manifest['charges']) => {
  const lost = charges.filter((act) => act.lost).length;
  return lost === 0
    ? ''
    : paragraph(
        `${plural(lost, 'act')} of them ${lost === 1 ? 'was' : 'were'} paid for and lost when the release was interrupted: nobody has seen what came of ${lost === 1 ? 'it' : 'them'}, and what was left was divided among the rest.`,
      );
};

/** How belief in a claim can move, for several beginnings. */
const beliefTable = ({ epsilon }: Guarantee) =>
  table(
    [
      { title: 'sure before', number: true },
      { title: 'at least, afterwards', number: true },
      { title: 'at most, afterwards', number: true },
    ],
    [0.001, 0.01, 0.1, 0.5, 0.9].map((before) => {
      const { least, most } = beliefAfter(before, epsilon);
      return [percent(before), percent(least), percent(most)];
    }),
    'How sure somebody can become of a claim about one unit',
  );

/** One rho, or one gdp, is many pairs of epsilon and delta. */
const deltaTable = ({ currency, spent, rho, delta, epsilon }: Manifest['privacy']) => {
  if (currency === 'pure') return undefined;
  const loss = parseAmount(spent);
  const common = ['1e-5', '1e-6', '1e-9', '1e-12'].filter((own) => Number(own) !== Number(delta));
  const deltas = [...common, ...(delta === undefined ? [] : [delta])].sort((a, b) => Number(b) - Number(a));
  return html`${paragraph(
    currency === 'gdp'
      ? `The loss is counted in gdp, ${roundedUp(spent, 6)}, half of the squared mu of Gaussian differential privacy: by it, Gaussian noise costs what it loses. It means an epsilon for every delta. Where losses are counted in rho, this release adds ${roundedUp(rho!, 6)}.`
      : `The loss is counted in rho of zero-concentrated differential privacy, ${roundedUp(spent, 6)}, which means an epsilon for every delta:`,
  )}${table(
    [
      { title: 'delta', number: true },
      { title: 'epsilon', number: true },
    ],
    deltas.map((own) => [
      powerText(own),
      roundedUp(own === delta && epsilon !== undefined ? epsilon : formatAmount(epsilonAt[currency](loss, own))),
    ]),
  )}`;
};

const chargeColumns = (currency: Currency) => [
  { title: 'what was done' },
  { title: 'sensitivity', number: true },
  { title: 'noise' },
  { title: 'times', number: true },
  { title: `${lossName[currency]} each`, number: true },
  { title: 'together', number: true },
];

const actOf = ({ kind }: Charge): string =>
  kind === 'parallel' ? 'acts on groups that share no unit, in parallel' : chargeKinds[kind].act;

/** Sensitivity and noise of a charge, as far as it has them. */
const numbersOf = (charge: Charge): readonly [sensitivity: string, noise: string] => {
  if (charge.kind === 'parallel') {
    const [most] = [...charge.groups].sort((a, b) => b.length - a.length);
    return ['', `${plural(charge.groups.length, 'kind')} of groups, up to ${plural(most?.length ?? 0, 'act')} in each`];
  }
  if (charge.kind === 'threshold') return ['', `delta ${powerText(decimalText(charge.delta, 'up'))}`];
  if (!isNoiseCharge(charge)) {
    const each = `epsilon ${significant(rationalNumber(charge.epsilon), 4)}`;
    return ['', 'draws' in charge ? `${plural(rationalNumber(charge.draws), 'draw')} with ${each} each` : each];
  }
  const { norm, normOf, symbol, scaleOf } = noiseKinds[charge.kind];
  const { sensitivity, parameter } = noiseIn(charge);
  return [`${norm} ${significant(normOf(sensitivity), 4)}`, `${symbol} = ${significant(scaleOf(parameter), 4)}`];
};

/** Equal charges in one row, the dearest first. */
const chargeRows = (charges: readonly Charge[], currency: Currency): Cell[][] => {
  const equal = new Map<string, { charge: Charge; times: number }>();
  for (const charge of charges) {
    const key = JSON.stringify(chargeToJson(charge));
    const found = equal.get(key);
    if (found === undefined) equal.set(key, { charge, times: 1 });
    else found.times++;
  }
  return [...equal.values()]
    .map(({ charge, times }) => ({ charge, times, cost: Number(formatAmount(costOf(charge, currency))) }))
    .sort((a, b) => b.cost - a.cost)
    .map(({ charge, times, cost }) => [
      actOf(charge),
      ...numbersOf(charge),
      count(times),
      significant(cost, 4),
      significant(cost * times, 4),
    ]);
};

const noiseWords = (charges: readonly Charge[]) => {
  const inner = (charge: Charge): readonly SingleCharge[] =>
    charge.kind === 'parallel' ? charge.groups.flatMap((group) => group.flatMap(inner)) : [charge];
  const used = new Set<string>(charges.flatMap(inner).map(({ kind }) => kind));
  const words = Object.entries(chargeKinds).flatMap(([kind, { price }]) => (used.has(kind) ? price : []));
  return html`<p class="small">${words.join(' ')} Noise is whole numbers, drawn exactly from the platform’s cryptographic generator; costs are exact fractions, rounded up.</p>`;
};
