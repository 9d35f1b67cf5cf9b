/** What one run says of a target; the figures are missing where its process ended. */
export interface TargetRun {
  readonly executions?: number;
  readonly taken?: number;
  readonly seconds?: number;
  readonly blocks?: number;
  readonly slowest?: number;
  readonly corpus?: number;
  readonly findings: readonly string[];
}

export interface Run {
  readonly seed: number;
  readonly node: string;
  /** Blocks in all instrumented code. */
  readonly blocks: number;
  readonly targets: Readonly<Record<string, TargetRun>>;
}

/** Of several runs together, target by target: executions and time add up, of blocks and times the most counts. */
export const totalsOf = (runs: readonly Run[]): Record<string, Required<TargetRun>> => {
  const totals: Record<string, Required<TargetRun>> = {};
  for (const { targets } of runs)
    for (const [
      name,
      { executions = 0, taken = 0, seconds = 0, blocks = 0, slowest = 0, corpus = 0, findings },
    ] of Object.entries(targets)) {
      const so = totals[name] ?? {
        executions: 0,
        taken: 0,
        seconds: 0,
        blocks: 0,
        slowest: 0,
        corpus: 0,
        findings: [],
      };
      totals[name] = {
        executions: so.executions + executions,
        taken: so.taken + taken,
        seconds: Math.round(so.seconds + seconds),
        blocks: Math.max(so.blocks, blocks),
        slowest: Math.round(Math.max(so.slowest, slowest)),
        corpus: corpus || so.corpus,
        findings: [...new Set([...so.findings, ...findings])],
      };
    }
  return totals;
};
