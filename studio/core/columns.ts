import { cellLabels, guessColumn, type HouseholdTable, stoppedBy } from '../../src/advanced.js';
import {
  type AttributeSpec,
  type DraftAttribute,
  domainFromSchema,
  InputError,
  type Outside,
  parseSchema,
  type Schema,
  type Table,
} from '../../src/index.js';
import { sentenceOf } from './words.js';

/** What is to be said of a column as it is declared now. */
export interface ShownColumn {
  readonly name: string;
  readonly cells: number;
  /** The names of its cells, at most so many. */
  readonly labels: readonly string[];
  /** Public records of each of those cells; undefined where there is no public table. */
  readonly counts: readonly number[] | undefined;
  readonly problem: string | undefined;
  /** Whether a single value that it does not name would stop the release. */
  readonly stops: boolean;
}

/** A declaration, looked at as a whole. */
export interface ShownColumns {
  readonly columns: readonly ShownColumn[];
  /** What is wrong with the whole and with no single column. */
  readonly problems: readonly string[];
}

const mostLabels = 200;

const problemOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return sentenceOf(error);
    throw error;
  }
};

/** All problems of a declaration at once: each column is judged by itself, then all of them together. */
export const shownColumns = (schema: Schema, outside: Outside, table: Table | undefined): ShownColumns => {
  const alone = (spec: AttributeSpec) => parseSchema({ surmise: 1, origin: { kind: 'declared' }, attributes: [spec] });
  const columns = schema.attributes.map((spec): ShownColumn => {
    const { name } = spec;
    const problem = problemOf(() => domainFromSchema(alone(spec)));
    if (problem !== undefined) return { name, cells: 0, labels: [], counts: undefined, problem, stops: false };
    const [attribute] = domainFromSchema(alone(spec)).attributes;
    const labels = attribute.size <= 65536 ? cellLabels(attribute).slice(0, mostLabels) : [];
    const place = table?.domain.attributes.findIndex((own) => JSON.stringify(own.spec) === JSON.stringify(spec)) ?? -1;
    const stops = stoppedBy({ attributes: [spec] }, outside).length > 0;
    return {
      name,
      cells: attribute.size,
      labels,
      counts: place < 0 ? undefined : countsOf(table!, place).slice(0, mostLabels),
      problem: undefined,
      stops,
    };
  });
  const isSound = columns.every(({ problem }) => problem === undefined);
  const whole = isSound ? problemOf(() => domainFromSchema(parseSchema(schema))) : undefined;
  return { columns, problems: whole === undefined ? [] : [whole] };
};

/** The records of every cell of an attribute: the households, where it describes them. */
const countsOf = (table: Table, attribute: number): number[] => {
  const { domain, columns } = table;
  const { name, size } = domain.attributes[attribute];
  const counts = new Array<number>(size).fill(0);
  const codes = columns[attribute];
  if ('offsets' in table && domain.households?.attributes.includes(name)) {
    const { offsets } = table as HouseholdTable;
    for (let h = 0; h + 1 < offsets.length; h++) counts[codes[offsets[h]]]++;
  } else for (const code of codes) counts[code]++;
  return counts;
};

/** The records of every cell of every attribute. */
export const publicCounts = (table: Table): number[][] =>
  table.domain.attributes.map((_, attribute) => countsOf(table, attribute));

/** What a column is taken for by its name alone: a declaration where that says enough, and whether such columns are never released. */
export interface GuessedColumn {
  readonly name: string;
  readonly spec: AttributeSpec | undefined;
  readonly note: string | undefined;
  readonly isKept: boolean;
}

export const guessedColumns = (names: readonly string[]): GuessedColumn[] =>
  names.map((name) => {
    const guess = guessColumn(name);
    if (guess === undefined) return { name, spec: undefined, note: undefined, isKept: true };
    const isKept = !['id', 'text', 'key'].includes(guess.spec.type);
    return { name, spec: declared(guess.spec), note: isKept ? undefined : guess.why, isKept };
  });

/** A guess as a declaration, where it says enough. */
const declared = (draft: DraftAttribute): AttributeSpec | undefined => {
  const { type } = draft;
  if (type === 'boolean') return draft;
  if (type === 'category') return draft.values === 'discover' ? undefined : (draft as AttributeSpec);
  if (
    (type === 'integer' || type === 'number') &&
    'min' in draft &&
    draft.min !== undefined &&
    draft.max !== undefined
  ) {
    const { name, min, max } = draft;
    return { name, type, min, max, bins: Math.min(20, max - min), null: true } as AttributeSpec;
  }
  if (type === 'date' && 'min' in draft && draft.min !== undefined && draft.max !== undefined)
    return { name: draft.name, type, by: 'year', min: draft.min, max: draft.max, null: true };
  return undefined;
};
