import { InputError } from '../../src/domain/input-error.js';
import { inTurn } from '../../src/privacy/in-turn.js';
import { SourceLost } from '../../src/source/source-lost.js';
import { type Connection, LostConnection, type SqlValue } from './connection.js';

/** How often one answer is asked for again after the connection was lost. */
const RETRIES = 3;

/** How an engine is asked about rows that must stay the same. */
export interface AskingOptions {
  /** Looks at the rows before the first answer, and again where they may be others now. */
  readonly check: (signal: AbortSignal | undefined) => Promise<void>;
  /** Go on where the engine cannot keep to the same rows, or lost them: each answer is then of the rows of its moment. */
  readonly changing?: boolean | undefined;
  /** Whether something about the rows was answered before, over the same connection. */
  readonly answered?: boolean | undefined;
}

/** Asks an engine, one request after the other, until there is an answer or none can be had. */
export interface Asking {
  /** Looks at the rows, and answers nothing. */
  begin(signal: AbortSignal | undefined): Promise<void>;
  /** One answer: it may be asked for again where it was not given yet, as long as it is about the same rows. */
  answer<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T>;
  /** Waits for what is under way. */
  end(last: () => Promise<void>): Promise<void>;
}

/** Refuses an engine that may answer about other rows each time, unless somebody takes that. */
export const checkFixed = ({ isFixed, shown }: Connection, changing: boolean): void => {
  if (!isFixed && !changing)
    throw new InputError(
      `${shown}: all counts must be of the same rows, got an engine that cannot keep to them; name a version of the table, have it copied (copy=true) where the engine has temporary tables, or say that it may change`,
    );
};

export const askingOf = (
  connection: Connection,
  { check, changing = false, answered: before = false }: AskingOptions,
): Asking => {
  const { shown } = connection;
  /** Whether anything about the rows was answered: from then on they must stay the same. */
  let answered = before;
  /** Whether the rows have to be checked: nobody has yet, or they may be others now. */
  let unchecked = true;
  const asking = async <T>(signal: AbortSignal | undefined, ask: () => T | Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++)
      try {
        if (unchecked) await check(signal);
        unchecked = false;
        return await ask();
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        if (tries === RETRIES)
          throw new SourceLost(
            `${shown}: must stay within reach, got lost again and again (${error.code}); try again later`,
          );
        if (await connection.recover({ signal })) continue;
        if (answered && !changing)
          throw new SourceLost(
            `${shown}: the connection was lost (${error.code}), and with it the state of the table that all answers are of; nothing was spent on the last one. Resume the release: it keeps its answers and goes on with the table as it is now`,
          );
        unchecked = true;
      }
  };
  // Requests take turns: they share the connection.
  const next = inTurn();
  return {
    begin: (signal) => asking(signal, () => undefined),
    answer: (signal, ask) =>
      next(async () => {
        const found = await asking(signal, ask);
        answered = true;
        return found;
      }),
    end: (last) => next(last),
  };
};

/** The numbers of a query's one row. */
export const oneRow = async (
  connection: Connection,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<number[]> => {
  let row: readonly SqlValue[] = [];
  await connection.query(sql, {
    signal,
    onRow: (found) => {
      row = found;
    },
  });
  return row.map(Number);
};
