import type { Counted } from '../../query/holding.js';
import type { Query } from '../../query/query.js';
import type { ExactAnswers } from './exact-answers.js';

/** The answers of a query that are named or not 0, not to be changed; lent for the call where all are named. */
export interface ListedAnswers {
  /** The answers that were named, in their order. */
  readonly named: Float64Array;
  /** Numbers of the other answers that are not 0, ascending. */
  readonly others: Uint32Array;
  readonly otherAnswers: Float64Array;
  /** The answers that are not between 0 and `most`; what was found last is kept. */
  outside(most: number): Outside;
}

/** Some of the answers of a list, close together in memory. */
interface Outside {
  /** Positions among the named answers, ascending, with their cells and answers. */
  readonly named: Uint32Array;
  readonly cells: Uint32Array;
  readonly namedAnswers: Float64Array;
  /** Cells of others, ascending, and their answers. */
  readonly others: Uint32Array;
  readonly otherAnswers: Float64Array;
}

const outsideOf = (answers: Float64Array, most: number): Uint32Array => {
  const places: number[] = [];
  for (let i = 0; i < answers.length; i++) if (!(answers[i] >= 0 && answers[i] <= most)) places.push(i);
  return Uint32Array.from(places);
};

const listed = (
  cells: Uint32Array | undefined,
  { named, others, otherAnswers }: Omit<ListedAnswers, 'outside'>,
): ListedAnswers => {
  let known: (Outside & { readonly most: number }) | undefined;
  const find = (most: number): Outside & { readonly most: number } => {
    const [inNamed, inOthers] = [outsideOf(named, most), outsideOf(otherAnswers, most)];
    return {
      most,
      named: inNamed,
      cells: cells === undefined ? inNamed : inNamed.map((place) => cells[place]),
      namedAnswers: Float64Array.from(inNamed, (place) => named[place]),
      others: inOthers.map((place) => others[place]),
      otherAnswers: Float64Array.from(inOthers, (place) => otherAnswers[place]),
    };
  };
  return {
    named,
    others,
    otherAnswers,
    outside: (most) => {
      if (known?.most !== most) known = find(most);
      return known;
    },
  };
};

const listAnswers = (answers: Float64Array, cells: Uint32Array | undefined): ListedAnswers => {
  if (cells === undefined)
    return listed(undefined, { named: answers, others: new Uint32Array(), otherAnswers: new Float64Array() });
  const named = new Float64Array(cells.length);
  const others: number[] = [];
  for (let cell = 0, next = 0; cell < answers.length; cell++)
    if (cells[next] === cell) named[next++] = answers[cell];
    else if (answers[cell] !== 0) others.push(cell);
  return listed(cells, {
    named,
    others: Uint32Array.from(others),
    otherAnswers: Float64Array.from(others, (cell) => answers[cell]),
  });
};

/** Exact answers in parts, as private as they are whole. */
export interface AnswerLists {
  /**
   * Calls `visit`, in order, with the answers that `cells` names for each query (ascending; undefined names all), and the others
   * that are not 0. What was listed for counts of cells is kept while it fits, and used again for the same array of cells: it must
   * not change.
   */
  each(
    queries: readonly Query[],
    cells: readonly (Uint32Array | undefined)[],
    visit: (answers: ListedAnswers, index: number) => void,
  ): Promise<void>;
}

/** Whether the answers are all that is counted: a single cell of it is not. */
const isCounted = (query: Query): query is Counted =>
  query.kind === 'marginal' || (query.kind === 'holding' && query.cell === undefined);

/** Lists of at most `memory` bytes are kept. */
export const answerLists = (exact: ExactAnswers, memory: number): AnswerLists => {
  /** What was listed, by the array of cells. */
  let kept = new WeakMap<Uint32Array, { readonly query: Counted; readonly answers: ListedAnswers }>();
  let bytes = 0;

  const known = (query: Query, cells: Uint32Array | undefined): ListedAnswers | undefined => {
    if (cells === undefined || !isCounted(query)) return undefined;
    const found = kept.get(cells);
    const same =
      found !== undefined &&
      found.query.kind === query.kind &&
      found.query.attributes.length === query.attributes.length &&
      found.query.attributes.every((name, i) => name === query.attributes[i]);
    return same ? found.answers : undefined;
  };

  const keep = (query: Query, cells: Uint32Array | undefined, answers: ListedAnswers): void => {
    if (cells === undefined || !isCounted(query)) return;
    // Itself, and what may be found outside some bounds.
    const own = 24 * (answers.named.length + answers.others.length);
    if (bytes + own > memory) {
      kept = new WeakMap();
      bytes = 0;
    }
    if (own > memory) return;
    bytes += own;
    kept.set(cells, { query: { ...query, attributes: [...query.attributes] }, answers });
  };

  return {
    async each(queries, cells, visit) {
      for (let start = 0; start < queries.length; ) {
        const found = known(queries[start], cells[start]);
        if (found !== undefined) {
          visit(found, start++);
          continue;
        }
        // All that must be read in one go, since counting many marginals at once is faster.
        let end = start + 1;
        while (end < queries.length && known(queries[end], cells[end]) === undefined) end++;
        const first = start;
        await exact.each(queries.slice(first, end), (answers, index) => {
          const list = listAnswers(answers, cells[first + index]);
          keep(queries[first + index], cells[first + index], list);
          visit(list, first + index);
        });
        start = end;
      }
    },
  };
};
