import { cellText, distanceHeadings, type Evaluation, sideText } from '../../src/advanced.js';
import type { Io } from '../command.js';
import { bold, clip, count, dim, percent, table, yellow } from '../terminal/print.js';

export const evaluationJson = ({ first, second, domain, ways, warning }: Evaluation): string => {
  const body = {
    nonPrivate: warning === undefined ? undefined : true,
    warning,
    first,
    second,
    ways: ways.map(({ way, marginals, all, mean, most, worst }) => ({
      way,
      compared: marginals.length,
      all,
      mean,
      most,
      worst: worst.map((cell) => ({ ...cell, text: cellText(domain, cell) })),
      marginals: way <= 2 ? marginals : undefined,
    })),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

export const evaluationText = (evaluation: Evaluation, io: Io): string => {
  const { first, second, domain, ways, warning } = evaluation;
  const stamp = warning === undefined ? '' : `${yellow(warning, io)}\n`;
  const list = table(
    distanceHeadings.map((title) => ({ title, align: title === 'where' ? 'left' : 'right' })),
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
