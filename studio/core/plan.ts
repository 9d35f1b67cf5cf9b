import { drownedIn, expectedError, recordUnit } from '../../src/advanced.js';
import type { PlannedRelease, Query } from '../../src/index.js';

/** What a budget would buy, as a page shows it: public facts alone. */
export interface ShownPlan {
  readonly mechanism: string;
  readonly summary: string;
  readonly why: string;
  readonly others: readonly { readonly name: string; readonly able: boolean; readonly why: string }[];
  readonly seconds: number;
  readonly memory: number;
  readonly stages: readonly { readonly stage: string; readonly seconds: number }[];
  /** How far the count of one cell of an attribute would be off, in records, by the noise of the planned marginals that hold it; undefined where none is planned by name. */
  readonly errors: readonly { readonly name: string; readonly cells: number; readonly error: number | undefined }[];
  readonly assumedRows: number;
  readonly drowned: string | undefined;
  readonly remarks: readonly string[];
}

interface Measured {
  readonly query: Query | undefined;
  readonly answers: number;
  /** Of one answer, in records. */
  readonly error: number;
}

/** Whether a query is what an attribute has on its own, beyond the number of records. */
const isResidualOf = (query: Query | undefined, name: string): boolean =>
  query?.kind === 'factored' &&
  query.factors.length === 1 &&
  query.factors[0].attribute === name &&
  query.factors[0].block.kind === 'centre';

/**
 * How far the count of one cell of an attribute would be off: in a marginal a cell is a sum over the cells of the others; a residual leaves a cell its part of the
 * number of records, whose noise all cells share; what several say of it is averaged by precision.
 */
export const cellError = (name: string, size: number, measured: readonly Measured[]): number | undefined => {
  const ofTotal = measured.find(({ query, answers }) => query?.kind === 'marginal' && answers === 1)?.error ?? 0;
  const own = measured.flatMap(({ query, answers, error }) =>
    query?.kind === 'marginal' && query.attributes.includes(name)
      ? [error * Math.sqrt(answers / size)]
      : isResidualOf(query, name)
        ? [Math.hypot(error * Math.sqrt(1 - 1 / size), ofTotal / size)]
        : [],
  );
  const precision = own.reduce((sum, error) => sum + error ** -2, 0);
  return precision === 0 ? undefined : precision ** -0.5;
};

export const shownPlan = (planned: PlannedRelease): ShownPlan => {
  const { mechanism, why, ranked, plan, facts, forecast } = planned;
  const measured = plan.steps.flatMap(({ act, noise, query, answers }) =>
    act !== 'measure' || noise === undefined
      ? []
      : [{ query, answers, error: expectedError(noise) / (query === undefined ? 1 : recordUnit(query, facts.domain)) }],
  );
  const errors = facts.domain.attributes.map(({ name, size }) => ({
    name,
    cells: size,
    error: cellError(name, size, measured),
  }));
  return {
    mechanism: mechanism.name,
    summary: mechanism.summary,
    why: why ?? '',
    others: ranked.map((one) => ({ name: one.mechanism.name, able: one.able, why: one.why })),
    seconds: forecast.seconds,
    memory: forecast.memory,
    stages: forecast.stages,
    errors,
    assumedRows: facts.expectedRows ?? facts.publicRows ?? 10_000,
    drowned: drownedIn(planned),
    remarks: plan.remarks,
  };
};
