import * as v from 'valibot';
import { columnsOfPair } from '../domain/discover/asked-pair.js';
import type { Draft } from '../domain/discover/draft.js';
import { parseDraft } from '../domain/discover/parse-draft.js';
import type { DiscoveryDoor } from '../privacy/discovery/discovery-door.js';

const number = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const actShape = v.variant('act', [
  v.strictObject({ act: v.literal('total'), count: number }),
  v.strictObject({
    act: v.literal('looks'),
    asked: v.array(v.strictObject({ column: v.string(), by: v.picklist(['kind', 'digit', 'number', 'date', 'size']) })),
    counts: v.array(v.array(number)),
  }),
  v.strictObject({
    act: v.literal('values'),
    columns: v.array(v.string()),
    /** The column by its number among them, and the noisy weight, in 256ths of what a unit with one value counts. */
    passed: v.array(v.strictObject({ column: whole, text: v.string(), weight: number })),
  }),
  v.strictObject({
    act: v.literal('edges'),
    column: v.string(),
    /** Places on the public ladder of the column. */
    edges: v.array(whole),
  }),
  v.strictObject({
    act: v.literal('together'),
    /** Lists of columns, the one that the others are said to determine last. */
    asked: v.array(v.array(v.string())),
    /** Of each list, the noisy number of rows of every combination of cells, row-major. */
    counts: v.array(v.array(number)),
  }),
]);

/** What was asked for to make the schema of a release, and what came of it: noisy, and paid for. */
export const discoveryShape = v.strictObject({
  /** The schema as it was before. */
  draft: v.pipe(
    v.unknown(),
    v.transform((draft): Draft => parseDraft(draft)),
  ),
  /** The part of the budget for it. */
  share: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)),
  acts: v.array(actShape),
});

export type DiscoveryAct = v.InferOutput<typeof actShape>;
export type DiscoveryRecord = v.InferOutput<typeof discoveryShape>;

/** A door that does what another does and keeps what came of it. */
export const keepingRecord = (door: DiscoveryDoor): { readonly door: DiscoveryDoor; readonly acts: DiscoveryAct[] } => {
  const acts: DiscoveryAct[] = [];
  return {
    acts,
    door: {
      relation: door.relation,
      unit: door.unit,
      async total(share) {
        const found = await door.total(share);
        acts.push({ act: 'total', count: found.counts[0] });
        return found;
      },
      async looks(asked, share) {
        const found = await door.looks(asked, share);
        acts.push({
          act: 'looks',
          asked: asked.map(({ column, by }) => ({ column, by })),
          counts: found.map(({ counts }) => Array.from(counts)),
        });
        return found;
      },
      async values(columns, share, options) {
        const passed = await door.values(columns, share, options);
        acts.push({
          act: 'values',
          columns: columns.map(({ name }) => name),
          passed: passed.map(({ column, text, count }) => ({ column, text, weight: count })),
        });
        return passed;
      },
      reachFor: door.reachFor,
      roundsFor: door.roundsFor,
      async edges(spec, share, options) {
        const edges = await door.edges(spec, share, options);
        acts.push({ act: 'edges', column: spec.name, edges: [...edges] });
        return edges;
      },
      findsEdges: door.findsEdges,
      async together(pairs, share) {
        const found = await door.together(pairs, share);
        acts.push({
          act: 'together',
          asked: pairs.map((pair) => columnsOfPair(pair).map(({ name }) => name)),
          counts: found.map(({ counts }) => Array.from(counts)),
        });
        return found;
      },
      findsMap: door.findsMap,
    },
  };
};
