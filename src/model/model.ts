import type { Domain } from '../domain/domain.js';
import type { Table } from '../domain/table.js';
import type { Query } from '../query/query.js';
import type { Random } from '../random/random.js';

/** What a model costs. */
export interface ModelCost {
  /** Bytes that its tables hold, about. */
  readonly bytes: number;
  /** Rows that a marginal goes over; infinite for models that are not made of rows. */
  readonly visits: number;
}

/** An estimated distribution of records: made from measurements and public data only, so asking it costs nothing. */
export interface Model {
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
  /** `rows` synthetic records; refused by a model that is no distribution. */
  sample(rows: number, random: Random): Table;
}
