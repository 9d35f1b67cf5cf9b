import * as v from 'valibot';
import type { Draft } from '../domain/discover/draft.js';
import { forms } from '../domain/discover/forms.js';
import { parseDraft } from '../domain/discover/parse-draft.js';
import type { DiscoveryDoor } from '../privacy/discovery/discovery-door.js';

const number = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const actShape = v.variant('act', [
  v.strictObject({ act: v.literal('total'), count: number }),
  v.strictObject({
    act: v.literal('forms'),
    columns: v.array(v.string()),
    counts: v.array(v.pipe(v.array(number), v.length(forms.length))),
  }),
  v.strictObject({
    act: v.literal('values'),
    column: v.string(),
    passed: v.array(v.strictObject({ text: v.string(), count: number })),
  }),
  v.strictObject({
    act: v.literal('edges'),
    column: v.string(),
    /** Places on the public ladder of the column. */
    edges: v.array(whole),
    certain: v.boolean(),
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
      async forms(columns, share) {
        const found = await door.forms(columns, share);
        acts.push({ act: 'forms', columns: [...columns], counts: found.map(({ counts }) => Array.from(counts)) });
        return found;
      },
      async values(column, share, options) {
        const passed = await door.values(column, share, options);
        acts.push({ act: 'values', column, passed: passed.map((one) => ({ ...one })) });
        return passed;
      },
      async edges(spec, share, options) {
        const found = await door.edges(spec, share, options);
        acts.push({ act: 'edges', column: spec.name, edges: [...found.edges], certain: found.certain });
        return found;
      },
    },
  };
};
