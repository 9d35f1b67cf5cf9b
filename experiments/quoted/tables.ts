import type { NeighbourTally } from '../audit/neighbours/tally.js';
import type { Spread } from '../spread.js';

/*
 * The tables of docs/results.md, line by line, from the figures that are kept in experiments/results/. A test holds the document to
 * them, so that a table is made anew whenever its experiment is.
 */

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const four = ({ mean, deviation }: Spread): string => `${mean.toFixed(4)} ±${deviation.toFixed(4)}`;
const percent = ({ mean, deviation }: Spread): string => `${(100 * mean).toFixed(2)} ±${(100 * deviation).toFixed(2)}`;
/** Mean and standard error. */
const fourError = ({ mean, deviation, runs }: Spread): string =>
  `${mean.toFixed(4)} ±${(deviation / Math.sqrt(runs)).toFixed(4)}`;

export interface Massachusetts {
  readonly contestants: readonly {
    readonly mechanism: string;
    readonly budget: { readonly epsilon: number };
    readonly error: Spread;
    readonly seconds: Spread;
  }[];
  readonly asIs: { readonly error: Spread };
  readonly sample: { readonly error: Spread };
}

export const massachusettsTable = ({ contestants }: Massachusetts): string[] =>
  [...new Set(contestants.map(({ mechanism }) => mechanism))].map((name) =>
    line([
      name,
      ...contestants
        .filter(({ mechanism }) => mechanism === name)
        .flatMap(({ error, seconds }) => [percent(error), seconds.mean.toFixed(1)]),
    ]),
  );

export interface Reweighting {
  readonly rows: readonly {
    readonly setting: string;
    readonly epsilon: number;
    readonly best: string;
    readonly mean: Readonly<Record<string, Spread>>;
    readonly max: Readonly<Record<string, Spread>>;
  }[];
}

/** Every contender once; of IDE's selections the best. */
export const reweightTable = ({ rows }: Reweighting, which: 'mean' | 'max'): string[] =>
  rows.map((row) => {
    const shown = row[which];
    const cells = ['validated', 'oracle stop', 'converged', `IDE, ${row.best}`, 'PMW-Pub', 'public as it is'];
    return line([row.setting, row.epsilon, ...cells.map((name) => four(shown[name]))]);
  });

/** What a release measures beside fixed choices, on the same supports, and how far it is from the best of those; rows that were run. */
export const measuredTable = ({ rows }: Reweighting): string[] =>
  rows.flatMap(({ setting, epsilon, mean }) => {
    const { wider } = mean;
    if (wider === undefined) return [];
    const fixed = ['one-ways', 'cliques', 'pairs'].map((name) => mean[`wider, ${name}`]);
    const best = Math.min(...fixed.map((one) => one.mean));
    return [line([setting, epsilon, four(wider), ...fixed.map(four), (wider.mean / best).toFixed(2)])];
  });

/** Mean errors of several contenders in each setting, at each budget. */
export interface MeanErrors {
  readonly rows: readonly {
    readonly setting: string;
    readonly epsilon: number;
    readonly mean: Readonly<Record<string, Spread>>;
  }[];
}

/** The same on made-up tables and at the ends of the budgets, beside choices round by round too. */
export const designedTable = ({ rows }: MeanErrors): string[] =>
  rows.map(({ setting, epsilon, mean }) => {
    const others = ['one-ways', 'cliques', 'pairs', 'adaptive'].map((name) => mean[name]);
    const best = Math.min(...others.map((one) => one.mean));
    return line([setting, epsilon, four(mean.release), ...others.map(four), (mean.release.mean / best).toFixed(2)]);
  });

/** Validated reweighting from all pairs and from residuals. */
export const residualsTable = ({ rows }: MeanErrors): string[] =>
  rows.map(({ setting, epsilon, mean }) =>
    line([setting, epsilon, ...['all pairs', 'residuals, cells', 'residuals, roots'].map((name) => four(mean[name]))]),
  );

/** Fits to the same measurements without and with steps that neighbours share. */
export interface SharedSteps {
  readonly rows: readonly {
    readonly setting: string;
    readonly epsilon: number;
    readonly attributes: Spread;
    readonly mean: Readonly<Record<'alone' | 'shared', Readonly<Record<'pairs' | 'triples', Spread>>>>;
  }[];
}

export const sharingTable = ({ rows }: SharedSteps): string[] =>
  rows.map(({ setting, epsilon, attributes, mean: { alone, shared } }) =>
    line([
      setting,
      epsilon,
      attributes.mean.toFixed(1),
      ...(['pairs', 'triples'] as const).flatMap((measure) => [
        four(alone[measure]),
        four(shared[measure]),
        (shared[measure].mean / alone[measure].mean).toFixed(2),
      ]),
    ]),
  );

/** Mean errors of IDE with each selection. */
export const ideTable = ({ rows }: Reweighting): string[] =>
  rows.map(({ setting, epsilon, best, mean }) =>
    line([
      setting,
      epsilon,
      ...['cliques', 'cliques+one-ways', 'one-ways', 'pairs'].map((measure) =>
        measure === best ? `**${four(mean[`IDE, ${measure}`])}**` : four(mean[`IDE, ${measure}`]),
      ),
    ]),
  );

export interface Contest {
  readonly rows: readonly {
    readonly split: string;
    readonly name: string;
    readonly error: Spread;
    readonly groupErrors: { readonly p10: number; readonly median: number; readonly p90: number };
    /** Part of the groups above 0.4; kept since it is told. */
    readonly above?: number;
    readonly unsampled?: Spread;
  }[];
}

export const contestTable = ({ rows }: Contest): string[] =>
  rows.map(({ split, name, error, groupErrors: { p10, median, p90 }, above, unsampled }) =>
    line([
      split,
      name,
      four(error),
      [p10, median, p90].map((value) => value.toFixed(2)).join(', '),
      ...(above === undefined ? [] : [`${Math.round(100 * above)}%`]),
      unsampled === undefined ? '' : unsampled.mean.toFixed(4),
    ]),
  );

/** What needs no public table. */
interface Baseline {
  readonly epsilon: number;
  readonly hdmm: Spread;
  readonly dualQuery: Spread;
}

export interface Adult {
  readonly rows: readonly (Readonly<Record<'pmw' | 'exponential' | 'direct' | 'asIs' | 'mixture', Spread>> & {
    readonly bias: number;
    readonly epsilon: number;
    readonly rounds: number;
  })[];
  readonly uniform: readonly {
    readonly bias: number;
    readonly epsilon: number;
    readonly rounds: number;
    readonly error: Spread;
  }[];
}

export const adultTable = ({ rows, uniform }: Adult): string[] =>
  rows.map(({ bias, epsilon, rounds, pmw, exponential, direct, asIs, mixture }) => {
    const level = uniform.find((row) => row.bias === bias && row.epsilon === epsilon)!;
    return line([
      bias,
      epsilon,
      rounds,
      ...[pmw, exponential].map(fourError),
      `${fourError(level.error)} (${level.rounds})`,
      ...[direct, asIs, mixture].map(fourError),
    ]);
  });

export interface Census {
  readonly rows: readonly (Readonly<Record<'pmw' | 'exponential' | 'direct', Spread>> & {
    readonly state: string;
    readonly from: string;
    readonly epsilon: number;
    readonly rounds: number;
    readonly asIs: number;
    readonly mixture: number;
    readonly bound: number;
  })[];
  readonly baselines: readonly (Baseline & { readonly state: string })[];
}

export const censusTable = ({ rows, baselines }: Census): string[] =>
  rows.map(({ state, from, epsilon, rounds, pmw, exponential, direct, asIs, mixture, bound }) => {
    const [upper, lower] = [mixture.toFixed(4), bound.toFixed(4)];
    const floor = upper === lower ? upper : `${upper} (${lower})`;
    const { hdmm, dualQuery } = baselines.find((row) => row.state === state && row.epsilon === epsilon)!;
    const errors = [pmw, exponential, direct, hdmm, dualQuery].map(fourError);
    return line([state, from, epsilon, rounds, ...errors, asIs.toFixed(4), floor]);
  });

/** HDMM and DualQuery on ADULT: one line a budget, since no public table enters. */
export const adultBaselines = ({ baselines }: { readonly baselines: readonly Baseline[] }): string[] =>
  baselines.map(({ epsilon, hdmm, dualQuery }) => line([epsilon, fourError(hdmm), fourError(dualQuery)]));

interface Range {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Figure1 {
  readonly lines: readonly {
    readonly mechanism: string;
    readonly table: string;
    readonly errors: Readonly<Record<'own' | 'converged' | 'validated', Range>>;
    readonly factor: number;
    readonly paper?: number;
  }[];
}

/** Private-PGM's figure 1: medians and ranges, by how much the graphical model divides the error, and the paper's factor. */
export const figure1Table = ({ lines }: Figure1): string[] =>
  lines.map(({ mechanism, table, errors, factor, paper }) => {
    const shown = ({ median, least, most }: Range): string =>
      `${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`;
    const cells = [errors.own, errors.converged, errors.validated].map(shown);
    return line([mechanism, table, ...cells, factor.toFixed(2), paper?.toFixed(1) ?? '']);
  });

interface OnBoth {
  readonly workload: Spread;
  readonly measurements: Spread;
}

export interface Figure2a {
  readonly rows: readonly (Readonly<Record<'lls' | 'converged' | 'validated', OnBoth>> & {
    readonly epsilon: number;
  })[];
}

/** Private-PGM's figure 2a: HDMM's errors on the workload and on what it measured. */
export const figure2aTable = ({ rows }: Figure2a): string[] =>
  rows.map(({ epsilon, lls, converged, validated }) =>
    line([
      epsilon,
      ...[lls, converged, validated].map(({ workload }) => four(workload)),
      ...[lls, converged, validated].map(({ measurements }) => four(measurements)),
    ]),
  );

export interface Losses {
  readonly curves: readonly {
    readonly points: readonly {
      readonly iteration: number;
      readonly l1: number;
      readonly l2: number;
      readonly error: number;
    }[];
  }[];
}

/** Private-PGM's figure 3: both losses and the error on the way of both estimators, and in the end. */
export const lossesTable = ({ curves }: Losses): string[] =>
  [30, 50, 100, 200, 300, 500, Number.POSITIVE_INFINITY].map((iteration) =>
    line([
      Number.isFinite(iteration) ? iteration : 'end',
      ...curves.flatMap(({ points }) => {
        const { l1, l2, error } = points.findLast((point) => point.iteration <= iteration)!;
        return [l1.toFixed(0), l2.toFixed(0), error.toFixed(4)];
      }),
    ]),
  );

export interface Stopping {
  readonly rows: readonly {
    readonly table: string;
    readonly measured: string;
    readonly epsilon: number;
    readonly validated: Spread;
    readonly converged: Spread;
    readonly oracle: Spread;
    readonly ratio: number;
  }[];
}

export const stoppingTable = ({ rows }: Stopping): string[] =>
  rows.map(({ table, measured, epsilon, validated, converged, oracle, ratio }) =>
    line([table, measured, epsilon, four(validated), four(converged), oracle.mean.toFixed(4), ratio.toFixed(2)]),
  );

export interface AimPrior {
  readonly rows: readonly {
    readonly epsilon: number;
    readonly pairs: Readonly<Record<string, Spread>>;
    readonly triples: Readonly<Record<string, Spread>>;
  }[];
}

export const aimPriorTable = ({ rows }: AimPrior, which: 'pairs' | 'triples'): string[] =>
  rows.map((row) => line([row.epsilon, ...Object.values(row[which]).map(four)]));

/**
 * PMW-Pub's Table 2 (ACS-PA and ACS-GA) beside ours at about equal records x epsilon. The paper does not say n: a census sample of
 * one year holds a hundredth of the people, 12.8 and 10.5 million in 2018. Ours has 50,469 and 49,357.
 */
const besidePaper = [
  { product: '10,000', pennsylvania: '', georgia: '0.0753 (epsilon 0.1)', epsilon: 0.2 },
  { product: '12,500', pennsylvania: '0.0499 (epsilon 0.1)', georgia: '', epsilon: 0.25 },
  { product: '25,000', pennsylvania: '0.0332 (epsilon 0.2)', georgia: '0.0380 (epsilon 0.25)', epsilon: 0.5 },
  { product: '50,000', pennsylvania: '', georgia: '0.0244 (epsilon 0.5)', epsilon: 1 },
] as const;

/** Ranges over the four settings. */
export const paperTable = ({ rows }: Pick<Census, 'rows'>): string[] =>
  besidePaper.map(({ product, pennsylvania, georgia, epsilon }) => {
    const range = (which: 'pmw' | 'exponential'): string => {
      const means = rows.filter((row) => row.epsilon === epsilon).map((row) => row[which].mean);
      return `${Math.min(...means).toFixed(4)} to ${Math.max(...means).toFixed(4)}`;
    };
    return line([product, pennsylvania, georgia, epsilon, range('pmw'), range('exponential')]);
  });

export interface Reduced {
  readonly rows: readonly { readonly mechanism: string; readonly errors: readonly Spread[] }[];
  readonly floors: Readonly<
    Record<string, { readonly asIs: number; readonly mixture: number; readonly bound: number }>
  >;
}

/** The reduced census table: largest errors by mechanism, then what each public table could do. */
export const reducedTable = ({ rows }: Reduced): string[] =>
  rows.map(({ mechanism, errors }) => line([mechanism, ...errors.map(fourError)]));

export const floorsTable = ({ floors }: Reduced): string[] =>
  Object.entries(floors).map(([name, { asIs, mixture, bound }]) =>
    line([name, asIs.toFixed(4), mixture.toFixed(4), Math.max(0, bound).toFixed(4)]),
  );

export interface Strategies {
  readonly rows: readonly {
    readonly size: number;
    readonly norm: string;
    readonly cells: number;
    readonly tree?: number;
    readonly wavelet?: number;
    readonly ours: number;
    readonly best: number;
  }[];
}

/** HDMM's strategies for prefixes, as docs/hdmm.md has them. */
export const strategiesTable = ({ rows }: Strategies): string[] => {
  const whole = (value: number | undefined): string =>
    value === undefined ? '' : Math.round(value).toLocaleString('en-US');
  return rows.map(({ size, norm, cells, tree, wavelet, ours, best }) =>
    line([whole(size), norm.toUpperCase(), ...[cells, tree, wavelet, ours, best].map(whole), (ours / best).toFixed(3)]),
  );
};

export interface HouseholdsFigure {
  readonly rows: readonly {
    readonly table: string;
    readonly protect?: string;
    readonly subject: string;
    readonly epsilon?: number;
    readonly errors: Readonly<Record<`${'households' | 'persons'}${'Largest' | 'Mean'}`, Spread>>;
  }[];
}

/** Figure 1 of the paper on hierarchical data: largest error with its standard error, and mean error, over budgets; what no budget enters has one column. */
export const householdsTable = ({ rows }: HouseholdsFigure, of: 'households' | 'persons'): string[] => {
  const nameOf = ({ table, protect, subject }: HouseholdsFigure['rows'][number]): string =>
    [table, protect ?? '', subject].join(' | ');
  return [...new Set(rows.map(nameOf))].map((name) => {
    const own = rows.filter((row) => nameOf(row) === name);
    const cells = own.map(
      ({ errors }) => `${fourError(errors[`${of}Largest`])} / ${errors[`${of}Mean`].mean.toFixed(4)}`,
    );
    return line([name, ...Array.from({ length: 4 }, (_, i) => cells[i] ?? '')]);
  });
};

export interface GemFlat {
  readonly rows: readonly {
    readonly table: string;
    readonly epsilon: number;
    readonly mechanism: string;
    readonly largest: Spread;
    readonly mean: Spread;
  }[];
}

/** Largest error with its standard error, and mean error x 10^4, by table and mechanism for every epsilon. */
export const gemFlatTable = ({ rows }: GemFlat): string[] => {
  const names = [...new Set(rows.map(({ table, mechanism }) => `${table} | ${mechanism}`))];
  return names.map((name) =>
    line([
      name,
      ...rows
        .filter(({ table, mechanism }) => `${table} | ${mechanism}` === name)
        .map(({ largest, mean }) => `${fourError(largest)} / ${tenThousandths(mean)}`),
    ]),
  );
};

const tenThousandths = ({ mean, deviation, runs }: Spread): string =>
  `${(1e4 * mean).toFixed(2)} ±${((1e4 * deviation) / Math.sqrt(runs)).toFixed(2)}`;

/** Record and replay, by subject: both relations together. */
export const neighboursTable = ({ tallies }: { readonly tallies: readonly NeighbourTally[] }): string[] =>
  [...new Set(tallies.map(({ subject }) => subject))].map((name) => {
    const own = tallies.filter(({ subject }) => subject === name);
    const counted = (belongs: (key: string) => boolean): number =>
      sum(own.flatMap(({ by }) => Object.entries(by).map(([key, pairs]) => (belongs(key) ? pairs : 0))));
    const way = (start: string): string => (counted((key) => key.startsWith(start)) || '').toLocaleString('en-US');
    return line([
      name,
      own.map(({ pairs }) => pairs).join(' + '),
      ...['memory', 'file ', 'release ', 'cli '].map(way),
      counted((key) => key === 'unit id' || key === 'unit household'),
      counted((key) => key.startsWith('disturbed: ') && key !== 'disturbed: none'),
      sum(own.map(({ outputs }) => outputs)).toLocaleString('en-US'),
      sum(own.map(({ differences }) => differences.length)),
    ]);
  });

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

export interface ExactLosses {
  readonly within: readonly {
    readonly from: number;
    readonly plans: number;
    readonly middle: number;
    readonly largest: number;
    readonly above: number;
    readonly inGdp: number;
    readonly inRho: number;
  }[];
}

/** Told epsilons of random plans above those of an independent computation, by the least sigma of a plan. */
export const exactLossTable = ({ within }: ExactLosses): string[] =>
  within.map(({ from, plans, middle, largest, above, inGdp, inRho }, i) => {
    const percent = (value: number, digits: number) => `${(100 * value).toFixed(digits)}%`;
    const to = within[i + 1]?.from;
    return line([
      to === undefined ? `${from} and more` : `${from} to ${to}`,
      plans,
      percent(middle, 4),
      percent(largest, 3),
      above,
      percent(inGdp, 3),
      percent(inRho, 1),
    ]);
  });

export interface SupportRows {
  readonly rows: readonly {
    readonly table: string;
    readonly rows: number;
    readonly errors: Readonly<
      Record<
        string,
        { readonly ones: number; readonly pairs: number; readonly triples: number; readonly seconds: number }
      >
    >;
  }[];
}

/** Deviations of drawn rows from the weights that they are drawn by: single attributes, pairs, triples, by each way to draw. */
export const supportRowsTable = ({ rows }: SupportRows): string[] =>
  rows.map(({ table, rows: drawn, errors }) =>
    line([
      table,
      drawn,
      ...['independent', 'systematic', 'balanced'].map((way) => {
        const { ones, pairs, triples } = errors[way];
        return [ones, pairs, triples].map((value) => value.toFixed(4)).join(', ');
      }),
    ]),
  );

export interface Rivals {
  readonly cells: readonly {
    readonly setting: string;
    readonly epsilon: number;
    readonly contender: string;
    readonly runs: number;
    readonly chosen?: readonly string[];
    readonly errors?: Readonly<Record<'pairs' | 'triples', Readonly<Record<'mean' | 'worst', Spread>>>>;
    /** Why there is nothing, or less than was asked. */
    readonly left?: string;
  }[];
}

/** Mean and worst errors of pairs and of triples of all contenders that could run, and which of them did not end. */
export const rivalsTable = ({ cells }: Rivals): string[] =>
  cells.flatMap(({ setting, epsilon, contender, chosen, errors, left }) =>
    errors === undefined
      ? left?.startsWith('not within')
        ? [line([setting, epsilon, contender, left, '', '', ''])]
        : []
      : [
          line([
            setting,
            epsilon,
            chosen === undefined ? contender : `${contender} (${chosen.join(', ')})`,
            ...(['pairs', 'triples'] as const).flatMap((measure) => [
              four(errors[measure].mean),
              errors[measure].worst.mean.toFixed(4),
            ]),
          ]),
        ],
  );
