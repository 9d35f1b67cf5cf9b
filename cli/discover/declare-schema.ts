import { asksAnything, parseDraft } from '../../src/advanced.js';
import { type Draft, InputError } from '../../src/index.js';
import type { Args, Io } from '../command.js';
import { writeText } from '../files/write-text.js';
import { writtenFrom } from '../options/written.js';
import { schemaText } from '../text/schema-text.js';
import { declarePrompt, draftOf, guessFor } from './declare-prompt.js';

/** Makes a schema of a table of which the header alone is read: by asking in the terminal, or as a skeleton to be filled in. */
export const declareSchema = async ({ values, operands: [file] }: Args<'schema'>, io: Io): Promise<undefined> => {
  const { headerNames, readDraft } = await import('../../adapters/index.js');
  const stray = (['households', 'key', 'max-categories', 'bins'] as const).find(
    (name) => name !== 'max-categories' && name !== 'bins' && values[name] !== undefined,
  );
  if (stray !== undefined)
    throw new InputError(
      `option --${stray}: is for a schema that is learned, got it with --declare; leave one of them out`,
    );
  const other = values.like === undefined ? undefined : await readDraft(values.like);
  const told = writtenFrom(values);
  const like: Draft | undefined =
    told === undefined
      ? other
      : { surmise: 1, origin: { kind: 'declared' }, attributes: [], ...other, table: { ...other?.table, ...told } };
  const header = await headerNames(file, { table: like?.table });
  const names = header.names.filter((name) => !values.exclude.includes(name));
  for (const name of values.exclude)
    if (!header.names.includes(name))
      throw new InputError(
        `option --exclude: must name a column of ${file}, got ${JSON.stringify(name)}; check its header`,
      );
  const isAsking = process.stdin.isTTY === true && io.isTerminal && !values.json;
  const remark = header.hasIndex ? ' The first column has no name: it is taken for an index and left out.' : '';
  io.err(`${file}: only its header was read, not a row.${remark}\n`);
  const make = async (): Promise<Draft> =>
    isAsking
      ? declarePrompt(names, like, io, { input: process.stdin, output: process.stdout })
      : draftOf(
          names.map((name) => {
            const { spec, why } = guessFor(name, like);
            return 'description' in spec && spec.description !== undefined
              ? spec
              : { ...spec, description: `guessed: ${why}` };
          }),
          {},
          like,
        );
  const draft = await writeText(
    values.out,
    async () => parseDraft(await make()),
    (made) => schemaText(made),
    { overwrite: values.force, signal: io.running.signal },
  );
  if (values.json || (values.out === undefined && !isAsking)) {
    io.out(values.json ? `${JSON.stringify({ schema: draft }, null, 2)}\n` : schemaText(draft));
    return;
  }
  if (values.out === undefined) io.out(`${schemaText(draft)}Nothing was written; add -o schema.json to keep it.\n`);
  else
    io.out(
      `Wrote ${values.out}.${isAsking ? '' : ' Read it, and correct what was guessed from names.'} ${next(draft, file, values.out)}\n`,
    );
};

const next = (draft: Draft, file: string, out: string): string =>
  `${asksAnything(draft) ? 'What it leaves to be asked for costs a part of the budget. ' : ''}See what a release would do: surmise release ${file} --schema ${out} --epsilon 1 --dry-run`;
