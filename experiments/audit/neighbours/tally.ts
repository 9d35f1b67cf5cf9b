import type { Relation } from '../../../src/query/relation.js';
import type { Difference } from './compare.js';
import { auditPair, pairOf } from './pairs.js';
import { subjects } from './subjects.js';

/** What the pairs of one subject under one relation gave. */
export interface NeighbourTally {
  readonly subject: string;
  readonly relation: Relation;
  readonly pairs: number;
  /** Pairs by way in, by what the unit is, and by what went wrong on purpose. */
  readonly by: Readonly<Record<string, number>>;
  /** Primitives' outputs that were replayed, and lines that were compared. */
  readonly outputs: number;
  readonly lines: number;
  readonly differences: readonly (Difference & { readonly number: number; readonly where: string })[];
}

export interface TallyOptions {
  readonly subject: string;
  readonly relation: Relation;
  readonly pairs: number;
  /** A folder of this process's own. */
  readonly root: string;
  readonly onPair?: () => void;
}

/** Audits the first so many pairs of a subject under a relation. */
export const tally = async ({ subject, relation, pairs, root, onPair }: TallyOptions): Promise<NeighbourTally> => {
  const audited = subjects.find(({ name }) => name === subject)!;
  const by: Record<string, number> = {};
  const differences: NeighbourTally['differences'][number][] = [];
  let [outputs, lines] = [0, 0];
  for (let number = 0; number < pairs; number++) {
    const pair = pairOf({ root, number, subject: audited, relation });
    const { way, format, engine, unit, disturbance, outside } = pair.visit;
    const wayIn = way === 'memory' ? way : way === 'file' ? `file ${format} ${engine}` : `${way} ${format}`;
    for (const key of [wayIn, `unit ${unit.kind}`, `outside: ${outside}`, `disturbed: ${disturbance.kind}`])
      by[key] = (by[key] ?? 0) + 1;
    const found = await auditPair(pair);
    outputs += found.outputs;
    lines += found.lines;
    if (found.difference) differences.push({ number, where: wayIn, ...found.difference });
    onPair?.();
  }
  return { subject, relation, pairs, by, outputs, lines, differences };
};
