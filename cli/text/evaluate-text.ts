import { cellLabels } from '../../src/domain/attribute/cells.js';
import { type Domain, indexOf } from '../../src/domain/domain.js';
import type { CellDifference, WayComparison } from '../../src/evaluate/compare-marginals.js';
import { html } from '../../src/report/html.js';
import { figure, table as htmlTable, paragraph, type Section } from '../../src/report/layout.js';
import { percent as share } from '../../src/report/number-text.js';
import { attributeDistancePlot, distanceColours, pairDistancePlot } from '../../src/report/plots/distance-plots.js';
import type { drawer } from '../../src/report/plots/draw.js';
import { heatKey } from '../../src/report/plots/heat-plot.js';
import { plotFile, plotPage } from '../../src/report/plots/plot-page.js';
import type { Io } from '../command.js';
import { bold, clip, count, dim, percent, table, yellow } from '../terminal/print.js';

/** One of the two things that are compared. */
export interface Side {
  readonly name: string;
  readonly kind: 'table' | 'release';
  /** Rows of the table, or the release's estimate. */
  readonly rows: number;
}

export interface Evaluation {
  readonly first: Side;
  readonly second: Side;
  readonly domain: Domain;
  readonly ways: readonly WayComparison[];
  /** What the output must carry when one side may be private. */
  readonly warning?: string | undefined;
}

/** The values of a cell by attribute, such as `age 30-39, sex f`. */
const cellText = (domain: Domain, { attributes, cells }: CellDifference): string =>
  attributes.map((name, i) => `${name} ${cellLabels(domain.attributes[indexOf(domain, name)])[cells[i]]}`).join(', ');

const sideText = ({ name, kind, rows }: Side): string =>
  kind === 'release'
    ? `${name} (a release, about ${count(Math.round(rows))} records)`
    : `${name} (${count(rows)} rows)`;

export const evaluationJson = ({ first, second, domain, ways, warning }: Evaluation): string => {
  const body = {
    ...(warning === undefined ? {} : { nonPrivate: true, warning }),
    first,
    second,
    ways: ways.map(({ way, marginals, all, mean, most, worst }) => ({
      way,
      compared: marginals.length,
      all,
      mean,
      most,
      worst: worst.map((cell) => ({ ...cell, text: cellText(domain, cell) })),
      ...(way <= 2 ? { marginals } : {}),
    })),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

export const evaluationText = (evaluation: Evaluation, io: Io): string => {
  const { first, second, domain, ways, warning } = evaluation;
  const stamp = warning === undefined ? '' : `${yellow(warning, io)}\n`;
  const list = table(
    [
      { title: 'attributes', align: 'right' },
      { title: 'marginals', align: 'right' },
      { title: 'mean distance', align: 'right' },
      { title: 'largest', align: 'right' },
      { title: 'where' },
    ],
    ways.map(({ way, marginals, all, mean, most }) => [
      String(way),
      marginals.length === all ? count(all) : `${count(marginals.length)} of ${count(all)}`,
      percent(mean),
      percent(most.distance),
      clip(most.attributes.join(' x '), Math.max(20, io.columns - 52), io.unicode),
    ]),
    io,
  );
  const worst = ways.flatMap(({ worst: cells }) =>
    cells.map((cell) => [
      clip(cellText(domain, cell), Math.max(30, io.columns - 28), io.unicode),
      percent(cell.first),
      percent(cell.second),
    ]),
  );
  const cells =
    worst.length === 0
      ? 'No cell differs.\n'
      : table(
          [{ title: 'worst cells' }, { title: 'first', align: 'right' }, { title: 'second', align: 'right' }],
          worst,
          io,
        );
  return `${stamp}${bold(`${sideText(first)} against ${sideText(second)}`, io)}

${list}${dim('distance: total variation, the share of records that would have to change cells\n', io)}
${cells}${warning === undefined ? '' : `\n${stamp}`}`;
};

type Draw = Awaited<ReturnType<typeof drawer>>;

/** The picture alone: of pairs where there are any, else of single attributes. */
export const evaluationSvg = async (evaluation: Evaluation, draw: Draw): Promise<string> => {
  const { first, second, domain, ways, warning } = evaluation;
  const names = domain.attributes.map(({ name }) => name);
  const pairs = ways.find(({ way }) => way === 2);
  const singles = ways.find(({ way }) => way === 1);
  const plot = pairs ? pairDistancePlot(names, pairs.marginals) : attributeDistancePlot(singles?.marginals ?? []);
  const scale = pairs ? `, from 0% (faint) to ${share(distanceColours(pairs.marginals).to)} (strong)` : '';
  const caption = `${first.name} against ${second.name}: total variation distance${scale}`;
  return plotFile(await draw(plot), { caption, warning });
};

/** A page with everything: needs nothing from outside. */
export const evaluationHtml = async (evaluation: Evaluation, draw: Draw): Promise<string> => {
  const { first, second, domain, ways, warning } = evaluation;
  const names = domain.attributes.map(({ name }) => name);
  const sections: Section[] = [
    {
      id: 'distances',
      title: 'Distances',
      body: htmlTable(
        [
          { title: 'attributes', number: true },
          { title: 'marginals', number: true },
          { title: 'mean distance', number: true },
          { title: 'largest', number: true },
          { title: 'where' },
        ],
        ways.map(({ way, marginals, all, mean, most }) => [
          String(way),
          marginals.length === all ? count(all) : `${count(marginals.length)} of ${count(all)}`,
          share(mean),
          share(most.distance),
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
          heatKey(distanceColours(marginals), '0%', share(distanceColours(marginals).to)),
        ),
      });
  }
  sections.push({
    id: 'cells',
    title: 'Worst cells',
    body: htmlTable(
      [{ title: 'cell' }, { title: first.name, number: true }, { title: second.name, number: true }],
      ways.flatMap(({ worst }) => worst.map((cell) => [cellText(domain, cell), share(cell.first), share(cell.second)])),
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
    title: `${first.name} against ${second.name}`,
    lead: `${sideText(first)} against ${sideText(second)}, over ${domain.attributes.length} attributes.`,
    warning,
    sections,
  });
};
