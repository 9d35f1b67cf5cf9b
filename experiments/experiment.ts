export interface ExperimentOptions {
  /** Folder with the real tables, from --data or SURMISE_DATA. */
  readonly data: string | undefined;
  /** Number of seeds, when the caller wants other than the experiment's own. */
  readonly seeds: number | undefined;
  /** Runs a small part only, to see that it works; its figures mean little. */
  readonly quick?: boolean;
  /** Of an experiment that compares mechanisms: this one alone. */
  readonly only?: string | undefined;
  /** Prints a line of progress to the terminal, silent with --json. */
  readonly say: (line: string) => void;
}

/** An experiment is a file of this folder whose default export is one of these. */
export type Experiment = (options: ExperimentOptions) => Promise<{
  figures: Record<string, unknown>;
  text: string;
  /** Figures that were kept before with these in their places, of an experiment that can be run part by part. */
  added?: (before: Record<string, unknown>) => Record<string, unknown>;
}>;
