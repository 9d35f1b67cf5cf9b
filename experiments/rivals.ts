import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../src/domain/input-error.js';
import { listed } from '../src/domain/listed.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { type ContenderName, contenderNames, contenders, delta, type RivalOutcome } from './rivals/contenders.js';
import { judged } from './rivals/judge.js';
import { type RivalSettingName, rivalSettingNames, rivalSettings } from './rivals/tables.js';
import { combined, type Spread, spreadOf } from './spread.js';

/*
 * What somebody gets who says nothing (`auto`) beside every mechanism of ours that might do better, and beside dpmm's AIM and MST and mbi's AIM, MST and JAM
 * where they end within 20 minutes: mean and worst total variation distance of pairs and of triples.
 */
const epsilons = [0.1, 0.3, 1, 3, 10];
/** Seconds that a release may take unless told. */
const defaultLimit = 1200;
/** How far behind the best a cell of `auto` may be to count as won. */
const within = 1.05;

interface Kind {
  readonly setting: RivalSettingName;
  readonly epsilon: number;
  readonly contender: ContenderName;
}

interface Job extends Kind {
  readonly data: string;
  readonly seed: number;
  /** Seconds that the release may take. */
  readonly limit: number;
}

export const runJob = async ({ data, setting, contender, epsilon, seed, limit }: Job): Promise<RivalOutcome> => {
  const tables = await rivalSettings[setting].load(data, seed);
  return contenders[contender]({ ...tables, judged: judged(tables.privateTable), epsilon, seed, limit });
};

const measures = ['pairs', 'triples'] as const;
const whichs = ['mean', 'worst'] as const;

interface Cell extends Kind {
  /** Seeds that it is made of: the first ones, from 1 on, but for those that came to nothing. */
  readonly runs: number;
  readonly errors?: Record<(typeof measures)[number], Record<(typeof whichs)[number], Spread>>;
  readonly seconds?: number;
  /** What `auto` chose, and why there is nothing. */
  readonly chosen?: readonly string[];
  readonly left?: string;
}

const cellOf = (job: Kind, outcomes: readonly RivalOutcome[]): Cell => {
  const there = outcomes.flatMap((outcome) => ('errors' in outcome ? [outcome] : []));
  const [gone] = outcomes.flatMap((outcome) => ('left' in outcome ? [outcome.left] : []));
  const { setting, epsilon, contender } = job;
  const base = { setting, epsilon, contender, runs: there.length, ...(gone === undefined ? {} : { left: gone }) };
  if (there.length === 0) return base;
  const spreadFor = (measure: (typeof measures)[number]) => ({
    mean: spreadOf(there.map(({ errors }) => errors[measure].mean)),
    worst: spreadOf(there.map(({ errors }) => errors[measure].worst)),
  });
  const chosen = [...new Set(there.flatMap((outcome) => outcome.chosen ?? []))];
  return {
    ...base,
    errors: { pairs: spreadFor('pairs'), triples: spreadFor('triples') },
    seconds: there.reduce((sum, { seconds }) => sum + seconds, 0) / there.length,
    ...(chosen.length === 0 ? {} : { chosen }),
  };
};

/** What `auto` chose makes the same releases under its own name, with the same seeds: they are not made twice, unless that was asked for. */
const chosenCell = ({ chosen, ...cell }: Cell, names: readonly ContenderName[]): Cell[] => {
  const [name, ...others] = contenderNames.filter((contender) => chosen?.includes(contender));
  return cell.contender !== 'auto' || name === undefined || others.length > 0 || names.includes(name)
    ? []
    : [{ ...cell, contender: name }];
};

/** Of all mean errors in which `auto` takes part, how many are within 5% of the best of all. */
const wonBy = (
  cells: readonly Cell[],
): { readonly won: number; readonly of: number; readonly lost: readonly string[] } => {
  let [won, of] = [0, 0];
  const lost: string[] = [];
  for (const auto of cells.filter(({ contender, errors }) => contender === 'auto' && errors !== undefined))
    for (const measure of measures) {
      const rivals = cells.filter(
        (cell) => cell.setting === auto.setting && cell.epsilon === auto.epsilon && cell.errors,
      );
      const best = rivals.reduce((a, b) => (b.errors![measure].mean.mean < a.errors![measure].mean.mean ? b : a));
      const ratio = auto.errors![measure].mean.mean / best.errors![measure].mean.mean;
      of++;
      if (ratio <= within) won++;
      else
        lost.push(
          `${auto.setting}, epsilon ${auto.epsilon}, ${measure}: ${ratio.toFixed(2)} times ${best.contender}${auto.chosen ? ` (auto took ${auto.chosen.join(', ')})` : ''}`,
        );
    }
  return { won, of, lost };
};

/** What `--only` asks for. */
interface Wanted {
  readonly settings: readonly RivalSettingName[];
  readonly names: readonly ContenderName[];
  readonly epsilons: readonly number[];
  readonly limit: number;
  /** Whether kept cells only get the seeds that they lack. */
  readonly isFurther: boolean;
}

/** Words of `--only`, separated by semicolons: settings (`made` is all made-up ones), contenders, `epsilon 1`, `within 300` for seconds that a release may take, and `further` for the seeds alone that a kept cell lacks, and nothing that did not end in time before. */
const wantedOf = (only: string | undefined): Wanted => {
  const words = only?.split(';').map((word) => word.trim()) ?? [];
  const numbersAfter = (head: string): number[] =>
    words.filter((word) => word.startsWith(`${head} `)).map((word) => Number(word.slice(head.length)));
  const [asked, [limit = defaultLimit]] = [numbersAfter('epsilon'), numbersAfter('within')];
  const known: readonly string[] = [
    'made',
    ...rivalSettingNames,
    ...contenderNames,
    ...epsilons.map((epsilon) => `epsilon ${epsilon}`),
    'further',
  ];
  const stranger = words.find((word) => !known.includes(word) && !(word.startsWith('within ') && limit > 0));
  if (stranger !== undefined)
    throw new InputError(
      `only: must be settings, contenders, epsilons and "within SECONDS", separated by semicolons, of ${listed(known)}, got ${stranger}`,
    );
  const among = <Name extends string>(names: readonly Name[]): readonly Name[] => {
    const some = names.filter((name) => words.includes(name) || (words.includes('made') && name.startsWith('made')));
    return some.length === 0 ? names : some;
  };
  return {
    settings: among(rivalSettingNames),
    names: among(contenderNames),
    epsilons: asked.length === 0 ? epsilons : asked,
    limit,
    isFurther: words.includes('further'),
  };
};

const beyondLimit = (left: string | undefined): boolean => left?.startsWith('not within ') ?? false;

/** Why a release is not tried again: one of the same contender did not end in time with this budget, or with a smaller one, which leaves it no more to do. */
const whyNotTried = (kept: readonly Cell[], { setting, epsilon, contender }: Kind): string | undefined => {
  const beyond = kept.filter(
    (cell) => cell.setting === setting && cell.contender === contender && cell.runs === 0 && beyondLimit(cell.left),
  );
  const same = beyond.find((cell) => cell.epsilon === epsilon);
  if (same !== undefined) return same.left;
  const [smaller] = beyond.filter((cell) => cell.epsilon < epsilon).sort((a, b) => a.epsilon - b.epsilon);
  return smaller && `not tried: ${smaller.left} at epsilon ${smaller.epsilon}`;
};

/** Where the figures that the documents quote are kept. */
const keptFile = 'experiments/results/rivals.json';

const keptCells = (): readonly Cell[] =>
  existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as { cells: Cell[] }).cells : [];

const keyOf = ({ setting, epsilon, contender }: Kind): string => JSON.stringify([setting, epsilon, contender]);

/** Cells that are kept of earlier runs, besides those of this one. */
const besides = (kept: readonly Cell[], cells: readonly Cell[]): Cell[] => {
  const own = new Set(cells.map(keyOf));
  return kept.filter((cell) => !own.has(keyOf(cell)));
};

/** A cell of all seeds of both, of the same code. */
const together = (a: Cell, b: Cell): Cell => {
  if (a.errors === undefined) return b.errors === undefined ? a : b;
  if (b.errors === undefined) return { ...a, ...(b.left === undefined ? {} : { left: b.left }) };
  const [first, second] = [a.errors, b.errors];
  const spreadFor = (measure: (typeof measures)[number]) => ({
    mean: combined(first[measure].mean, second[measure].mean),
    worst: combined(first[measure].worst, second[measure].worst),
  });
  const chosen = [...new Set([...(a.chosen ?? []), ...(b.chosen ?? [])])];
  return {
    ...a,
    ...b,
    runs: a.runs + b.runs,
    errors: { pairs: spreadFor('pairs'), triples: spreadFor('triples') },
    seconds: (a.runs * a.seconds! + b.runs * b.seconds!) / (a.runs + b.runs),
    ...(chosen.length === 0 ? {} : { chosen }),
  };
};

/** Cells in the order of the full grid. */
const inOrder = (cells: readonly Cell[]): Cell[] => {
  const placeOf = ({ setting, epsilon, contender }: Cell): number =>
    (rivalSettingNames.indexOf(setting) * epsilons.length + epsilons.indexOf(epsilon)) * contenderNames.length +
    contenderNames.indexOf(contender);
  return [...cells].sort((a, b) => placeOf(a) - placeOf(b));
};

/** The full grid takes days: with `--only` a part of it is run, beside which the kept figures of the rest stand. An interrupted run goes on where it stopped. */
const experiment: Experiment = async ({ data, seeds, quick = false, only, say }) => {
  const asked = wantedOf(only);
  const settings = asked.settings.filter((name) => !quick || name === 'made, 16 binary' || only !== undefined);
  const names = asked.names.filter((name) => !quick || !/^(dpmm|mbi)/.test(name) || only?.includes(name));
  const folder = settings.some((name) => rivalSettings[name].isReal) ? dataFolder(data) : '';
  const runs = seeds ?? (quick ? 1 : 3);
  const kinds = settings.flatMap((setting) =>
    (quick ? [1] : asked.epsilons).flatMap((epsilon) => names.map((contender) => ({ setting, epsilon, contender }))),
  );
  const kept = keptCells();
  const before = new Map(asked.isFurther ? kept.map((cell) => [keyOf(cell), cell]) : []);
  const reasons = kinds.map((kind) => (asked.isFurther ? whyNotTried(kept, kind) : undefined));
  const jobsOf = (kind: Kind, i: number): Job[] => {
    if (reasons[i] !== undefined) return [];
    const first = (before.get(keyOf(kind))?.runs ?? 0) + 1;
    return Array.from({ length: Math.max(0, runs + 1 - first) }, (_, i) => ({
      data: folder,
      ...kind,
      seed: first + i,
      limit: asked.limit,
    }));
  };
  const jobs = kinds.map(jobsOf);
  const outcomes = await inWorkersResuming<Job, RivalOutcome>(
    'rivals',
    import.meta.url,
    jobs.flat(),
    say,
    (job, outcome) => {
      const told =
        'left' in outcome
          ? outcome.left
          : `${outcome.chosen ?? ''} pairs ${outcome.errors.pairs.mean.toFixed(4)}, triples ${outcome.errors.triples.mean.toFixed(4)}, ${outcome.seconds.toFixed(1)} s`;
      return `${job.setting}, epsilon ${job.epsilon}, ${job.contender}, seed ${job.seed}: ${told}`;
    },
  );
  const queue = [...outcomes];
  const ran = kinds.map((kind, i): Cell => {
    const [left, outcomesOfKind] = [reasons[i], queue.splice(0, jobs[i].length)];
    if (left !== undefined) return { ...kind, runs: 0, left };
    const cell = cellOf(kind, outcomesOfKind);
    const earlier = before.get(keyOf(kind));
    return earlier === undefined ? cell : together(earlier, cell);
  });
  const own = [...ran, ...ran.flatMap((cell) => chosenCell(cell, names))];
  const cells = only === undefined || quick ? own : inOrder([...own, ...besides(kept, own)]);
  const won = wonBy(cells);
  const line = ({ setting, epsilon, contender, errors, seconds, left, chosen }: Cell): string =>
    [
      setting.padEnd(26),
      `${epsilon}`.padEnd(6),
      `${contender}${chosen === undefined ? '' : ` (${chosen.join(', ')})`}`.padEnd(22),
      errors === undefined
        ? `- ${left}`
        : measures
            .flatMap((measure) => whichs.map((which) => errors[measure][which].mean.toFixed(4).padEnd(10)))
            .concat(`${seconds!.toFixed(1)} s`)
            .join(''),
    ].join('');
  return {
    figures: { delta, cells, won },
    text: [
      `Total variation distance of pairs (mean, worst) and triples (mean, worst); delta ${delta}, add-remove`,
      ...cells.map(line),
      ...(won.of === 0
        ? []
        : [
            `auto is within ${Math.round(100 * (within - 1))}% of the best in ${won.won} of ${won.of} mean errors`,
            ...won.lost,
          ]),
    ].join('\n'),
  };
};

export default experiment;
