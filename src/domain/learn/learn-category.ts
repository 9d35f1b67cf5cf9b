import type { AttributeSpec } from '../attribute/attribute.js';
import { freeOther } from '../attribute/kinds/category.js';
import { withNull } from '../attribute/kinds/kind.js';
import { naturalOrder } from './natural-order.js';
import { type ColumnSummary, ENOUGH_ROWS, type Entry, type LearnedAttribute, type LearnLimits } from './summary.js';

/** The declaration for a column of texts, with an `other` cell; none where texts are as many as ids and names. */
export const learnCategory = (
  name: string,
  { entries, rows, empty, overflow }: ColumnSummary,
  { maxCategories }: LearnLimits,
): LearnedAttribute => {
  const filled = rows - empty;
  const distinct = entries.length;
  if (filled >= ENOUGH_ROWS && (overflow || distinct > maxCategories || distinct === filled)) {
    if (haveCommas(entries))
      return {
        note: 'left out: its numbers are written with commas; say so (`decimal` and `thousands` of the table), or save them with decimal points and nothing else',
      };
    if (distinct === filled) return { note: 'left out: every row has its own text, as ids and names have' };
    if (overflow || distinct > filled / 2) return { note: 'left out: nearly every row has its own text' };
  }
  const kept = [...entries].sort(byFrequency).slice(0, maxCategories);
  const values = kept.map(({ text }) => text).sort(naturalOrder);
  const other = freeOther(entries.map(({ text }) => text));
  const listed: AttributeSpec = { name, type: 'category', values, other };
  const spec = empty > 0 ? withNull(listed) : listed;
  if (distinct > kept.length) {
    return {
      spec,
      note: `has ${distinct} values: the ${kept.length} most frequent are kept, the others are \`other\``,
    };
  }
  return distinct === 1 ? { spec, note: 'has one value only' } : { spec };
};

/** Numbers as many countries write them, which are texts here: with decimal commas, or with commas between thousands. */
const withComma = /^\s*[-+]?(\d+|\d{1,3}([. ]\d{3})+|\d{1,3}(,\d{3})+(\.\d+)?)(,\d+)?\s*$/;

const haveCommas = (entries: readonly Entry[]): boolean =>
  entries.some(({ text }) => text.includes(',')) &&
  entries.every(({ look, value, text }) => look === 'null-text' || Number.isFinite(value) || withComma.test(text));

const byFrequency = (a: Entry, b: Entry): number => b.count - a.count || naturalOrder(a.text, b.text);
