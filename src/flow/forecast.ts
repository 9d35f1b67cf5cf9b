import { rowBytes } from '../domain/table.js';
import type { Rates, WorkKind } from '../kernel/calibrate.js';
import { fitBytes, fittedAtOnce } from '../release/fitted-at-once.js';
import { assumedRows, type Plan, type PublicFacts } from '../release/plan.js';
import { type StageWork, times } from '../release/work.js';

/** How long a run would take and how much memory, told before it begins. */
export interface Forecast {
  /** Seconds by the clock on a machine that does nothing else: what is expected, ... */
  readonly seconds: number;
  /** ... and between which it should lie, where how far a fit goes, or how many rounds there are, follows from answers that nobody has yet. */
  readonly range: readonly [number, number];
  /** Processor seconds, of all threads. */
  readonly processor: number;
  /** Bytes of memory of the whole process at its peak. */
  readonly memory: number;
  readonly threads: number;
  /** Private records, or households, that it reckons with where nobody said how many there are; absent where somebody did. */
  readonly assumed?: number | undefined;
  /** Seconds of each stage, in the order of the run. */
  readonly stages: readonly { readonly stage: string; readonly seconds: number }[];
}

/** What is forecast. */
export interface ForecastRequest {
  readonly facts: PublicFacts;
  readonly plan: Plan;
  readonly replicates: number;
  /** Synthetic rows; as many as private ones by default. */
  readonly rows?: number | undefined;
  readonly drawsRows: boolean;
  readonly threads: number;
  /** Whether replicates are fitted one after the other, whatever threads there are, as where a memory is to be kept within. */
  readonly oneByOne?: boolean | undefined;
  /** Seconds that a record takes to reach the disk on which acts are recorded; 0 by default. */
  readonly syncSeconds?: number | undefined;
}

/** Records that must have reached the disk: of each act, in ledger and journal, and of a release beside its acts. */
const recordsOf = ({ steps }: Plan): number => {
  const rounds = steps.reduce((sum, { times }) => sum + (times > 1 ? times : 0), 0);
  // What is measured once is measured together.
  return 16 + 4 * (rounds + (steps.some(({ times }) => times === 1) ? 1 : 0));
};

/** What threads gain: memory is shared, and some of a stage is not. Of two cores of a shared machine the second was worth 0 to 0.6 of the first. */
const speedup = (threads: number): number => 1 + 0.4 * (threads - 1);

/** What pieces gain that are done at a time, each by one thread: of two, one takes a ninth longer than alone. */
const gainAtOnce = (pieces: number): number => 1 + 0.8 * (pieces - 1);

/** Part of the processor time of plain script that passes by the clock: compilers and collectors of garbage work beside it, in threads of their own. */
const scriptByClock = 0.7;

/** A process that has loaded the program, the database and the kernels, in bytes; the report's drawing program, and what it draws of each attribute. */
const baseBytes = 165e6;
const [reportBytes, plotBytes] = [25e6, 8e5];

/**
 * Script of what every run does: to load the program, to open the database, and a table in it; for a value read, drawn and written; for the report, a
 * plot of it, a pair in it.
 */
const script = {
  ...{ start: 2e7, database: 1.2e7, table: 9e6 },
  ...{ read: 5, write: 4.5, save: 8e6 },
  ...{ page: 1.7e7, plot: 8e5, pair: 200 },
};
/** Rows that a report looks at for each pair, as it does itself: about so many visits in all. */
const pairVisits = 4e7;

/** The stages of a whole run: reading, what the mechanism does, replicates, writing, the report. */
const stagesOf = (
  { facts, plan, replicates, rows, drawsRows }: ForecastRequest,
  atOnce: number,
): readonly StageWork[] => {
  const { domain, publicRows = 0 } = facts;
  const { length } = domain.attributes;
  const persons = facts.publicHouseholds === undefined ? 1 : facts.publicHouseholds.length / Math.max(1, publicRows);
  const records = persons * assumedRows(facts);
  const drawn = drawsRows ? persons * (rows ?? assumedRows(facts)) : 0;
  const pairs = (length * (length - 1)) / 2;
  const seen = Math.min(drawn, Math.max(20_000, pairVisits / Math.max(1, pairs)));
  return [
    { stage: 'start', amounts: { steps: script.start } },
    {
      stage: 'encode',
      amounts: { steps: publicRows === 0 ? 0 : script.table + script.read * persons * publicRows * length },
    },
    { stage: 'load', amounts: { steps: script.database + script.table + script.read * records * length } },
    ...plan.work,
    ...(plan.replicate?.work ?? []).map((stage) => ({
      ...times(replicates, stage),
      stage: 'bootstrap',
      ...(atOnce > 1 ? { shared: false, atOnce } : {}),
    })),
    { stage: 'write', amounts: { steps: script.save + script.write * drawn * length } },
    {
      stage: 'report',
      amounts: {
        steps: script.page + script.plot * length + pairs * script.pair,
        visits: 2 * pairs * Math.min(seen, 200_000),
      },
    },
  ];
};

/** What a plan comes to on a machine of these rates. */
export const forecastOf = (request: ForecastRequest, rates: Rates): Forecast => {
  const { facts, plan, threads, replicates } = request;
  const processorOf = ({ amounts }: StageWork): number =>
    Object.entries(amounts).reduce((sum, [kind, amount]) => sum + amount * rates[kind as WorkKind], 0) * 1e-9;
  const treeBytes = plan.replicate?.treeBytes ?? 0;
  const atOnce = replicates > 0 && !request.oneByOne ? fittedAtOnce(treeBytes, threads) : 1;
  const stages = stagesOf(request, atOnce).map((stage) => {
    const processor = processorOf(stage);
    const aside = (1 - scriptByClock) * (stage.amounts.steps ?? 0) * rates.steps * 1e-9;
    const own = processor - aside;
    const gain = stage.shared ? speedup(threads) : gainAtOnce(stage.atOnce ?? 1);
    return { stage: stage.stage, processor, seconds: own / gain };
  });
  const recording = { stage: 'record', seconds: recordsOf(plan) * (request.syncSeconds ?? 0) };
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, recording.seconds);
  const processor = stages.reduce((sum, stage) => sum + stage.processor, 0);
  const fitted = stages.filter(({ stage }) => plan.work.some((own) => own.stage === stage) || stage === 'bootstrap');
  const uncertain = fitted.reduce((sum, stage) => sum + stage.seconds, 0);
  const [low, high] = plan.range ?? [1, 1];
  const persons =
    facts.publicHouseholds === undefined ? 1 : facts.publicHouseholds.length / Math.max(1, facts.publicRows ?? 1);
  const bytes = rowBytes(facts.domain);
  const tables = persons * (assumedRows(facts) * 2 + (facts.publicRows ?? 0) * 3) * bytes;
  return {
    seconds,
    range: [seconds - uncertain * (1 - low), seconds + uncertain * (high - 1)],
    processor,
    memory:
      baseBytes +
      reportBytes +
      plotBytes * facts.domain.attributes.length +
      tables +
      plan.memory +
      (plan.replicate?.bytes ?? 0) * replicates +
      (atOnce > 1 ? fitBytes * treeBytes * atOnce : 0),
    threads,
    ...(facts.expectedRows === undefined ? { assumed: assumedRows(facts) } : {}),
    stages: [...stages.map(({ stage, seconds: own }) => ({ stage, seconds: own })), recording],
  };
};
