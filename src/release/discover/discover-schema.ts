import type { AttributeSpec } from '../../domain/attribute/attribute.js';
import { cellsOfPair } from '../../domain/discover/asked-pair.js';
import {
  type AskedCategory,
  type AskedDate,
  type AskedNumeric,
  askedMaps,
  type Draft,
  type DraftAttribute,
  isAsked,
  isAskedColumn,
  isAskedMap,
  isLeftOut,
  type LeftOut,
} from '../../domain/discover/draft.js';
import { isRanged, sizesOf } from '../../domain/discover/ladder.js';
import { parseSchema } from '../../domain/schema/parse-schema.js';
import type { Schema } from '../../domain/schema/schema.js';
import type { DiscoveryDoor } from '../../privacy/discovery/discovery-door.js';
import type { Passed } from '../../privacy/primitives.js';
import { pairOf, withMaps } from './ask-maps.js';
import { columnOf, kindFrom, lookFor } from './column-of.js';
import { binsFrom, categoriesFrom, datesFrom, defaultBins, type Found, type Known, tooLittle } from './found.js';
import { NothingFound } from './nothing-found.js';
import { type FoundRange, rangeOf } from './range-of.js';
import { discoverShares, type ShareFacts, shareFor } from './share-for.js';

/** A schema that was asked for, and what there is to say about it: all of it paid for. */
export interface Discovered {
  readonly schema: Schema;
  /** The part of the budget that was for it. */
  readonly share: number;
  /** A word on columns, for people. */
  readonly notes: readonly { readonly column: string; readonly note: string }[];
}

export interface DiscoverOptions {
  /** The part of the budget for all of it; by default one that follows the noisy number of rows (`shareFor`). */
  readonly share?: number | undefined;
}

/** Parts of a discovery: the number of rows; of which kind columns are and how they are written; how large numbers and dates without a range are. */
const parts = { total: 0.02, kinds: 0.1, details: 0.08, sizes: 0.1 } as const;

/**
 * How a share is divided: what is not needed for the first questions is for values and edges, in equal parts for each column. The number of rows is asked for
 * before the share is settled, with the part of the least one.
 */
export const sharesOf = (
  share: number,
  asks: { readonly [part in 'kinds' | 'details' | 'sizes']: boolean },
  counting: number = share,
) => {
  const total = counting * parts.total;
  const of = (part: 'kinds' | 'details' | 'sizes'): number => share * parts[part];
  const first = (['kinds', 'details', 'sizes'] as const).filter((part) => asks[part]);
  return {
    total,
    kinds: of('kinds'),
    details: of('details'),
    sizes: of('sizes'),
    rest: share - total - first.reduce((sum, part) => sum + of(part), 0),
  };
};

type AskedLine = AskedNumeric | AskedDate;
type Settled = Exclude<DraftAttribute, { type: 'discover' }>;

/** A column whose type is known, and about how many rows have a value in it. */
interface Typed {
  readonly spec: Settled;
  readonly rows: number;
}

const leftOutWords: Readonly<Record<LeftOut['type'], string>> = {
  text: 'free text',
  id: 'an id',
  key: 'a key',
};

const isCategory = (spec: Settled): spec is AskedCategory => isAsked(spec) && spec.type === 'category';
const isLine = (spec: Settled): spec is AskedLine => isAsked(spec) && spec.type !== 'category';

const binsOf = (spec: AskedLine): number => (spec.type === 'date' ? 1 : (spec.bins ?? defaultBins));

/**
 * Asks a private table for what a draft of its schema leaves open: how many rows there are, of which kind columns of unknown type are and how they are
 * written, how large numbers without a range are, and with what is left, in equal parts, the values of all columns of texts together and the edges of every column
 * with rows enough for them to mean something. Everything that follows from the answers is determined by them, so that a bundle can be checked by going through it again.
 */
export const discoverSchema = async (
  door: DiscoveryDoor,
  draft: Draft,
  { share: given }: DiscoverOptions = {},
): Promise<Discovered> => {
  const notes: { column: string; note: string }[] = [];
  const tell = (column: string, note: string | undefined): void => {
    if (note !== undefined) notes.push({ column, note });
  };
  const asks = { kinds: draft.attributes.some(isAskedColumn), details: false, sizes: false };
  const counting = given ?? discoverShares.least;
  const total = await door.total(sharesOf(counting, asks).total);
  const rows = Math.max(1, total.counts[0]);
  const share = given ?? shareFor({ rows, ...askedOf(door, draft, rows) });
  const shares = () => sharesOf(share, asks, counting);

  const unknown = draft.attributes.filter(isAskedColumn);
  const kinds = !asks.kinds
    ? []
    : (
        await door.looks(
          unknown.map(({ name }) => ({ column: name, by: 'kind' as const })),
          shares().kinds,
        )
      ).map(kindFrom);
  const further = unknown.flatMap(({ name }, i) => lookFor(name, kinds[i].kind) ?? []);
  asks.details = further.length > 0;
  const details = asks.details ? await door.looks(further, shares().details) : [];
  const typed = draft.attributes.map((spec): Typed => {
    if (!isAskedColumn(spec)) return { spec, rows };
    const { kind, rows: own } = kinds[unknown.indexOf(spec)];
    const found = columnOf(spec, kind, details[further.findIndex(({ column }) => column === spec.name)]);
    tell(spec.name, found.note);
    return { spec: found.spec, rows: Math.max(1, Math.min(rows, own)) };
  });

  const open = typed.map(({ spec }) => spec).filter((spec): spec is AskedLine => isLine(spec) && !isRanged(spec));
  asks.sizes = open.length > 0;
  const sizes = !asks.sizes
    ? []
    : await door.looks(
        open.map((spec) => ({ column: spec.name, by: 'size' as const, spec })),
        shares().sizes,
      );
  const ranges = new Map<string, FoundRange | undefined>(
    open.map((spec, i) => [spec.name, rangeOf(sizesOf(spec), sizes[i])]),
  );
  const settled = typed.map(({ spec, rows: own }): Typed => {
    const range = ranges.get(spec.name);
    if (!isLine(spec) || range === undefined) return { spec, rows: own };
    return { spec: { ...spec, within: [range.edges[0], range.edges[range.edges.length - 1]] }, rows: own };
  });

  const maps = askedMaps(draft);
  const { passed, places, each } = await askAll(door, settled, shares().rest, { rows, maps: maps.length });
  const foundOf = (spec: Settled): Found => {
    if (isLeftOut(spec)) return { note: `left out: it is declared as ${leftOutWords[spec.type]}` };
    if (isCategory(spec)) return categoriesFrom(spec, passed.get(spec.name)!);
    if (!isLine(spec)) return { spec };
    if (!isRanged(spec)) return tooLittle;
    const known: Known = { places: places.get(spec.name), range: ranges.get(spec.name) };
    return spec.type === 'date' ? datesFrom(spec, known) : binsFrom(spec, known);
  };
  const attributes: AttributeSpec[] = [];
  const formats: Record<string, unknown> = { ...draft.table?.columns };
  for (const { spec } of settled) {
    const found = foundOf(spec);
    tell(spec.name, found.note);
    if (found.spec === undefined) continue;
    attributes.push(found.spec);
    if ('written' in spec && spec.written !== undefined) formats[spec.name] = spec.written;
  }
  if (attributes.length === 0) throw new NothingFound();
  const table = Object.keys(formats).length === 0 ? draft.table : { ...draft.table, columns: formats };
  const { $schema, surmise, unit } = draft;
  const declared = (draft.constraints ?? []).filter((constraint) => !isAskedMap(constraint));
  const schema = parseSchema({
    ...($schema === undefined ? {} : { $schema }),
    surmise,
    origin: { kind: 'discovered' },
    ...(table === undefined ? {} : { table }),
    attributes,
    ...(unit === undefined ? {} : { unit }),
    ...(declared.length === 0 ? {} : { constraints: declared }),
  });
  return { schema: await withMaps(door, schema, maps, { share: each, rows, tell }), share, notes };
};

/** What a draft asks for, if every column of unknown type turned out to hold texts: what that needs, for each share. */
const askedOf = (door: DiscoveryDoor, draft: Draft, rows: number): Omit<ShareFacts, 'rows'> => {
  const unknown = draft.attributes.filter(isAskedColumn).length;
  const asked = draft.attributes.filter(isAsked);
  const lines = asked.filter((spec): spec is AskedLine => spec.type !== 'category');
  const texts = unknown + asked.length - lines.length;
  const restOf = (share: number): number =>
    sharesOf(
      share,
      { kinds: unknown > 0, details: unknown > 0, sizes: unknown > 0 || lines.some((spec) => !isRanged(spec)) },
      discoverShares.least,
    ).rest / Math.max(1, texts + lines.length + askedMaps(draft).length);
  const maps = askedMaps(draft);
  const pairs = maps.flatMap((map) => pairOf(map, draft.attributes) ?? []);
  return {
    reach: texts === 0 ? undefined : (share) => door.reachFor(texts, texts * restOf(share)),
    findsMaps: (share) =>
      pairs.every((pair) => door.findsMap(pair, restOf(share), rows / (cellsOfPair(pair) / pair.to.size))),
    findsEdges: (share) => lines.every((spec) => door.findsEdges(spec, restOf(share), { rows, bins: binsOf(spec) })),
  };
};

/** Values of all columns of texts, and edges of the columns that have rows enough: the others leave their part to the rest. Maps have as much each, later. */
const askAll = async (
  door: DiscoveryDoor,
  settled: readonly Typed[],
  share: number,
  { rows, maps }: { readonly rows: number; readonly maps: number },
) => {
  const texts = settled.map(({ spec }) => spec).filter(isCategory);
  const optionsOf = (spec: AskedLine, own: number) => ({ rows: own, bins: binsOf(spec) });
  let lines = settled.flatMap(({ spec, rows: own }) => (isLine(spec) && isRanged(spec) ? [{ spec, rows: own }] : []));
  const eachOf = (): number => share / Math.max(1, texts.length + lines.length + maps);
  for (;;) {
    const each = eachOf();
    const kept = lines.filter(({ spec, rows: own }) => door.findsEdges(spec, each, optionsOf(spec, own)));
    if (kept.length === lines.length) break;
    lines = kept;
  }
  const each = eachOf();
  const passed = await valuesOf(
    door,
    texts.map(({ name }) => name),
    each * texts.length,
    rows,
  );
  const places = new Map<string, readonly number[]>();
  for (const { spec, rows: own } of lines) places.set(spec.name, await door.edges(spec, each, optionsOf(spec, own)));
  return { passed, places, each };
};

/**
 * The values of columns that pass, in one round or several, each with twice as much of the budget as the one before: values that one round has found
 * are not counted by the next, so that units put all they count into the others (Swanberg, Desfontaines, Haney 2023).
 */
const valuesOf = async (
  door: DiscoveryDoor,
  columns: readonly string[],
  share: number,
  rows: number,
): Promise<ReadonlyMap<string, readonly Passed[]>> => {
  const found = columns.map((): Passed[] => []);
  const rounds = columns.length === 0 ? 0 : door.roundsFor(columns.length, share, rows);
  for (let round = 0; round < rounds; round++) {
    const part = 2 ** round / (2 ** rounds - 1);
    const asked = columns.map((name, i) => ({ name, known: found[i].map(({ text }) => text) }));
    const passed = await door.values(asked, share * part, { parts: rounds });
    // The most frequent first: their order decides where there are more than can be told apart.
    for (const own of passed.toSorted((a, b) => b.count - a.count)) found[own.column].push(own);
  }
  return new Map(columns.map((name, i) => [name, found[i]]));
};
