import type { HouseholdTable } from '../../src/domain/households/household-table.js';
import { householdCount, householdSupportOf } from '../../src/model/households/household-support.js';
import { householdSupportModel } from '../../src/model/households/household-support-model.js';
import type { HouseholdModel } from '../../src/model/model.js';
import type { Workload } from '../../src/query/workload/workload.js';

/** Errors of all answers as proportions: of households for Q_G, of persons for Q_I, each by the model's own numbers. */
export const errorKinds = ['householdsLargest', 'householdsMean', 'personsLargest', 'personsMean'] as const;
export type HouseholdErrors = Readonly<Record<(typeof errorKinds)[number], number>>;

/** A table as the model that says of itself what it holds. */
export const modelOf = (table: HouseholdTable): HouseholdModel =>
  householdSupportModel(householdSupportOf(table), householdCount(table));

/** How far a model's answers are from those of a table. */
export const householdErrors = (
  model: HouseholdModel,
  truth: HouseholdTable,
  { queries }: Workload,
): HouseholdErrors => {
  const exact = modelOf(truth);
  const found = { holding: { largest: 0, sum: 0, answers: 0 }, marginal: { largest: 0, sum: 0, answers: 0 } };
  for (const { query } of queries) {
    if (query.kind !== 'holding' && query.kind !== 'marginal') continue;
    const [ours, theirs] =
      query.kind === 'holding' ? [model.householdTotal, exact.householdTotal] : [model.total, exact.total];
    const [mine, right] = [model.answer(query), exact.answer(query)];
    const kind = found[query.kind];
    for (let i = 0; i < mine.length; i++) {
      const error = Math.abs(mine[i] / ours - right[i] / theirs);
      kind.largest = Math.max(kind.largest, error);
      kind.sum += error;
    }
    kind.answers += mine.length;
  }
  const { holding, marginal } = found;
  return {
    householdsLargest: holding.largest,
    householdsMean: holding.sum / holding.answers,
    personsLargest: marginal.largest,
    personsMean: marginal.sum / marginal.answers,
  };
};
