import { drownedIn, expectedError, recordUnit } from '../../src/advanced.js';
import type { PlannedRelease } from '../../src/index.js';

/** What a budget would buy, as a page shows it: public facts alone. */
export interface ShownPlan {
  readonly mechanism: string;
  readonly summary: string;
  readonly why: string;
  readonly others: readonly { readonly name: string; readonly able: boolean; readonly why: string }[];
  readonly seconds: number;
  readonly range: readonly [number, number];
  readonly memory: number;
  readonly stages: readonly { readonly stage: string; readonly seconds: number }[];
  readonly steps: number;
  /** How far the count of one cell of an attribute would be off, in records, by the noise of the planned marginals that hold it; undefined where none is planned by name. */
  readonly errors: readonly { readonly name: string; readonly cells: number; readonly error: number | undefined }[];
  /** A measured marginal's misplaced records, on average over those that are planned; undefined where none is known beforehand. */
  readonly misplaced: number | undefined;
  readonly assumedRows: number;
  readonly drowned: string | undefined;
  readonly remarks: readonly string[];
}

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

export const shownPlan = (planned: PlannedRelease): ShownPlan => {
  const { mechanism, why, ranked, plan, facts, forecast } = planned;
  const measured = plan.steps.flatMap(({ act, noise, query, answers }) =>
    act !== 'measure' || noise === undefined
      ? []
      : [{ query, answers, error: expectedError(noise) / (query === undefined ? 1 : recordUnit(query, facts.domain)) }],
  );
  // A cell of one attribute is a sum over the cells of the others; what several marginals say of it is averaged by precision.
  const errors = facts.domain.attributes.map(({ name, size }) => {
    const own = measured.flatMap(({ query, answers, error }) =>
      query?.kind === 'marginal' && query.attributes.includes(name) ? [error * Math.sqrt(answers / size)] : [],
    );
    const precision = own.reduce((sum, error) => sum + error ** -2, 0);
    return { name, cells: size, error: precision === 0 ? undefined : precision ** -0.5 };
  });
  return {
    mechanism: mechanism.name,
    summary: mechanism.summary,
    why: why ?? '',
    others: ranked.map((one) => ({ name: one.mechanism.name, able: one.able, why: one.why })),
    seconds: forecast.seconds,
    range: forecast.range,
    memory: forecast.memory,
    stages: forecast.stages,
    steps: plan.steps.reduce((sum, { times }) => sum + times, 0),
    errors,
    misplaced: mean(measured.filter(({ answers }) => answers > 1).map(({ error, answers }) => (error * answers) / 2)),
    assumedRows: facts.expectedRows ?? facts.publicRows ?? 10_000,
    drowned: drownedIn(planned),
    remarks: plan.remarks,
  };
};
