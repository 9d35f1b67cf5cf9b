import { kinds } from '../attribute/kinds/kinds.js';
import { learnCategory } from './learn-category.js';
import type { ColumnSummary, LearnedAttribute, LearnLimits } from './summary.js';

/** The declaration that fits a column of a *public* table; texts that look like no type are categories. */
export const learnAttribute = (name: string, summary: ColumnSummary, limits: LearnLimits): LearnedAttribute => {
  const { rows, empty, nested } = summary;
  if (nested > 0) return { note: 'left out: it holds lists or objects' };
  if (rows === empty) return { note: 'left out: it has no values' };
  for (const kind of Object.values(kinds)) {
    const learned = kind.learn(name, summary, limits);
    if (learned !== undefined) return learned;
  }
  return learnCategory(name, summary, limits);
};
