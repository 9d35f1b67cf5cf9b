import { indexOf } from '../../domain/domain.js';
import type { CodeColumn } from '../../domain/table.js';
import type { Support } from '../../model/support/support.js';

/**
 * The distinct combinations of some attributes in a support. Updates that look at those attributes only can be made on
 * the combinations' weights and carried over to the rows afterwards: the same numbers for a fraction of the work.
 */
export interface Joint {
  readonly attributes: readonly string[];
  /** Number of combinations. */
  readonly length: number;
  /** Codes of each combination, a column for each attribute. */
  readonly columns: readonly Uint32Array[];
  /** The combination of each row of the support. */
  readonly index: Uint32Array;
  /** Rows of the support that have each combination; at least 1. */
  readonly rows: Float64Array;
}

/** The joint with one more attribute, or undefined when that would give more than `limit` combinations. */
const refine = (
  joint: Joint,
  attribute: string,
  column: CodeColumn,
  size: number,
  limit: number,
): Joint | undefined => {
  const dense = joint.length * size <= 2 ** 24;
  const table = dense ? new Uint32Array(joint.length * size) : new Map<number, number>();
  const index = new Uint32Array(joint.index.length);
  /** A row that shows each combination. */
  const shown: number[] = [];
  for (let row = 0; row < index.length; row++) {
    const key = joint.index[row] * size + column[row];
    let number = (table instanceof Map ? table.get(key) : table[key]) ?? 0;
    if (number === 0) {
      if (shown.length === limit) return undefined;
      number = shown.push(row);
      if (table instanceof Map) table.set(key, number);
      else table[key] = number;
    }
    index[row] = number - 1;
  }
  const rows = new Float64Array(shown.length);
  for (let row = 0; row < index.length; row++) rows[index[row]]++;
  return {
    attributes: [...joint.attributes, attribute],
    length: shown.length,
    columns: [
      ...joint.columns.map((codes) => Uint32Array.from(shown, (row) => codes[joint.index[row]])),
      Uint32Array.from(shown, (row) => column[row]),
    ],
    index,
    rows,
  };
};

/** The joint of some attributes, however many combinations they have. */
export const jointOf = (support: Support, attributes: readonly string[]): Joint =>
  attributes.reduce((joint, name) => extend(support, joint, name, Infinity)!, nothing(support));

const nothing = ({ length }: Support): Joint => ({
  attributes: [],
  length: 1,
  columns: [],
  index: new Uint32Array(length),
  rows: Float64Array.of(length),
});

const extend = ({ domain, columns }: Support, joint: Joint, name: string, limit: number): Joint | undefined => {
  const at = indexOf(domain, name);
  return refine(joint, name, columns[at], domain.attributes[at].size, limit);
};

/** A pass over the rows pays for about this many passes over a joint's combinations. */
const worth = 16;

/**
 * Joints that together hold every given set of attributes, and which joint serves which set. Greedy: begin with a set that
 * has no joint, add the attribute that brings in most others, as long as the combinations stay few beside the rows.
 */
export const coverByJoints = (
  support: Support,
  sets: readonly (readonly string[])[],
): { joints: Joint[]; jointOf: number[] } => {
  const limit = Math.max(256, Math.floor(support.length / worth));
  const sizeOf = (name: string): number => support.domain.attributes[indexOf(support.domain, name)].size;
  const chosen = new Array<number>(sets.length).fill(-1);
  const joints: Joint[] = [];
  // The widest sets first: the narrow ones then find a place in them.
  const order = sets.map((_, s) => s).sort((a, b) => sets[b].length - sets[a].length || a - b);
  for (const first of order) {
    if (chosen[first] >= 0) continue;
    let joint = jointOf(support, sets[first]);
    const refused = new Set<string>();
    for (;;) {
      const inside = new Set(joint.attributes);
      const gains = new Map<string, number>();
      for (let s = 0; s < sets.length; s++) {
        if (chosen[s] >= 0) continue;
        const missing = sets[s].filter((name) => !inside.has(name));
        if (missing.length === 1) gains.set(missing[0], (gains.get(missing[0]) ?? 0) + 1);
      }
      const [best] = [...gains]
        .filter(([name]) => !refused.has(name))
        .sort((a, b) => b[1] - a[1] || sizeOf(a[0]) - sizeOf(b[0]));
      if (best === undefined) break;
      const wider = extend(support, joint, best[0], limit);
      if (wider === undefined) refused.add(best[0]);
      else joint = wider;
    }
    const inside = new Set(joint.attributes);
    for (let s = 0; s < sets.length; s++)
      if (chosen[s] < 0 && sets[s].every((name) => inside.has(name))) chosen[s] = joints.length;
    joints.push(joint);
  }
  return { joints, jointOf: chosen };
};
