// The public API, in the order in which data flow: declare a domain, ask queries, open a source behind a session, release,
// ask the model, keep the bundle. It runs in Node and in browsers; files and workers of Node are in `surmise/node`, the parts
// that experts build with in `surmise/advanced`. `examples/release.ts` walks the whole way; a test runs it.

// Randomness that no privacy depends on.

export type { Random } from './random/random.js';
export { seeded } from './random/seeded.js';

// Domains: what a table may hold, declared or learned from public data.

export type {
  Attribute,
  AttributeSpec,
  BooleanSpec,
  CategorySpec,
  DateSpec,
  NumericSpec,
} from './domain/attribute/attribute.js';
export type { CellValue } from './domain/attribute/column-decoder.js';
export type { CellName, ConstraintSpec } from './domain/constraints/constraint.js';

export type {
  AskedCategory,
  AskedColumn,
  AskedDate,
  AskedMap,
  AskedNumeric,
  AskedSpec,
  Draft,
  DraftAttribute,
  LeftOut,
} from './domain/discover/draft.js';

export type { Domain, Households } from './domain/domain.js';
export { domainOf } from './domain/domain-of.js';
export { type DecodeTableOptions, decodeTable } from './domain/encode/decode-table.js';
export { type Columns, encodeTable } from './domain/encode/encode-table.js';
export type { ColumnFormat } from './domain/format/column-format.js';
export type { TableFormat } from './domain/format/table-format.js';
export { InputError } from './domain/input-error.js';
export { type LearnedSchema, type LearnOptions, learnSchema } from './domain/learn/learn-schema.js';
export type { Progress, Running } from './domain/running.js';
export type { Outside } from './domain/schema/outside.js';
export { domainFromSchema, parseSchema } from './domain/schema/parse-schema.js';
export type { Origin, Schema, TwoLevelSpec } from './domain/schema/schema.js';
export type { CodeColumn, Table } from './domain/table.js';

// Queries and workloads, each of which knows its sensitivity.

export { answerFrom } from './query/answer.js';
export type { Block } from './query/block/block.js';
export { type Holding, holding } from './query/holding.js';
export { type Marginal, marginal, total } from './query/marginal.js';
export type { MixtureRows } from './query/mixture.js';
export {
  type DenseQuery,
  type FactoredQuery,
  factored,
  type LinearQuery,
  prefix,
  type Query,
  range,
} from './query/query.js';
export type { Relation } from './query/relation.js';
export { allMarginals, type MarginalOptions } from './query/workload/all-marginals.js';
export { parseWorkload } from './query/workload/parse-workload.js';
export { type WeightedQuery, type Workload, workloadOf } from './query/workload/workload.js';

// Private tables: a source counts, and only a session may hold one.

export type { Unit } from './query/unit.js';
export type { Ids } from './source/bound-contributions.js';
export { type MemorySource, type MemorySourceOptions, memorySource } from './source/memory-source.js';
export type { RawMemorySourceOptions } from './source/raw-memory-source.js';
export type { RawSource, VisitTogether, VisitValue } from './source/raw-source.js';
export type { PrivateSource } from './source/source.js';

// Privacy: budgets, the ledger, and the session, the one door.

export type { Amount } from './privacy/accounting/amount.js';
export { type Accounting, type Budget, type BudgetRequest, budgetOf } from './privacy/accounting/budget.js';
export type { Charge, ParallelCharge, SingleCharge } from './privacy/accounting/charge.js';
export type { Currency } from './privacy/accounting/currency.js';
export type { NamedCells } from './privacy/answers/named-cells.js';
export type { ThresholdTerms } from './privacy/discovery/threshold-kind.js';
export type { Entropy } from './privacy/entropy.js';
export type { BoundTable, Entry } from './privacy/ledger/chain.js';
export type { LedgerInspection } from './privacy/ledger/inspect-ledger.js';
export { BudgetError, type Ledger, type LedgerStatus } from './privacy/ledger/ledger.js';
export { memoryLedger } from './privacy/ledger/memory-ledger.js';
export type { LedgerRecord } from './privacy/ledger/record/record.js';
export type { Measurement, Noise, NoisyError } from './privacy/measurement.js';
export type { GaussianTerms } from './privacy/noise/gaussian.js';
export type { LaplaceTerms } from './privacy/noise/laplace.js';
export type { NoiseName } from './privacy/noise/noise-kinds.js';
export type { Rational } from './privacy/rational.js';
export type { DrawTerms } from './privacy/selection/draw-kind.js';
export type { SelectionMechanism, SelectionTerms } from './privacy/selection/selection-kinds.js';
export type { Act } from './privacy/session/account/paid-run.js';
export { openSession, type SessionOptions } from './privacy/session/open-session.js';
export type {
  Candidate,
  CellDraw,
  CellDraws,
  Dependence,
  DependenceOptions,
  Door,
  Drawn,
  DrawOptions,
  Group,
  GroupKey,
  MeasureOptions,
  SelectOptions,
  Session,
  Share,
} from './privacy/session/session.js';
export type { PrivacyStatement } from './privacy/session/statement.js';

// Models: what may be asked for free.

export type { LogFactor } from './model/graphical/calibrate.js';
export type { GraphicalModel } from './model/graphical/graphical-model.js';
export type { JunctionTree, TreeClique } from './model/graphical/tree/junction-tree.js';
export type { Answering, AnyModel, HouseholdModel, Model, ModelCost } from './model/model.js';
export type { Replicates } from './model/replicates.js';
export { type Support, supportOf } from './model/support/support.js';
export type { Threads } from './model/support/weighted-rows.js';

// Estimation: from measurements and public rows to a model, without private data.

export type { DualQueryEstimateOptions } from './estimate/dual-query/estimate.js';
export { estimateGraphical, type GraphicalEstimate, type GraphicalOptions } from './estimate/graphical/estimate.js';
export type { CustomLoss } from './estimate/graphical/loss/custom-loss.js';
export type { GraphicalPrior } from './estimate/graphical/prior/prior.js';
export type { Fitted, GraphicalStep, OnStep } from './estimate/graphical/step.js';
export { estimateIde, type IdeEpoch, type IdeEstimateOptions, type IdeResult } from './estimate/ide/ide.js';
export type { FittedWeights, ReweightEstimateOptions, ReweightStep } from './estimate/reweight/fit-weights.js';
export { estimateReweighted, type Reweighted } from './estimate/reweight/reweight.js';
export type { Sharing } from './estimate/sharing/sharing.js';
export type { Stride } from './estimate/stopping/stepper.js';
export { estimateTwoStage, type TwoStageOptions, type TwoStageResult } from './estimate/two-stage/two-stage.js';

// Releases: one function a mechanism, and the list of all of them.

export type { AimOptions } from './release/adaptive/options.js';
export { aim } from './release/aim/aim.js';
export {
  type CheckPublicOptions,
  checkPublic,
  type PublicCheck,
} from './release/check-public/check-public.js';
export type { CheckedError, CheckedMixture } from './release/check-public/measure-mixture.js';
export type { RankedMechanism } from './release/choose-mechanism.js';
export { type DualQueryOptions, dualQuery } from './release/dual-query/dual-query.js';
export type { DualQueryParameters, GivenParameters } from './release/dual-query/parameters.js';
export type { DualQueryPlayOptions, RecordSearch } from './release/dual-query/play.js';
export { type GemOptions, gem } from './release/gem/gem.js';
export { type GroupedOptions, grouped } from './release/grouped/grouped.js';
export type { GroupWorkloads } from './release/grouped/workloads.js';
export { type HdmmMeasured, type HdmmOptions, hdmm, type MeasureHdmmOptions } from './release/hdmm/hdmm.js';
export type { HdmmPlan, Template } from './release/hdmm/hdmm-plan.js';
export { type IdeOptions, ide } from './release/ide/ide.js';
export type { IdeMeasure } from './release/ide/workload.js';
export { type JamOptions, jam } from './release/jam/jam.js';
export type { AnyMechanism, HouseholdMechanism, Mechanism, MechanismOf, MechanismRun } from './release/mechanism.js';
export { mst } from './release/mst/mst.js';
export type { MstOptions } from './release/mst/options.js';
export { type MwemOptions, mwem } from './release/mwem/mwem.js';
export { type MwemByMarginalsOptions, mwemByMarginals } from './release/mwem/mwem-by-marginals.js';
export type { PairsOptions } from './release/pairs/options.js';
export { pairs } from './release/pairs/pairs.js';
export type { Fit, Plan, PlannedStep, PublicFacts } from './release/plan.js';
export { pmwPub } from './release/pmw-pub/pmw-pub.js';
export type { NetworkOptions, PrivbayesEstimator, PrivbayesOptions } from './release/privbayes/options.js';
export { privbayes } from './release/privbayes/privbayes.js';
export { mechanisms } from './release/registry.js';
export type { Released } from './release/released.js';
export { type ResidualPlannerOptions, residualPlanner } from './release/residual-planner/residual-planner.js';
export { type ReweightOptions, reweight } from './release/reweight/reweight.js';
export type { MultiplicativeWeightsOptions } from './release/rounds/private-multiplicative-weights.js';
export type { Setting, Settings } from './release/settings.js';

// Evaluation: how far a model or table is from given answers, what bounds its own answers have, and asking it by SQL.

export type { BeyondEnd, PlannedEnd } from './evaluate/beyond-ends.js';
export { type Bounds, type BoundsSource, boundsOf } from './evaluate/bounds.js';
export {
  type CellDifference,
  type CompareMarginalsOptions,
  compareMarginals,
  type MarginalDistance,
  type WayComparison,
} from './evaluate/compare-marginals.js';
export type { Contest, Contestant, ContestOutcome, Judgement } from './evaluate/compare-mechanisms.js';
export type { Spread } from './evaluate/spread.js';
export {
  answerSql,
  type SqlAnswer,
  type SqlColumn,
  type SqlOptions,
  type SqlRow,
} from './evaluate/sql/answer-sql.js';
export type { SqlValue } from './evaluate/sql/sql-value.js';

// Bundles: what a release leaves behind; and estimates from measurements of other systems.

export type { BundleFiles } from './bundle/checked-files.js';
export type { Measured } from './bundle/codec/measurements-file.js';
export type { DiscoveryAct, DiscoveryRecord } from './bundle/discovery-record.js';
export type { FileEntry, Manifest } from './bundle/manifest.js';
export { type AnyBundle, type Bundle, openBundle } from './bundle/open-bundle.js';
export { type BundleStore, type BundleVerdict, verifyBundle } from './bundle/verify-bundle.js';

// Reports: one page that tells a release to people.

// Whole jobs: a release of an opened source, its plan, mechanisms side by side; for files see surmise/node.

export { addReport } from './flow/add-report.js';
export { compareTables } from './flow/compare-tables.js';
export type { DiscoveredRelease, DiscoverReleaseOptions } from './flow/discover-release.js';
export type { KeepJournal } from './flow/keep-journal.js';
export type { KeepHouseholds, KeepRows } from './flow/keep-rows.js';
export { type MadeRelease, type MakeReleaseOptions, makeHouseholdRelease, makeRelease } from './flow/make-release.js';
export type { PlanDiscoveryOptions, PlannedDiscovery } from './flow/plan-discovery.js';
export { type PlannedRelease, type PlanReleaseOptions, planRelease, type Rehearsal } from './flow/plan-release.js';
export type { PublicTable } from './flow/public-table.js';
export type { PublicsWay } from './flow/publics.js';
export { type SampledRows, type SampleRowsOptions, sampleRows } from './flow/sample-rows.js';
