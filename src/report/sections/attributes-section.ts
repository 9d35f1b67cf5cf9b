import type { Attribute } from '../../domain/attribute/attribute.js';
import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import { type Html, html, named, visible } from '../html.js';
import { behind, figure, type Section, table } from '../layout.js';
import { percent, plural, points } from '../number-text.js';
import type { Plot } from '../plots/draw.js';
import type { BarShare, OneWay } from '../plots/one-way.js';
import { heightText, leftOut, oneWayPlot } from '../plots/one-way-plot.js';

/** From so many attributes on there is an index. */
const indexFrom = 9;

const kindText = ({ spec, size }: Attribute): string => `${kindOf(spec).title}, ${plural(size, 'cell')}`;

const boundText = ({ bounds }: BarShare): string =>
  bounds === undefined ? '' : `${percent(bounds[0])} to ${percent(bounds[1])}`;

const tableOf = ({ attribute, bars }: OneWay): Html => {
  const [priors, bounded] = [bars.some(({ prior }) => prior !== undefined), bars.some(({ bounds }) => bounds)];
  const columns = [
    { title: visible(attribute.name) },
    { title: 'released', number: true },
    ...(bounded ? [{ title: '95% bounds', number: true }] : []),
    ...(priors
      ? [
          { title: 'public', number: true },
          { title: 'difference, points', number: true },
        ]
      : []),
  ];
  return table(
    columns,
    bars.map((bar) => [
      named(bar.label, 48),
      percent(bar.released),
      ...(bounded ? [boundText(bar)] : []),
      ...(bar.prior === undefined ? [] : [percent(bar.prior), points(bar.released - bar.prior)]),
    ]),
  );
};

/** A card with a picture for each distribution; `id` names them in the page. */
export const wayCards = async (
  ways: readonly OneWay[],
  id: string,
  draw: (plot: Plot) => Promise<Html>,
): Promise<Html[]> => {
  const cards: Html[] = [];
  for (const [i, way] of ways.entries()) {
    const { attribute, distance, folded, ordered } = way;
    const note = [
      kindText(attribute),
      ...(distance === undefined ? [] : [`${percent(distance)} from public`]),
      ...(folded ? [ordered ? 'neighbouring cells put together' : 'small categories put together'] : []),
      ...[heightText(way) ?? []].flat(),
    ].join(' · ');
    const beside = leftOut(way).map((told) => html`<p class="small">${told}</p>`);
    const below = html`${beside}${behind('Numbers', tableOf(way))}`;
    cards.push(
      html`<div class="card" id="${id}-${i + 1}"><h3 title="${attribute.name}">${attribute.name}</h3><p class="small">${note}</p>${figure(`plot-${id}-${i + 1}`, await draw(oneWayPlot(way)), below)}</div>`,
    );
  }
  return cards;
};

/** What the marks of such pictures are. */
export const waysKey = (ways: readonly OneWay[]): Html => {
  const all = ways.flatMap(({ bars }) => bars);
  return html`<p class="key"><span class="mark"></span> released${
    all.some(({ prior }) => prior !== undefined)
      ? html` &ensp;<span class="mark prior"></span> public table`
      : undefined
  }${all.some(({ bounds }) => bounds) ? html` &ensp;<span class="mark bound"></span> 95% bounds` : undefined}</p>`;
};

/** Draws each attribute's distribution. `draw` makes a picture of a plot; `bounds` says how often bounds hold. */
export const attributesSection = async (
  ways: readonly OneWay[],
  draw: (plot: Plot) => Promise<Html>,
  bounds: string,
): Promise<Section> => {
  const cards = await wayCards(ways, 'attribute', draw);
  const bounded = ways.some(({ bars }) => bars.some(({ bounds }) => bounds));
  const priors = ways.some(({ distance }) => distance !== undefined);
  const key = waysKey(ways);
  const index = ways.map(
    ({ attribute, distance }, i) =>
      html`<li><a href="#attribute-${i + 1}" title="${attribute.name}">${attribute.name}</a>${distance === undefined ? undefined : ` ${percent(distance)}`}</li>`,
  );
  return {
    id: 'attributes',
    title: 'Each attribute',
    body: html`<p>Shares of the records${priors ? ', beside those of the public table. The number beside each name is the total variation distance of the two: the part of the records that would have to change cell to turn one into the other' : undefined}.</p>${
      bounded
        ? html`<p>The 95% bounds are made from the noise of the measurements, or from replicates, whichever is narrower: of a hundred such bounds 95 are meant to hold the share in the private table. ${bounds} They do not cover what the private table itself is a sample of.</p>`
        : html`<p>No bounds are shown: no measurement gives these distributions directly, and the release has no replicates.</p>`
    }${ways.length >= indexFrom ? html`<ul class="index">${index}</ul>` : undefined}${key}<div class="cards">${cards}</div>`,
  };
};
