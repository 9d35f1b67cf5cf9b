import {
  type Comparison,
  comparisonHeadings,
  comparisonLines,
  comparisonNote,
  epsilonText,
} from '../../src/advanced.js';
import type { Io } from '../command.js';
import { bold, count, table } from '../terminal/print.js';

export const comparisonJson = (comparison: Comparison): string =>
  `${JSON.stringify({ treatedAsPublic: comparison.standIn, ...comparison }, null, 2)}\n`;

/** Where a mechanism first beats publishing the public table, for a sentence. */
const advice = ({ contestants, asIs }: Comparison): string => {
  if (asIs === undefined || contestants.length === 0) return '';
  const better = contestants.filter(({ error }) => error.mean < asIs.error.mean);
  if (better.length === 0) return 'No mechanism came closer than the public table as it is.\n';
  const least = better.reduce((a, b) => (Number(epsilonText(b)) < Number(epsilonText(a)) ? b : a));
  return `The least epsilon that came closer than the public table as it is: ${epsilonText(least)}, with ${least.mechanism}.\n`;
};

export const comparisonText = (comparison: Comparison, io: Io): string => {
  const left = comparison.unable.map(({ mechanism, why }) => `${mechanism} could not run: ${why}\n`).join('');
  return `${bold(comparisonNote(comparison), io)}

${table(
  comparisonHeadings.map((title, i) => ({ title, align: i === 0 ? 'left' : 'right' })),
  comparisonLines(comparison, io.unicode),
  io,
)}
Errors are total variation distances over ${count(comparison.pairs)} pairs of attributes, means of ${comparison.runs} ${comparison.runs === 1 ? 'run' : 'runs'}${comparison.runs < 2 ? '' : ', with standard deviations'}; delta ${comparison.delta ?? '0'}.
${advice(comparison)}${left}`;
};
