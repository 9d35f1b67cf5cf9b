import type { Manifest } from '../../bundle/manifest.js';
import { formatAmount, parseAmount } from '../../privacy/accounting/amount.js';
import { type Charge, costOf } from '../../privacy/accounting/charge.js';
import { epsilonOf } from '../../privacy/accounting/conversion.js';
import { chargeToJson } from '../../privacy/ledger/charge-json.js';
import { type Rational, rationalNumber } from '../../privacy/rational.js';
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
  privacy.unit.kind === 'row'
    ? 'Several rows of one person taken together. If a person has k rows, all of them together are protected with about k times the epsilon.'
    : `Groups of several values of “${privacy.unit.column}” taken together, such as a family: k of them are protected with about k times the epsilon.`,
  'People in the public tables: those are public as they are.',
  'What other releases from the same table give away. Their losses add up; the ledger of the table keeps the sum.',
  'Whoever can read the private table, or watch how long the release took to make.',
])}
<h3>In numbers</h3>
<p class="small">${privacy.text}</p>
${deltaTable(privacy)}
${paragraph(
  `${plural(all.length, 'charge')} to the ledger of “${ledger.dataset}” make up the loss. Losses add up (sequential composition, for choices that depend on earlier answers too); groups that share no unit cost as much as the dearest of them.`,
  `Together they cost ${currencyName(privacy.currency)} ${roundedUp(privacy.spent, 6)} of ${significant(Number(budget.total), 6)} allowed.`,
)}
${rows.length <= shortTable ? priced : behind(`All charges (${plural(rows.length, 'kind')})`, priced)}
${noiseWords(all)}`,
  };
};

const currencyName = (currency: 'pure' | 'zcdp'): string => (currency === 'pure' ? 'epsilon' : 'rho');

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

/** One rho is many pairs of epsilon and delta. */
const deltaTable = ({ currency, spent, delta }: Manifest['privacy']) => {
  if (currency === 'pure') return undefined;
  const rho = parseAmount(spent);
  const common = ['1e-5', '1e-6', '1e-9', '1e-12'].filter((own) => Number(own) !== Number(delta));
  const deltas = [...common, ...(delta === undefined ? [] : [delta])].sort((a, b) => Number(b) - Number(a));
  return html`${paragraph(
    `The loss is counted in rho of zero-concentrated differential privacy, ${roundedUp(spent, 6)}, which means an epsilon for every delta:`,
  )}${table(
    [
      { title: 'delta', number: true },
      { title: 'epsilon', number: true },
    ],
    deltas.map((own) => [powerText(own), roundedUp(formatAmount(epsilonOf(rho, own)))]),
  )}`;
};

const chargeColumns = (currency: 'pure' | 'zcdp') => [
  { title: 'what was done' },
  { title: 'sensitivity', number: true },
  { title: 'noise', number: true },
  { title: 'times', number: true },
  { title: `${currencyName(currency)} each`, number: true },
  { title: 'together', number: true },
];

const kinds: Readonly<Record<Charge['kind'], string>> = {
  gaussian: 'measurement with discrete Gaussian noise',
  laplace: 'measurement with discrete Laplace noise',
  exponential: 'choice by the exponential mechanism',
  'permute-and-flip': 'choice by permute-and-flip',
  parallel: 'acts on groups that share no unit, in parallel',
};

const short = (value: Rational): string => significant(rationalNumber(value), 4);

/** Sensitivity and noise of a charge, as far as it has them. */
const numbersOf = (charge: Charge): readonly [sensitivity: string, noise: string] => {
  switch (charge.kind) {
    case 'gaussian':
      return [
        `L2 ${significant(Math.sqrt(rationalNumber(charge.sensitivitySquared)), 4)}`,
        `σ = ${significant(Math.sqrt(rationalNumber(charge.sigmaSquared)), 4)}`,
      ];
    case 'laplace':
      return [`L1 ${short(charge.sensitivity)}`, `b = ${short(charge.scale)}`];
    case 'exponential':
    case 'permute-and-flip':
      return ['', `epsilon ${short(charge.epsilon)}`];
    case 'parallel': {
      const [most] = [...charge.groups].sort((a, b) => b.length - a.length);
      return [
        '',
        `${plural(charge.groups.length, 'kind')} of groups, up to ${plural(most?.length ?? 0, 'act')} in each`,
      ];
    }
  }
};

/** Equal charges in one row, the dearest first. */
const chargeRows = (charges: readonly Charge[], currency: 'pure' | 'zcdp'): Cell[][] => {
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
      kinds[charge.kind],
      ...numbersOf(charge),
      count(times),
      significant(cost, 4),
      significant(cost * times, 4),
    ]);
};

const noiseWords = (charges: readonly Charge[]) => {
  const inner = (charge: Charge): readonly Charge[] =>
    charge.kind === 'parallel' ? charge.groups.flatMap((group) => group.flatMap(inner)) : [charge];
  const used = new Set(charges.flatMap(inner).map(({ kind }) => kind));
  const words = [
    ...(used.has('gaussian')
      ? ['Discrete Gaussian noise of standard deviation σ on answers with L2 sensitivity S costs S²/(2σ²) rho.']
      : []),
    ...(used.has('laplace')
      ? [
          'Discrete Laplace noise of scale b on answers with L1 sensitivity S is S/b-differentially private; in rho, half of its square.',
        ]
      : []),
    ...(used.has('exponential')
      ? ['A choice by the exponential mechanism with epsilon costs epsilon²/8 rho, or epsilon.']
      : []),
    ...(used.has('permute-and-flip')
      ? ['A choice by permute-and-flip with epsilon costs epsilon²/2 rho, or epsilon.']
      : []),
  ];
  return html`<p class="small">${words.join(' ')} Noise is whole numbers, drawn exactly from the platform’s cryptographic generator; costs are exact fractions, rounded up.</p>`;
};
