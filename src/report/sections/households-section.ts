import type { Attribute } from '../../domain/attribute/attribute.js';
import { cellLabels, isOrdered, nullCell, otherCell } from '../../domain/attribute/cells.js';
import { indexOf } from '../../domain/domain.js';
import { isHouseholdTable } from '../../domain/households/household-table.js';
import { levelsOf } from '../../domain/households/levels-of.js';
import type { Table } from '../../domain/table.js';
import { type BoundsSource, boundsOf } from '../../evaluate/bounds.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { sizeShares } from '../../model/households/size-shares.js';
import type { HouseholdModel } from '../../model/model.js';
import { holding } from '../../query/holding.js';
import { type Html, html } from '../html.js';
import { figure, paragraph, type Section } from '../layout.js';
import { count, percent, plural } from '../number-text.js';
import type { Plot } from '../plots/draw.js';
import { heatKey, heatPlot } from '../plots/heat-plot.js';
import type { BarShare, OneWay } from '../plots/one-way.js';
import { wayCards, waysKey } from './attributes-section.js';

/** Attributes and pairs of attributes that are drawn, and cells of one at most: no cells can be put together where households are counted. */
const mostComposition = 12;
const mostPairs = 4;
const mostCells = 40;

/** What the section is made of: the model with what bounds are made from, and public households. */
export interface HouseholdsSource extends BoundsSource {
  readonly model: HouseholdModel;
}

/** Public households as a model of themselves. */
const publicModel = (table: Table | undefined): HouseholdModel | undefined => {
  if (table === undefined || !isHouseholdTable(table) || table.offsets.length < 2) return undefined;
  const households = table.offsets.length - 1;
  return householdSupportModel({ table, weights: new Float64Array(households).fill(1 / households) }, households);
};

/** Shares of households that hold somebody in each cell of an attribute, as bars. */
const waysOf = (source: HouseholdsSource, prior: HouseholdModel | undefined, attribute: Attribute): OneWay => {
  const { model } = source;
  const query = holding(attribute.name);
  const { values, low, high } = boundsOf(source, query);
  const of = (households: number): number => Math.min(1, Math.max(0, households / Math.max(1, model.householdTotal)));
  const before = prior?.answer(query).map((households) => households / prior.householdTotal);
  const aside = [otherCell(attribute.spec), nullCell(attribute.spec)];
  const bars = cellLabels(attribute).map((label, cell): BarShare => {
    const bounded = Number.isFinite(low[cell]) && Number.isFinite(high[cell]);
    return {
      label,
      cells: [cell],
      aside: aside.includes(cell),
      released: of(values[cell]),
      prior: before?.[cell],
      bounds: bounded ? [of(low[cell]), of(high[cell])] : undefined,
    };
  });
  return { attribute, bars, ordered: isOrdered(attribute), folded: false, measured: false };
};

/** Shares of households of each size: of drawn ones where the schema has no attribute that says it. */
const sizesOf = (source: HouseholdsSource, prior: HouseholdModel | undefined): OneWay => {
  const { model } = source;
  const { maxSize, size } = model.domain.households!;
  if (size !== undefined) return waysOf(source, prior, model.domain.attributes[indexOf(model.domain, size)]);
  const [released, before] = [sizeShares(model), prior && sizeShares(prior)];
  const attribute: Attribute = {
    name: 'persons',
    size: maxSize,
    spec: { name: 'persons', type: 'integer', min: 1, max: maxSize },
  };
  const bars = Array.from(released, (share, i) => ({
    label: String(i + 1),
    cells: [i],
    aside: false,
    released: share,
    prior: before?.[i],
  }));
  return { attribute, bars, ordered: true, folded: false, measured: false };
};

/** Of the households of each cell of one attribute, the part that hold somebody in each cell of another, and how much it varies. */
interface Pair {
  readonly own: Attribute;
  readonly person: Attribute;
  readonly shares: readonly (readonly number[])[];
  readonly spread: number;
}

const pairOf = (model: HouseholdModel, own: Attribute, person: Attribute): Pair => {
  const all = model.answer(holding(own.name));
  const both = model.answer(holding(own.name, person.name));
  const total = Math.max(1e-9, model.householdTotal);
  const shares = Array.from({ length: own.size }, (_, g) =>
    Array.from({ length: person.size }, (_, p) =>
      all[g] > total * 1e-4 ? Math.min(1, Math.max(0, both[g * person.size + p] / all[g])) : Number.NaN,
    ),
  );
  let spread = 0;
  for (let p = 0; p < person.size; p++) {
    const mean = shares.reduce((sum, row, g) => sum + (Number.isNaN(row[p]) ? 0 : (row[p] * all[g]) / total), 0);
    spread += shares.reduce(
      (sum, row, g) => sum + (Number.isNaN(row[p]) ? 0 : (Math.abs(row[p] - mean) * all[g]) / total),
      0,
    );
  }
  return { own, person, shares, spread };
};

const pairFigure = async (
  { own, person, shares }: Pair,
  index: number,
  draw: (plot: Plot) => Promise<Html>,
): Promise<Html> => {
  const [rows, columns] = [cellLabels(own), cellLabels(person)];
  const colours = { kind: 'growing', from: 0, to: 1 } as const;
  const plot = heatPlot({
    label: `Of the households of each ${own.name}, the part with somebody of each ${person.name}`,
    rows,
    columns,
    values: shares,
    told: (row, column) =>
      `${percent(shares[row][column])} of the households with ${own.name} ${rows[row]} have somebody with ${person.name} ${columns[column]}`,
    colours,
    cell: [Math.max(9, Math.min(26, Math.floor(640 / columns.length))), 18],
  });
  const below = heatKey(colours, '0%', '100%');
  return html`<h4>${own.name} by ${person.name}</h4>${figure(`plot-households-${index + 1}`, await draw(plot), below, 'wide')}`;
};

/** How many plots the section has, for whoever tells progress. */
export const householdPlots = ({ model }: HouseholdsSource): number => {
  const { household, person } = shownOf(model);
  return 1 + person.length + Math.min(mostPairs, household.length * person.length);
};

/** The attributes of either level that can be drawn cell by cell. */
const shownOf = ({ domain }: HouseholdModel) => {
  const { household, person } = levelsOf(domain);
  const few = (names: readonly string[]): Attribute[] =>
    domain.attributes.filter(({ name, size }) => names.includes(name) && size <= mostCells && size > 1);
  return { household: few(household), person: few(person).slice(0, mostComposition), all: person.length };
};

/** Sizes of households, what they hold, and how what is said of them goes together with who lives in them. */
export const householdsSection = async (
  source: HouseholdsSource,
  publicTable: Table | undefined,
  draw: (plot: Plot) => Promise<Html>,
): Promise<Section> => {
  const { model } = source;
  const prior = publicModel(publicTable);
  const { household, person, all } = shownOf(model);
  const composition = person.map((attribute) => waysOf(source, prior, attribute));
  const pairs = household
    .flatMap((own) => person.map((who) => pairOf(model, own, who)))
    .sort((a, b) => b.spread - a.spread)
    .slice(0, mostPairs);
  const figures: Html[] = [];
  for (const [i, pair] of pairs.entries()) figures.push(await pairFigure(pair, i, draw));
  const sizes = sizesOf(source, prior);
  const { maxSize } = model.domain.households!;
  return {
    id: 'households',
    title: 'Households',
    body: html`${paragraph(
      `The release describes about ${plural(Math.round(model.householdTotal), 'household')} of 1 to ${count(maxSize)} persons, ${(model.total / Math.max(1, model.householdTotal)).toFixed(2)} on average. All shares in this section are of households; a household counts once, however many of its persons are alike.`,
    )}${waysKey([sizes, ...composition])}<h3>Persons in a household</h3><div class="cards">${await wayCards([sizes], 'size', draw)}</div>${
      composition.length === 0
        ? undefined
        : html`<h3>Who lives in them</h3>${paragraph(
            'The part of the households that hold at least one person of each kind. The parts of one attribute may add up to more than all.',
            all > person.length
              ? `${plural(all - person.length, 'attribute')} of persons with one cell or very many, or beyond the first ${mostComposition}, are not drawn.`
              : undefined,
          )}<div class="cards">${await wayCards(composition, 'composition', draw)}</div>`
    }${
      figures.length === 0
        ? undefined
        : html`<h3>What is said of households, by who lives in them</h3>${paragraph(
            'Of the households of each row, the part that hold somebody of each column. Shown are the pairs of attributes in which rows differ most.',
          )}${figures}`
    }`,
  };
};
