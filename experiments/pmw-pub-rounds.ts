import { domainOf } from '../src/domain/domain-of.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { compareTables } from '../src/flow/compare-tables.js';
import { supportOf } from '../src/model/support/support.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { planningDoor } from '../src/privacy/session/planning-door.js';
import { mostPairCells, pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../src/random/seeded.js';
import { uniform, uniformInteger } from '../src/random/uniform.js';
import { rehearseRounds } from '../src/release/pmw-pub/rehearse-rounds.js';
import { mechanismNamed } from '../src/release/registry.js';
import { roundsKnown } from '../src/release/rounds/plan-rounds.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { loadSetting, type SettingName } from './reweighting/settings.js';

/*
 * PMW-Pub's number of rounds: by the formula, and by rehearsals on the public table (the default), on private tables that are a later year
 * or another state, and on made-up ones (alone with --quick). Largest error of a cell over all pairs of attributes.
 */
interface Tables {
  readonly publicTable: Table;
  readonly privateTable: Table;
}

/** Seven attributes, each of which depends on the one before; `tilt` of their values are 0 whatever that was. */
const madeUp = (rows: number, seed: number, tilt: number): Table => {
  const random = seeded(seed);
  const domain = domainOf(
    [3, 4, 2, 3, 5, 2, 6].map((size, i) => ({ name: `a${i}`, type: 'integer', min: 0, max: size - 1 })),
  );
  const columns = domain.attributes.map(({ size }) => codeColumn(size, rows));
  for (let row = 0; row < rows; row++)
    domain.attributes.forEach(({ size }, a) => {
      const before = a === 0 ? 0 : columns[a - 1][row];
      columns[a][row] = uniform(random) < tilt ? 0 : (before + uniformInteger(random, Math.max(2, size - 1))) % size;
    });
  return { domain, length: rows, columns };
};

const apart =
  (publicRows: number, privateRows: number, shift: number): (() => Promise<Tables>) =>
  async () => ({
    publicTable: madeUp(publicRows, 1, 0.2),
    privateTable: madeUp(privateRows, 2, 0.2 + shift),
  });

const settingsIn = (data: string | undefined): Readonly<Record<string, () => Promise<Tables>>> => {
  const real = (name: SettingName) => () => loadSetting(name, dataFolder(data));
  return {
    'made up, 3% apart': apart(1000, 3000, 0.03),
    'made up, 10% apart': apart(3000, 20_000, 0.1),
    'made up, 25% apart': apart(2000, 5000, 0.25),
    massachusetts: real('massachusetts'),
    'across time': real('across time'),
    'across states': real('across states'),
  };
};
const epsilons = [0.1, 0.3, 1, 3];

const experiment: Experiment = async ({ data, seeds = 5, quick = false, say }) => {
  const rows: Record<string, unknown>[] = [];
  const lines: string[] = [];
  const logs: number[] = [];
  const mechanism = mechanismNamed('pmw-pub');
  for (const [setting, load] of Object.entries(settingsIn(data)).slice(0, quick ? 3 : undefined)) {
    const { publicTable, privateTable } = await load();
    const workload = pairsOrOneWays(publicTable.domain, mostPairCells);
    for (const epsilon of epsilons) {
      const budget = { epsilon, delta: 1e-9 };
      const door = planningDoor({ domain: publicTable.domain, budget: budgetOf(budget) });
      const facts = { ...door, expectedRows: privateTable.length };
      const known = roundsKnown(facts, workload, supportOf(publicTable).length);
      const started = performance.now();
      const rehearsed = await rehearseRounds(publicTable, workload, known, { threads: 1 });
      const seconds = (performance.now() - started) / 1000;
      const errorOf = async (rounds: number): Promise<number> => {
        const { contestants } = await compareTables({
          standIn: privateTable,
          publicTable,
          mechanisms: [mechanism],
          settings: () => ({ rounds }),
          budgets: [budget],
          runs: seeds,
          threads: { threads: 1 },
        });
        return contestants[0].largest.mean;
      };
      const errors = new Map<number, number>();
      for (const rounds of new Set([known.formula, rehearsed])) errors.set(rounds, await errorOf(rounds));
      const [formula, found] = [errors.get(known.formula)!, errors.get(rehearsed)!];
      rows.push({ setting, epsilon, formula: known.formula, rehearsed, errors: [...errors], seconds });
      const line = `| ${setting} | ${epsilon} | ${known.formula} | ${formula.toFixed(4)} | ${rehearsed} | ${found.toFixed(4)} | ${(found / formula).toFixed(2)} | ${seconds.toFixed(1)} |`;
      logs.push(Math.log(found / formula));
      say(line);
      lines.push(line);
    }
  }
  const head =
    '| setting | epsilon | T by formula | error | T rehearsed | error | ratio | seconds to rehearse |\n|---|---|---|---|---|---|---|---|\n';
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  return {
    figures: { rows, mean },
    text: `${head}${lines.join('\n')}\nGeometric mean of the ratios: ${mean.toFixed(3)}\n`,
  };
};

export default experiment;
