/** One measured comparison. `ratio` is above 1 when ours is better; `what` names the peer. */
export interface Figure {
  readonly what: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly ratio: number | null;
  readonly unit: string;
}

/** Figures that README and docs quote, in `bench/results/`: what was run, on what, without names of hosts or paths. */
export interface KeptFigures {
  readonly name: string;
  readonly command: string;
  /** The day, or where the figures were told when nobody kept them. */
  readonly kept: string;
  /** `load`: processes that were running or waiting when it began, by the system's one-minute average. */
  readonly machine: {
    readonly cores: number;
    readonly processor: string;
    readonly node: string;
    readonly load: number;
  };
  readonly figures: readonly Figure[];
}

export interface BenchOptions {
  /** Folder with the real tables, from --data or SURMISE_DATA. */
  readonly data: string | undefined;
  /** Which parts to run, for a benchmark that has parts; all unless said. */
  readonly only: string | undefined;
  /** Python of the peers' virtual environment (bench/peers/README.md), when it exists. */
  readonly python: string | undefined;
  /** Prints a line to the terminal, silent with --json. */
  readonly say: (line: string) => void;
}

/** A benchmark is a file of this folder whose default export is one of these. */
export type Bench = (options: BenchOptions) => Promise<Figure[]>;

/** A figure where less is better (time, bytes). */
export const smaller = (what: string, ours: number, peer: number | null, unit: string): Figure => ({
  what,
  ours,
  peer,
  ratio: peer === null ? null : peer / ours,
  unit,
});

/** A figure where more is better (rates). */
export const larger = (what: string, ours: number, peer: number | null, unit: string): Figure => ({
  what,
  ours,
  peer,
  ratio: peer === null ? null : ours / peer,
  unit,
});
