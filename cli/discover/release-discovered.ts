import type { DraftedFile } from '../../adapters/index.js';
import { asksAnything, planDiscovery } from '../../src/advanced.js';
import { InputError, type PlannedDiscovery } from '../../src/index.js';
import type { Args, Io } from '../command.js';
import { queryOf } from '../files/databases.js';
import { unitFrom } from '../options/combined.js';
import { draftWritten, writtenFrom } from '../options/written.js';
import { bold, count, percent, table as tableText } from '../terminal/print.js';

type ReleaseArgs = Args<'release'>;

/** The draft of a release whose schema leaves things to be asked for, or undefined where the schema is whole, or learned. */
export const draftFor = async (
  { values, typed, configuration }: ReleaseArgs,
  file: string | undefined,
): Promise<DraftedFile | undefined> => {
  const { discover, exclude } = values;
  if (configuration?.schema !== undefined && !typed.has('schema') && !discover) return undefined;
  const { discoverRest, readDraft } = await import('../../adapters/index.js');
  const read = values.schema === undefined ? undefined : await readDraft(values.schema);
  const table = writtenFrom(values);
  const draft =
    read !== undefined
      ? draftWritten(read, values)
      : table && { surmise: 1 as const, origin: { kind: 'declared' as const }, attributes: [], table };
  if (!discover && read === undefined && table !== undefined)
    throw new InputError(
      `option --${Object.keys(table)[0].replace(/^date$/, 'date-format')}: says how a private table is written beside a schema, got none; add --schema or --discover, or write the private table like the public one`,
    );
  if (!discover && (draft === undefined || !asksAnything(draft))) {
    if (typed.has('discover-share'))
      throw new InputError(
        'option --discover-share: is for a schema that is asked for, got none; add --discover, or "discover" in the schema',
      );
    return undefined;
  }
  if (values.public.length > 0)
    throw new InputError(
      'option --public: a schema is learned from a public table where there is one, got it with one to be asked for; leave one of them out',
    );
  if (values.workload !== undefined)
    throw new InputError(
      'option --workload: names columns and cells, which are not known before they are asked for, got it with a schema to be asked for; leave it out, or release again by the schema that was found',
    );
  if (!discover) return { draft: draft!, notes: [] };
  if (file === undefined)
    throw new InputError('option --discover: needs PRIVATE, whose header names the columns, got none');
  return discoverRest(file, { draft, exclude, unitId: values['unit-id'], query: await queryOf(values, draft) });
};

/** Whom it protects. */
export const discoveredUnit = async ({ values }: ReleaseArgs, { draft }: DraftedFile) => {
  const { draftUnit } = await import('../../adapters/index.js');
  return unitFrom(values) ?? draftUnit(draft);
};

const askWords: Readonly<Record<PlannedDiscovery['columns'][number]['ask'], string>> = {
  nothing: 'declared: nothing is asked',
  'left out': 'left out by its type',
  type: 'what its values look like, then its values or edges',
  values: 'its values, those that enough have',
  edges: 'its first and last edge, and quantiles between',
};

const shareWords = ({ share, mostShare }: PlannedDiscovery): string =>
  mostShare === undefined
    ? percent(share)
    : `${percent(share)} to ${percent(mostShare)}, the more the fewer rows there turn out to be,`;

/** Shows what would be asked. The private table stays closed, but for the names of its columns where it is asked for all. */
export const planDiscovered = async (
  args: ReleaseArgs,
  drafted: DraftedFile,
  budget: Parameters<typeof planDiscovery>[0]['budget'],
  io: Io,
): Promise<undefined> => {
  const { values } = args;
  const unit = await discoveredUnit(args, drafted);
  const planned = planDiscovery({
    draft: drafted.draft,
    budget,
    unit,
    relation: values.relation,
    discoverShare: values['discover-share'],
    expectedRows: values['expect-rows'],
  });
  if (values.json) {
    io.out(`${JSON.stringify({ discovery: planned, notes: drafted.notes }, null, 2)}\n`);
    return;
  }
  const lines = [
    ...drafted.notes,
    bold(`A schema would be asked of the private table, with noise, for ${shareWords(planned)} of the budget.`, io),
    '',
    tableText(
      [{ title: 'column' }, { title: 'what is asked' }],
      planned.columns.map(({ column, ask }) => [column, askWords[ask]]),
      io,
    ).trimEnd(),
    '',
    ...(planned.threshold === undefined
      ? []
      : [
          `A value is told when about ${count(planned.threshold)} ${unit.kind === 'id' ? 'ids' : 'rows'} or more have it${planned.mostShare === undefined ? ', in large tables from fewer on' : ', in large tables when one in fifty has it or fewer'}; rarer ones are merged. List the values in a schema, or raise --discover-share, if that is too many.`,
        ]),
    ...(planned.rows === undefined
      ? []
      : [
          `Edges are asked for from about ${count(planned.rows)} rows on; with fewer, bins follow the powers of ten or a range: give one ("min" and "max") in a schema, or raise --discover-share.`,
        ]),
    ...planned.maps.map(
      ({ map, rows }) =>
        `${map}: a noisy count of each combination, from which the map is learned; ${rows === undefined ? 'how many rows a value needs to be in it is known when its columns are' : `a value is in it from about ${count(rows)} rows on`}, where (nearly) all of them go with one; the others stay free. Write the map down if it is known: it is then kept for every value, and costs nothing.`,
    ),
    'Which mechanism makes the release of what is left is decided when the schema is known.',
  ];
  io.out(`${lines.join('\n')}\n`);
};
