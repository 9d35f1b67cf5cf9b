import { domainOf } from '../../domain/domain-of.js';
import type { Arena, Region } from '../../kernel/arena.js';
import type { Support } from '../../model/support/support.js';
import { openWeightedRows, type Threads, type WeightedRows } from '../../model/support/weighted-rows.js';
import { coverByJoints, type Joint } from './joints.js';
import type { PartialWorkload } from './workloads.js';

/** A partial workload seen from the joint that serves it. Scratch in kernel memory: for one update at a time. */
export interface PlacedWorkload {
  /** Number of the joint, and of the rows' cell map. */
  readonly joint: number;
  /** The answer that counts each combination of the joint; `answers` for those that none does. */
  readonly index: Region<Uint32Array>;
  readonly answers: number;
  /** Sums of weights by answer, the last for what no answer counts. */
  readonly sums: Region<Float64Array>;
  /** What an update multiplies the weights of each answer by. */
  readonly ratio: Region<Float64Array>;
  /** Rows of the support by answer, the last for what no answer counts. */
  readonly rows: Float64Array;
  /** True when every row of the support is counted: ||W_s||_{1,1} = N on the support (Algorithm 1, line 6). */
  readonly covers: boolean;
}

/** A support's rows in kernel memory, seen through joints, with the partial workloads in their places. */
export interface IdeRows {
  /** The rows; map j has a cell for each combination of joint j. */
  readonly rows: WeightedRows;
  readonly joints: readonly Joint[];
  readonly workloads: readonly PlacedWorkload[];
  /** For each joint, its workloads. */
  readonly members: readonly (readonly number[])[];
}

/** Opens kernel memory for IDE on a support. The caller closes `rows`. */
export const openIdeRows = async (
  support: Support,
  workloads: readonly PartialWorkload[],
  threads: Threads,
): Promise<IdeRows> => {
  const { joints, jointOf } = coverByJoints(
    support,
    workloads.map(({ attributes }) => attributes),
  );
  // The rows as the joints see them: an attribute for each joint, whose cells are its combinations.
  const names = joints.map((_, j) => `joint ${j}`);
  const seen: Support = {
    domain: domainOf(joints.map(({ length }, j) => ({ type: 'integer', name: names[j], min: 0, max: length - 1 }))),
    length: support.length,
    columns: joints.map(({ index }) => index),
    weights: support.weights,
  };
  const rows = await openWeightedRows(
    seen,
    names.map((name) => [name]),
    threads,
  );
  try {
    const placed = place(support, workloads, joints, jointOf, rows.engine.arena);
    return {
      rows,
      joints,
      workloads: placed,
      members: joints.map((_, j) => placed.flatMap(({ joint }, s) => (joint === j ? [s] : []))),
    };
  } catch (error) {
    rows.close();
    throw error;
  }
};

const place = (
  support: Support,
  workloads: readonly PartialWorkload[],
  joints: readonly Joint[],
  jointOf: readonly number[],
  arena: Arena,
): PlacedWorkload[] =>
  workloads.map(({ attributes, answers, memberOf }, s): PlacedWorkload => {
    const joint = joints[jointOf[s]];
    const columns = attributes.map((name) => {
      const { size } = support.domain.attributes.find((attribute) => attribute.name === name)!;
      return { size, codes: joint.columns[joint.attributes.indexOf(name)] };
    });
    const index = arena.u32(joint.length);
    const counts = new Float64Array(answers.length + 1);
    const view = index.view;
    for (let i = 0; i < joint.length; i++) {
      let cell = 0;
      for (const { size, codes } of columns) cell = cell * size + codes[i];
      view[i] = memberOf[cell];
      counts[view[i]] += joint.rows[i];
    }
    return {
      joint: jointOf[s],
      index,
      answers: answers.length,
      sums: arena.f64(answers.length + 1),
      ratio: arena.f64(answers.length + 1),
      rows: counts,
      covers: counts[answers.length] === 0,
    };
  });
