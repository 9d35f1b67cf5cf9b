import { InputError } from '../src/domain/input-error.js';
import { listed } from '../src/domain/listed.js';
import { supportOf } from '../src/model/support/support.js';
import type { Mechanism } from '../src/release/mechanism.js';
import { mechanismNamed } from '../src/release/registry.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { type Errors, judge } from './reweighting/errors.js';
import { type MadeName, madeNames, madeSettings } from './reweighting/made-settings.js';
import { alone, delta, fixed, runWide, sessionsOn } from './reweighting/run-wide.js';
import { loadSetting, type Setting, type SettingName, settingNames } from './reweighting/settings.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

/*
 * Whether what validated reweighting measures by itself is ever far behind the best fixed choice, or a choice round by round (AIM from the public
 * table): on three made-up tables of other shapes, and at the ends of the budgets in the settings of `reweight`, which has those in between.
 */
const ends = [0.01, 10];
const epsilons = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const ways = ['release', ...fixed, 'adaptive'] as const;
type Way = (typeof ways)[number];
type Name = SettingName | MadeName;

interface Kind {
  readonly setting: Name;
  readonly epsilon: number;
  readonly way: Way;
}
interface Job extends Kind {
  readonly data: string;
  readonly seed: number;
}

const isMade = (name: Name): name is MadeName => (madeNames as readonly string[]).includes(name);

export const runJob = async ({ data, setting, epsilon, way, seed }: Job): Promise<Errors> => {
  const tables: Pick<Setting, 'publicTable' | 'privateTable' | 'triples'> = isMade(setting)
    ? madeSettings[setting]()
    : await loadSetting(setting, data);
  if (way !== 'adaptive') return runWide(tables, { epsilon, seed, measure: way === 'release' ? undefined : way });
  const sessions = await sessionsOn(tables.privateTable, epsilon, seed);
  const aim = mechanismNamed('aim') as Mechanism;
  const { model } = await aim.release(await sessions.open(1), supportOf(tables.publicTable), alone(seed), aim.defaults);
  sessions.close();
  return judge(tables.privateTable, tables.triples)(model);
};

interface Row {
  readonly setting: Name;
  readonly epsilon: number;
  readonly mean: Readonly<Record<Way, Spread>>;
}

/** How far the release is from the best of the others. */
export const overBest = ({ mean }: Pick<Row, 'mean'>): number =>
  mean.release.mean / Math.min(...ways.filter((way) => way !== 'release').map((way) => mean[way].mean));

const keyOf = ({ setting, epsilon }: Pick<Row, 'setting' | 'epsilon'>): string => JSON.stringify([setting, epsilon]);

/** Words of `--only`, separated by semicolons: settings and `epsilon 1`. An interrupted run goes on where it stopped; `--keep --add` keeps parts together. */
const experiment: Experiment = async ({ data, seeds, quick = false, only, say }) => {
  const words = only?.split(';').map((word) => word.trim()) ?? [];
  const all: readonly Name[] = [...madeNames, ...settingNames];
  const known = [...all, ...epsilons.map((epsilon) => `epsilon ${epsilon}`)];
  const stranger = words.find((word) => !(known as string[]).includes(word));
  if (stranger !== undefined)
    throw new InputError(`only: must be settings and epsilons of ${listed(known)}, got ${JSON.stringify(stranger)}`);
  const asked = all.filter((name) => words.includes(name));
  const settings = quick ? madeNames.slice(0, 1) : asked.length === 0 ? all : asked;
  const budgets = epsilons.filter((epsilon) => words.includes(`epsilon ${epsilon}`));
  const wanted = quick ? [1] : budgets.length === 0 ? epsilons : budgets;
  const folder = settings.some((name) => !isMade(name)) ? dataFolder(data) : '';
  const runs = seeds ?? (quick ? 1 : 3);
  const cells = settings.flatMap((setting) =>
    wanted.filter((epsilon) => isMade(setting) || ends.includes(epsilon)).map((epsilon) => ({ setting, epsilon })),
  );
  const kinds = cells.flatMap((cell) => ways.map((way): Kind => ({ ...cell, way })));
  const jobs = kinds.flatMap((kind) =>
    Array.from({ length: runs }, (_, seed): Job => ({ data: folder, ...kind, seed: seed + 1 })),
  );
  const outcomes = await inWorkersResuming<Job, Errors>(
    'designed',
    import.meta.url,
    jobs,
    say,
    ({ setting, epsilon, way, seed }, { mean }) =>
      `${setting}, epsilon ${epsilon}, seed ${seed}: ${way} ${mean.toFixed(4)}`,
  );
  const spreads = kinds.map((_, i) => spreadOf(outcomes.slice(i * runs, (i + 1) * runs).map(({ mean }) => mean)));
  const rows = cells.map(
    (cell, i): Row => ({
      ...cell,
      mean: Object.fromEntries(ways.map((way, w) => [way, spreads[i * ways.length + w]])) as Record<Way, Spread>,
    }),
  );
  const within = (list: readonly Row[]) => ({
    within: list.filter((row) => overBest(row) <= 1.03).length,
    of: list.length,
  });
  return {
    figures: { delta, rows, ...within(rows) },
    text: [
      ['setting', 'epsilon', ...ways, 'over the best'].join('\t'),
      ...rows.map((row) =>
        [row.setting, row.epsilon, ...ways.map((way) => showSpread(row.mean[way])), overBest(row).toFixed(2)].join(
          '\t',
        ),
      ),
    ].join('\n'),
    added: (before) => {
      const own = new Set(rows.map(keyOf));
      const placeOf = ({ setting, epsilon }: Row): number =>
        all.indexOf(setting) * epsilons.length + epsilons.indexOf(epsilon);
      const together = [...((before.rows ?? []) as Row[]).filter((row) => !own.has(keyOf(row))), ...rows].sort(
        (a, b) => placeOf(a) - placeOf(b),
      );
      return { delta, rows: together, ...within(together) };
    },
  };
};

export default experiment;
