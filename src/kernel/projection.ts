/** Which entries of some sums changed and by how much, as the kernel `follow` keeps it. */
export interface Change {
  /** Addresses of scratch for each entry: u32 (and one more of them), f64 and u8, the last two all zero at first. */
  readonly list: number;
  readonly delta: number;
  readonly marks: number;
}

/** Sums of a source's entries by the entry of a target that each belongs to. */
export interface ProjectionStep {
  /** Address of the target's entry for each of the source's, in `width` (1, 2 or 4) bytes. */
  readonly map: number;
  readonly width: number;
  readonly rows: number;
  /** Addresses of f64 sums. Steps at the same depth of a tree may share theirs when the steps run depth first. */
  readonly source: number;
  readonly target: number;
  readonly cells: number;
  /** Address of the source's change. */
  readonly change: number;
  /** Address of the target's, or 0 when no step reads the target. */
  readonly after: number;
}

export const changeBytes = 16;
export const stepBytes = 32;

/** Writes a change in which nothing has changed: count, list, differences, marks. */
export const writeChange = (words: Uint32Array, { list, delta, marks }: Change): void => {
  words.set([0, list, delta, marks]);
};

/** Writes a step as the kernels read it. */
export const writeStep = (words: Uint32Array, step: ProjectionStep): void => {
  const { map, width, rows, source, change, target, cells, after } = step;
  words.set([map, width, rows, source, change, target, cells, after]);
};
