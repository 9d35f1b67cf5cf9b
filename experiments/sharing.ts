import { InputError } from '../src/domain/input-error.js';
import { listed } from '../src/domain/listed.js';
import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import type { Sharing } from '../src/estimate/sharing/sharing.js';
import type { Mechanism } from '../src/release/mechanism.js';
import { mechanismNamed } from '../src/release/registry.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { alone, delta, sessionsOn } from './reweighting/run-wide.js';
import { judged, type RivalErrors, sharesOf } from './rivals/judge.js';
import { type RivalSettingName, rivalSettings } from './rivals/tables.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

/*
 * What it gives to share the steps of a validated fit among neighbouring cells: the same measurements, those of AIM, fitted without sharing and with it. Codes of real tables
 * are all declared as integers here, categories too; the made-up networks are integers whose neighbours have nothing to do with each other.
 */
const epsilons = [0.1, 0.3, 1, 3];
const settings = [
  'titanic',
  'adult',
  'loans',
  'made, one of 500',
  'made, ten mixed',
] as const satisfies readonly RivalSettingName[];
type SettingName = (typeof settings)[number];
const ways = ['alone', 'shared'] as const;
const measures = ['pairs', 'triples'] as const;

interface Cell {
  readonly setting: SettingName;
  readonly epsilon: number;
}
interface Job extends Cell {
  readonly data: string;
  readonly seed: number;
}
/** Errors by both ways, and how many attributes shared. */
interface Outcome extends Record<(typeof ways)[number], RivalErrors> {
  readonly attributes: number;
}

export const runJob = async ({ data, setting, epsilon, seed }: Job): Promise<Outcome> => {
  const { privateTable } = await rivalSettings[setting].load(data, seed);
  const { errors } = judged(privateTable);
  const sessions = await sessionsOn(privateTable, epsilon, seed);
  const aim = mechanismNamed('aim') as Mechanism;
  const { measurements } = await aim.release(await sessions.open(1), undefined, alone(seed), aim.defaults);
  sessions.close();
  const fitted = async (sharing?: Sharing) => {
    const { model, sharing: found } = await estimateGraphical(privateTable.domain, measurements, {
      ...alone(seed),
      sharing,
    });
    return { errors: errors(sharesOf(model)), attributes: found?.size ?? 0 };
  };
  const [plain, shared] = [await fitted(new Map()), await fitted()];
  return { alone: plain.errors, shared: shared.errors, attributes: shared.attributes };
};

type Means = Record<(typeof ways)[number], Record<(typeof measures)[number], Spread>>;

const keyOf = ({ setting, epsilon }: Cell): string => JSON.stringify([setting, epsilon]);

/** Words of `--only`, separated by semicolons, take settings. An interrupted run goes on where it stopped; `--keep --add` keeps parts together. */
const experiment: Experiment = async ({ data, seeds, quick = false, only, say }) => {
  const words = only?.split(';').map((word) => word.trim()) ?? [];
  const stranger = words.find((word) => !(settings as readonly string[]).includes(word));
  if (stranger !== undefined)
    throw new InputError(`only: must be of ${listed(settings)}, got ${JSON.stringify(stranger)}`);
  const asked = settings.filter((name) =>
    quick ? name === 'made, ten mixed' : only === undefined || words.includes(name),
  );
  const folder = asked.some((name) => rivalSettings[name].isReal) ? dataFolder(data) : '';
  const runs = seeds ?? (quick ? 1 : 3);
  const cells: Cell[] = asked.flatMap((setting) => (quick ? [1] : epsilons).map((epsilon) => ({ setting, epsilon })));
  const jobs = cells.flatMap((cell) =>
    Array.from({ length: runs }, (_, seed): Job => ({ data: folder, ...cell, seed: seed + 1 })),
  );
  const outcomes = await inWorkersResuming<Job, Outcome>(
    'sharing',
    import.meta.url,
    jobs,
    say,
    ({ setting, epsilon, seed }, { alone, shared }) =>
      `${setting}, epsilon ${epsilon}, seed ${seed}: pairs ${alone.pairs.mean.toFixed(4)} to ${shared.pairs.mean.toFixed(4)}`,
  );
  const rows = cells.map((cell, i) => {
    const own = outcomes.slice(i * runs, (i + 1) * runs);
    const mean = Object.fromEntries(
      ways.map((way) => [
        way,
        Object.fromEntries(measures.map((measure) => [measure, spreadOf(own.map((one) => one[way][measure].mean))])),
      ]),
    ) as Means;
    return { ...cell, mean, attributes: spreadOf(own.map(({ attributes }) => attributes)) };
  });
  return {
    figures: { delta, rows },
    text: [
      [
        'setting',
        'epsilon',
        'shared by',
        ...measures.flatMap((measure) => ways.map((way) => `${measure}, ${way}`)),
      ].join('\t'),
      ...rows.map(({ setting, epsilon, mean, attributes }) =>
        [
          setting,
          epsilon,
          attributes.mean.toFixed(1),
          ...measures.flatMap((measure) => ways.map((way) => showSpread(mean[way][measure]))),
        ].join('\t'),
      ),
    ].join('\n'),
    added: (before) => {
      const own = new Set(rows.map(keyOf));
      const placeOf = ({ setting, epsilon }: Cell): number =>
        settings.indexOf(setting) * epsilons.length + epsilons.indexOf(epsilon);
      const others = ((before.rows ?? []) as typeof rows).filter((row) => !own.has(keyOf(row)));
      return { delta, rows: [...others, ...rows].sort((a, b) => placeOf(a) - placeOf(b)) };
    },
  };
};

export default experiment;
