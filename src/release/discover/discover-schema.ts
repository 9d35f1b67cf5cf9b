import type { AttributeSpec } from '../../domain/attribute/attribute.js';
import {
  type AskedSpec,
  type Draft,
  type DraftAttribute,
  isAsked,
  isAskedColumn,
  isLeftOut,
  type LeftOut,
} from '../../domain/discover/draft.js';
import { ladderOf } from '../../domain/discover/ladder.js';
import { InputError } from '../../domain/input-error.js';
import { parseSchema } from '../../domain/schema/parse-schema.js';
import type { Schema } from '../../domain/schema/schema.js';
import type { DiscoveryDoor } from '../../privacy/discovery/discovery-door.js';
import { columnOf } from './column-of.js';
import { binsFrom, categoriesFrom, datesFrom, defaultBins, type Found } from './found.js';

/** A schema that was asked for, and what there is to say about it: all of it paid for. */
export interface Discovered {
  readonly schema: Schema;
  /** A word on columns, for people. */
  readonly notes: readonly { readonly column: string; readonly note: string }[];
}

export interface DiscoverOptions {
  /** The part of the budget for all of it. */
  readonly share: number;
}

/** The part of a discovery for the number of rows, and for what columns look like where that is asked. */
const totalPart = 0.02;
const formsPart = 0.2;

/** How a share is divided: a little for the number of rows, a part for forms where they are asked for, the rest equally. */
export const sharesOf = (share: number, asksForms: boolean, columns: number) => ({
  total: share * totalPart,
  forms: share * formsPart,
  each: (share * (1 - totalPart - (asksForms ? formsPart : 0))) / Math.max(1, columns),
});

const leftOutWords: Readonly<Record<LeftOut['type'], string>> = {
  text: 'free text',
  id: 'an id',
  key: 'a key',
};

/**
 * Asks a private table for what a draft of its schema leaves open: how many rows there are, what columns of unknown type look like, then the values
 * or the edges of each, which share equally what is left. Everything that follows from the answers is determined by them, so that
 * a bundle can be checked by going through it again.
 */
export const discoverSchema = async (
  door: DiscoveryDoor,
  draft: Draft,
  { share }: DiscoverOptions,
): Promise<Discovered> => {
  const notes: { column: string; note: string }[] = [];
  const unknown = draft.attributes.filter(isAskedColumn);
  const total = await door.total(share * totalPart);
  const rows = Math.max(1, total.counts[0]);
  const looks =
    unknown.length === 0
      ? []
      : await door.forms(
          unknown.map(({ name }) => name),
          share * formsPart,
        );
  const typed = draft.attributes.map((spec): { spec: Exclude<DraftAttribute, { type: 'discover' }>; rows: number } => {
    if (!isAskedColumn(spec)) return { spec, rows };
    const look = columnOf(spec, looks[unknown.indexOf(spec)]);
    if (look.note !== undefined) notes.push({ column: spec.name, note: look.note });
    return { spec: look.spec, rows: Math.min(rows, look.rows) };
  });
  const asked = typed.filter(({ spec }) => isAsked(spec));
  const { each } = sharesOf(share, unknown.length > 0, asked.length);
  const parts = asked.filter(({ spec }) => spec.type === 'category').length;
  const attributes: AttributeSpec[] = [];
  const formats: Record<string, unknown> = { ...draft.table?.columns };
  for (const { spec, rows: own } of typed) {
    if (isLeftOut(spec)) {
      notes.push({ column: spec.name, note: `left out: it is declared as ${leftOutWords[spec.type]}` });
      continue;
    }
    const found = isAsked(spec) ? await askOne(door, spec, each, { parts, rows: own }) : { spec };
    if (found.note !== undefined) notes.push({ column: spec.name, note: found.note });
    if (found.spec === undefined) continue;
    attributes.push(found.spec);
    if ('written' in spec && spec.written !== undefined) formats[spec.name] = spec.written;
  }
  if (attributes.length === 0)
    throw new InputError(
      'schema: nothing was found that could be released; declare columns, or give the discovery a larger share',
    );
  const table = Object.keys(formats).length === 0 ? draft.table : { ...draft.table, columns: formats };
  const { $schema, surmise, unit } = draft;
  const schema = parseSchema({
    ...($schema === undefined ? {} : { $schema }),
    surmise,
    origin: { kind: 'discovered' },
    ...(table === undefined ? {} : { table }),
    attributes,
    ...(unit === undefined ? {} : { unit }),
  });
  return { schema, notes };
};

/** Asks for what one column leaves open. */
const askOne = async (
  door: DiscoveryDoor,
  spec: AskedSpec,
  share: number,
  { parts, rows }: { readonly parts: number; readonly rows: number },
): Promise<Found> => {
  if (spec.type === 'category') return categoriesFrom(spec, await door.values(spec.name, share, { parts }));
  const bins = spec.type === 'date' ? 1 : (spec.bins ?? defaultBins);
  const found = await door.edges(spec, share, { rows, bins });
  const ladder = ladderOf(spec);
  return spec.type === 'date' ? datesFrom(spec, found, ladder) : binsFrom(spec, found, ladder);
};
