import {
  cellText,
  distanceHeadings,
  type Evaluation,
  type HouseholdComparison,
  levelHeadings,
  levelLines,
  sideText,
  sizeLines,
} from '../../src/advanced.js';
import type { Io } from '../command.js';
import { bold, clip, count, dim, percent, table, yellow } from '../terminal/print.js';

export const evaluationJson = ({ first, second, domain, ways, households, warning }: Evaluation): string => {
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
    households,
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
  const levels = evaluation.households === undefined ? '' : `\n${levelsText(evaluation.households, io)}`;
  return `${stamp}${bold(`${sideText(first)} against ${sideText(second)}`, io)}

${list}${dim('distance: total variation, the share of records that would have to change cells\n', io)}
${cells}${levels}${warning === undefined ? '' : `\n${stamp}`}`;
};

/** Households for a person: errors of single answers at both levels, and sizes. */
const levelsText = (households: HouseholdComparison, io: Io): string => {
  const errors = table(
    levelHeadings.map((title) => ({ title, align: title === 'of' || title === 'where' ? 'left' : 'right' })),
    levelLines(households),
    io,
  );
  const sizes = table(
    [{ title: 'persons in a household' }, { title: 'first', align: 'right' }, { title: 'second', align: 'right' }],
    sizeLines(households),
    io,
  );
  return `${errors}${dim('errors of single answers: shares of households that hold somebody in a cell, and of persons in it\n', io)}\n${sizes}`;
};
