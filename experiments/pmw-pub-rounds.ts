import { compareTables } from '../src/flow/compare-tables.js';
import { supportOf } from '../src/model/support/support.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { planningDoor } from '../src/privacy/session/planning-door.js';
import { mostPairCells, pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { rehearseRounds } from '../src/release/pmw-pub/rehearse-rounds.js';
import { mechanismNamed } from '../src/release/registry.js';
import { roundsKnown } from '../src/release/rounds/plan-rounds.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { loadSetting, type SettingName } from './reweighting/settings.js';

/*
 * PMW-Pub's number of rounds: by the formula, and by rehearsals on the public table (the default), on private tables that are a later year
 * or another state. Largest error of a cell over all pairs of attributes.
 */
const settings: readonly SettingName[] = ['massachusetts', 'across time', 'across states'];
const epsilons = [0.1, 0.3, 1, 3];

const experiment: Experiment = async ({ data, seeds = 5, quick = false, say }) => {
  const rows: Record<string, unknown>[] = [];
  const lines: string[] = [];
  const mechanism = mechanismNamed('pmw-pub');
  for (const setting of quick ? settings.slice(0, 1) : settings) {
    const { publicTable, privateTable } = await loadSetting(setting, dataFolder(data));
    const workload = pairsOrOneWays(publicTable.domain, mostPairCells);
    for (const epsilon of quick ? [1] : epsilons) {
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
      say(line);
      lines.push(line);
    }
  }
  const head =
    '| setting | epsilon | T by formula | error | T rehearsed | error | ratio | seconds to rehearse |\n|---|---|---|---|---|---|---|---|\n';
  return { figures: { rows }, text: `${head}${lines.join('\n')}\n` };
};

export default experiment;
