import type { HouseholdTable } from '../domain/households/household-table.js';
import type { Table } from '../domain/table.js';
import type { Support } from '../model/support/support.js';
import type { Noise } from '../privacy/measurement.js';
import type { PlanningDoor } from '../privacy/session/planning-door.js';
import type { Query } from '../query/query.js';
import type { Workload } from '../query/workload/workload.js';
import type { StageWork } from './work.js';

/** Everything that is known of a release before anything private is touched: what a choice and a plan may depend on. */
export interface PublicFacts extends PlanningDoor {
  /** The distinct rows of the public table, where there is one. */
  readonly prior?: Support | undefined;
  /** The public table itself, row by row. */
  readonly publicTable?: Table | undefined;
  /** The public households with their persons, where the domain has two levels; `prior` and `publicTable` are undefined then. */
  readonly publicHouseholds?: HouseholdTable | undefined;
  /** Number of rows of the public table; of its households, where the domain has two levels. */
  readonly publicRows?: number | undefined;
  /** What the person expects the number of private records to be, or of households, where there are two levels: said, never looked up. */
  readonly expectedRows?: number | undefined;
  /** What the release should answer well, where the person says; each mechanism has its own default. */
  readonly workload?: Workload | undefined;
}

/** Whether a mechanism can make this release, and how well it is placed to. */
export interface Fit {
  readonly able: boolean;
  /** From 0 to 1; among those that are able the highest is chosen. 0 where it is not able. */
  readonly score: number;
  /** A clause for "NAME, because ..."; it says what is missing where it is not able. */
  readonly why: string;
}

/** One kind of act that a mechanism would do to the private table. */
export interface PlannedStep {
  readonly act: 'measure' | 'select';
  /** What is asked, such as "age x sex". */
  readonly what: string;
  /** The query, where it is known beforehand. */
  readonly query?: Query | undefined;
  /** Answers of one measurement, or candidates of one selection. */
  readonly answers: number;
  /** How often it is done. */
  readonly times: number;
  /** Noise on every answer of one measurement, in records. */
  readonly noise?: Noise | undefined;
}

/** What a mechanism would do, from public facts alone. */
export interface Plan {
  readonly steps: readonly PlannedStep[];
  /** Bytes that estimation would hold, beside the private table's codes. */
  readonly memory: number;
  /** How much there is to do, stage by stage, replicates aside. */
  readonly work: readonly StageWork[];
  /** The work of one bootstrap replicate, where a release can be fitted anew, and the bytes that it keeps; those of its tree, where it is a graphical model that may be fitted in any thread. */
  readonly replicate?:
    | { readonly work: readonly StageWork[]; readonly bytes: number; readonly treeBytes?: number | undefined }
    | undefined;
  /** Between which multiples of it the work may come to lie, where that follows from answers that nobody has yet; as it is by default. */
  readonly range?: readonly [number, number] | undefined;
  /** What else a person should know, a sentence each. */
  readonly remarks: readonly string[];
}

/** Records, or households, to reckon with where the number is unknown: as expected, else as many as the public table has. */
export const assumedRows = ({ expectedRows, publicRows }: PublicFacts): number => expectedRows ?? publicRows ?? 10_000;

/** How that number came about, for a remark; nothing where the person said it. */
export const assumption = (facts: PublicFacts): string[] =>
  facts.expectedRows !== undefined
    ? []
    : [
        `This assumes ${assumedRows(facts).toLocaleString('en-US')} private ${facts.domain.households === undefined ? 'records' : 'households'}${facts.publicRows === undefined ? '' : ', as many as the public table has'}; say what you expect, if that is public, to plan for it.`,
      ];
