import type { Domain } from '../domain/domain.js';
import type { HouseholdTable } from '../domain/households/household-table.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { inTurns, type Turns } from '../domain/turns.js';
import type { Query } from '../query/query.js';
import type { Random } from '../random/random.js';

/** What a model costs. */
export interface ModelCost {
  /** Bytes that its tables hold, about. */
  readonly bytes: number;
  /** Rows that a marginal goes over; infinite for models that are not made of rows. */
  readonly visits: number;
}

/** What every model can be asked, whatever is drawn from it: made from measurements and public data only, so asking it costs nothing. */
export interface Answering {
  readonly domain: Domain;
  /** Estimated number of records; answers and marginals are counts that refer to it. */
  readonly total: number;
  /** Expected counts of all cells of the attributes, row-major in their order; a new array. */
  marginal(attributes: readonly string[]): Float64Array;
  /** Expected answers of a query, row-major as it says; a new array. */
  answer(query: Query): Float64Array;
  /** What it holds and what asking it costs; absent where nobody knows. */
  readonly cost?: ModelCost | undefined;
  /** Whether it can say anything of these attributes together; absent for a distribution, which can of all. */
  readonly covers?: ((attributes: readonly string[]) => boolean) | undefined;
}

/** An estimated distribution of records. */
export interface Model extends Answering {
  /** `rows` synthetic records; refused by a model that is no distribution. */
  sample(rows: number, random: Random): Table;
  /** The same rows, drawn in turns; absent where that takes no time. */
  sampling?(rows: number, random: Random): Turns<Table>;
}

/** Synthetic records, drawn so that events are heard meanwhile. */
export const drawRows = async (
  model: Model,
  rows: number,
  random: Random,
  running: Pick<Running, 'signal'>,
): Promise<Table> =>
  model.sampling === undefined ? model.sample(rows, random) : inTurns(model.sampling(rows, random), running);

/** An estimated distribution of households with their persons. Its records are persons, and it answers what counts households too. */
export interface HouseholdModel extends Answering {
  /** Estimated number of households; answers that count households refer to it. */
  readonly householdTotal: number;
  /** So many synthetic households with their persons, numbered as they come. */
  households(count: number, random: Random): HouseholdTable;
}

/** An estimated distribution, of records or of households with their persons. */
export type AnyModel = Model | HouseholdModel;

/** Whether whole households are drawn from a model. */
export const modelsHouseholds = (model: Answering): model is HouseholdModel => 'households' in model;
