import { cellLabels } from '../../domain/attribute/cells.js';
import { type Domain, indexOf } from '../../domain/domain.js';
import type { HouseholdComparison } from '../../evaluate/compare-households.js';
import type { CellDifference, WayComparison } from '../../evaluate/compare-marginals.js';
import { checkTitle } from '../check-title.js';
import { html } from '../html.js';
import { figure, paragraph, type Section, table } from '../layout.js';
import { count, percent } from '../number-text.js';
import { attributeDistancePlot, distanceColours, pairDistancePlot } from '../plots/distance-plots.js';
import { drawer } from '../plots/draw.js';
import { heatKey } from '../plots/heat-plot.js';
import { plotFile, plotPage } from '../plots/plot-page.js';

/** One of the two things that are compared. */
export interface EvaluatedSide {
  readonly name: string;
  readonly kind: 'table' | 'release';
  /** Rows of the table, or the release's estimate. */
  readonly rows: number;
}

/** Two tables side by side, for people and programs. */
export interface Evaluation {
  readonly first: EvaluatedSide;
  readonly second: EvaluatedSide;
  readonly domain: Domain;
  readonly ways: readonly WayComparison[];
  /** Where both are of households. */
  readonly households?: HouseholdComparison | undefined;
  /** What the output must carry when one side may be private. */
  readonly warning?: string | undefined;
}

/** The values of a cell by attribute, such as `age 30-39, sex f`. */
export const cellText = (domain: Domain, { attributes, cells }: CellDifference): string =>
  attributes.map((name, i) => `${name} ${cellLabels(domain.attributes[indexOf(domain, name)])[cells[i]]}`).join(', ');

/** One side in words. */
export const sideText = ({ name, kind, rows }: EvaluatedSide): string =>
  kind === 'release'
    ? `${name} (a release, about ${count(Math.round(rows))} records)`
    : `${name} (${count(rows)} rows)`;

/** What a table of distances says, a line for marginals of one, two and three attributes; all but the last are numbers. */
export const distanceHeadings = ['attributes', 'marginals', 'mean distance', 'largest', 'where'] as const;

/** What a table of errors of both levels says. */
export const levelHeadings = ['of', 'attributes', 'queries', 'answers', 'mean error', 'largest', 'where'] as const;

/** Its lines: counts of households that hold somebody, and of persons. */
export const levelLines = ({ households, persons }: HouseholdComparison): string[][] =>
  [
    { name: 'households', errors: households },
    { name: 'persons', errors: persons },
  ].flatMap(({ name, errors }) =>
    errors.map(({ way, queries, answers, mean, largest, where }) => [
      name,
      String(way),
      count(queries),
      count(answers),
      percent(mean),
      percent(largest),
      where.join(' x '),
    ]),
  );

/** Lines of the sizes of households: persons, and the share in both. */
export const sizeLines = ({ sizes }: HouseholdComparison): string[][] =>
  sizes.map(({ first, second }, i) => [String(i + 1), percent(first), percent(second)]);

/** The picture alone: of pairs where there are any, else of single attributes. */
export const evaluationSvg = async (evaluation: Evaluation): Promise<string> => {
  const { first, second, domain, ways, warning } = evaluation;
  const draw = await drawer();
  const names = domain.attributes.map(({ name }) => name);
  const pairs = ways.find(({ way }) => way === 2);
  const singles = ways.find(({ way }) => way === 1);
  const plot = pairs ? pairDistancePlot(names, pairs.marginals) : attributeDistancePlot(singles?.marginals ?? []);
  const scale = pairs ? `, from 0% (faint) to ${percent(distanceColours(pairs.marginals).to)} (strong)` : '';
  const caption = `${first.name} against ${second.name}: total variation distance${scale}`;
  return plotFile(await draw(plot), { caption, warning });
};

/** A page with everything: needs nothing from outside. */
export const evaluationHtml = async (evaluation: Evaluation, title?: string): Promise<string> => {
  const { first, second, domain, ways, warning } = evaluation;
  checkTitle(title);
  const draw = await drawer();
  const names = domain.attributes.map(({ name }) => name);
  const sections: Section[] = [
    {
      id: 'distances',
      title: 'Distances',
      body: table(
        distanceHeadings.map((title) => ({ title, number: title !== 'where' })),
        ways.map(({ way, marginals, all, mean, most }) => [
          String(way),
          marginals.length === all ? count(all) : `${count(marginals.length)} of ${count(all)}`,
          percent(mean),
          percent(most.distance),
          most.attributes.join(' × '),
        ]),
      ),
    },
  ];
  for (const { way, marginals } of ways) {
    if (way === 1)
      sections.push({
        id: 'attributes',
        title: 'Single attributes',
        body: figure('single', await draw(attributeDistancePlot(marginals)), html``),
      });
    if (way === 2)
      sections.push({
        id: 'pairs',
        title: 'Pairs of attributes',
        body: figure(
          'heat',
          await draw(pairDistancePlot(names, marginals)),
          heatKey(distanceColours(marginals), '0%', percent(distanceColours(marginals).to)),
        ),
      });
  }
  if (evaluation.households !== undefined) {
    const sizes = [
      { title: 'persons in a household' },
      { title: first.name, number: true },
      { title: second.name, number: true },
    ];
    sections.push({
      id: 'households',
      title: 'Households and persons',
      body: html`${paragraph(
        'Errors of single answers: of the share of households that hold somebody in a cell, and of the share of persons in it.',
      )}${table(
        levelHeadings.map((title) => ({ title, number: title !== 'of' && title !== 'where' })),
        levelLines(evaluation.households),
      )}${table(sizes, sizeLines(evaluation.households))}`,
    });
  }
  sections.push({
    id: 'cells',
    title: 'Worst cells',
    body: table(
      [{ title: 'cell' }, { title: first.name, number: true }, { title: second.name, number: true }],
      ways.flatMap(({ worst }) =>
        worst.map((cell) => [cellText(domain, cell), percent(cell.first), percent(cell.second)]),
      ),
    ),
  });
  sections.push({
    id: 'meaning',
    title: 'What the numbers are',
    body: paragraph(
      'Distances are total variation distances: half of the summed differences of shares, which is the share of records that would have to change cells for the two to agree.',
      'They are exact. Two samples of the same people differ too: the smaller the table and the more cells, the more.',
    ),
  });
  return plotPage({
    kind: 'Comparison',
    title: title ?? `${first.name} against ${second.name}`,
    lead: `${sideText(first)} against ${sideText(second)}, over ${domain.attributes.length} attributes.`,
    warning,
    sections,
  });
};
