import type { BooleanSpec } from '../../../src/domain/attribute/attribute.js';
import { BOOLEAN_TEXTS } from '../../../src/domain/attribute/kinds/boolean.js';
import { nullTexts } from '../../../src/domain/attribute/kinds/kind.js';
import { doublesNamed, isEmpty, orNull, type Part, type PartOptions } from './kind.js';

/** False and true: the texts for them in any case, or the doubles 0 and 1. */
export const booleanPart = (spec: BooleanSpec, options: PartOptions): Part | undefined => {
  const { cells, column, dialect, ask } = options;
  const nulls = nullTexts(spec);
  if (column.kind === 'double') return ask === undefined ? ofDoubles(nulls, options) : undefined;
  const text = dialect.text(column.sql);
  const texts = (cell: number): string =>
    [...BOOLEAN_TEXTS]
      .filter(([, of]) => of === cell)
      .flatMap(([known]) => (ask === undefined ? inAnyCase(known) : [known]))
      .filter((known) => !nulls.has(known))
      .map(dialect.literal)
      .join(', ');
  return {
    raw: column.sql,
    parsed: ask === undefined ? dialect.trim(text) : text,
    code: (raw, parsed) =>
      `CASE WHEN ${isEmpty(options, parsed, spec.nullValues)} THEN ${orNull(cells.empty)} WHEN ${parsed} IN (${texts(0)}) THEN 0 WHEN ${parsed} IN (${texts(1)}) THEN 1 ELSE ${ask?.(raw) ?? orNull(cells.unknown)} END`,
  };
};

const ofDoubles = (nulls: ReadonlySet<string>, { cells, column, dialect }: PartOptions): Part => {
  const numbers = [...doublesNamed(nulls).values()];
  return {
    raw: column.sql,
    parsed: dialect.toDouble(column.sql),
    code: (_, x) =>
      [
        `CASE WHEN ${x} IS NULL OR ${dialect.isNaN(x)} THEN ${orNull(cells.empty)}`,
        numbers.length > 0
          ? `WHEN ${x} IN (${numbers.map(dialect.double).join(', ')}) THEN ${orNull(cells.empty)}`
          : '',
        `WHEN ${x} = ${dialect.double(0)} THEN 0 WHEN ${x} = ${dialect.double(1)} THEN 1 ELSE ${orNull(cells.unknown)} END`,
      ].join(' '),
  };
};

/** A text of ASCII letters with each of them small or capital: what engines take for small letters depends on their settings. */
const inAnyCase = (text: string): string[] =>
  [...text].reduce<string[]>(
    (found, letter) => [...new Set([letter, letter.toUpperCase()])].flatMap((one) => found.map((start) => start + one)),
    [''],
  );
