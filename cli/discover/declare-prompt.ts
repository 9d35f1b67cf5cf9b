import { createInterface } from 'node:readline/promises';
import { guessColumn } from '../../src/advanced.js';
import type { ColumnFormat, Draft, DraftAttribute } from '../../src/index.js';
import { InputError } from '../../src/index.js';
import type { Io } from '../command.js';
import { dim } from '../terminal/print.js';
import type { Terminal } from '../terminal/query-prompt.js';
import { declaredColumn, declaredText, declareHelp } from './declared-column.js';

/** What a column is taken for before anybody says something: as in a schema that it fits, or by its name. */
export const guessFor = (
  name: string,
  like?: Draft | undefined,
): { readonly spec: DraftAttribute; readonly why: string } => {
  const known = like?.attributes.find((spec) => spec.name === name);
  if (known !== undefined) return { spec: known, why: 'as in the other schema' };
  return guessColumn(name) ?? { spec: { name, type: 'discover' }, why: 'its name says nothing' };
};

/** A draft of columns: those that go through a person's hands, or as they were guessed. */
export const draftOf = (
  specs: readonly DraftAttribute[],
  formats: Readonly<Record<string, ColumnFormat>>,
  like?: Draft | undefined,
): Draft => {
  const names = new Set(specs.map(({ name }) => name));
  const taken = Object.entries(like?.table?.columns ?? {}).filter(([name]) => names.has(name));
  const columns = { ...Object.fromEntries(taken), ...formats };
  const table = { ...like?.table, ...(Object.keys(columns).length === 0 ? {} : { columns }) };
  const isUnit = like?.unit !== undefined && !names.has(like.unit.id);
  return {
    surmise: 1,
    origin: { kind: 'declared' },
    ...(Object.keys(table).length === 0 ? {} : { table }),
    attributes: specs,
    ...(isUnit ? { unit: like.unit } : {}),
  };
};

/** Asks about every column in turn; the table itself is not looked at. */
export const declarePrompt = async (
  names: readonly string[],
  like: Draft | undefined,
  io: Io,
  { input, output }: Terminal,
): Promise<Draft> => {
  const lines = createInterface({ input, output, terminal: true });
  const specs: DraftAttribute[] = [];
  const formats: Record<string, ColumnFormat> = {};
  // Lines that are typed ahead wait for their question.
  const typedLines = lines[Symbol.asyncIterator]();
  try {
    io.out(
      `${dim('Say what each column may hold, from what you know of it and not from its rows. Enter takes what stands in brackets, ? tells more, Ctrl-D leaves.', io)}\n`,
    );
    for (const [i, name] of names.entries()) {
      const { spec: guess, why } = guessFor(name, like);
      for (;;) {
        io.out(`${i + 1}/${names.length}  ${name}  [${declaredText(guess)}] ${dim(`(${why})`, io)}\n`);
        lines.setPrompt('> ');
        lines.prompt();
        const { value: typed, done } = await typedLines.next();
        if (done || typed === undefined)
          throw new InputError(
            'schema: every column must be declared or skipped, got an end before the last one; nothing was written',
          );
        if (typed.trim() === '?') {
          io.out(declareHelp);
          continue;
        }
        const found = declaredColumn(name, typed, guess);
        if ('problem' in found) {
          io.out(`${found.problem}\n`);
          continue;
        }
        specs.push(found.spec);
        if (found.written !== undefined) formats[name] = found.written;
        break;
      }
    }
  } finally {
    lines.close();
  }
  return draftOf(specs, formats, like);
};
