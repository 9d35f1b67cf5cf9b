// The public API, in the order in which data flow: declare a domain, ask queries, open a source behind a session, release,
// ask the model, keep the bundle. It runs in Node and in browsers; files and workers of Node are in `surmise/node`.
// `examples/release.ts` walks the whole way; a test runs it.

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
export { cellLabels } from './domain/attribute/cells.js';
export type { CellValue } from './domain/attribute/column-decoder.js';
export { cellsOf, type Domain, indexOf, project, sizesOf } from './domain/domain.js';
export { domainOf } from './domain/domain-of.js';
export { type DecodeTableOptions, decodeTable } from './domain/encode/decode-table.js';
export { type Columns, encodeTable } from './domain/encode/encode-table.js';
export { encodeTwoLevel, type TwoLevelTable } from './domain/encode/encode-two-level.js';
export { InputError } from './domain/input-error.js';
export {
  type LearnedSchema,
  type LearnOptions,
  learnSchema,
  type SchemaLearner,
  schemaLearner,
} from './domain/learn/learn-schema.js';
export type { Progress, Running } from './domain/running.js';
export { type Outside, withOutside } from './domain/schema/outside.js';
export { domainFromSchema, parseSchema } from './domain/schema/parse-schema.js';
export type { Origin, Schema, TwoLevelSpec } from './domain/schema/schema.js';
export { type TwoLevelDomain, twoLevelDomain } from './domain/schema/two-level-domain.js';
export type { CodeColumn, Table } from './domain/table.js';

// Queries and workloads, each of which knows its sensitivity.

export { answerFrom, answerShape, answerSize, attributesOf } from './query/answer.js';
export type { Block } from './query/block/block.js';
export { describeQuery } from './query/describe-query.js';
export { type Marginal, marginal, total } from './query/marginal.js';
export { parseQuery } from './query/parse-query.js';
export { type FactoredQuery, factored, prefix, type Query, range } from './query/query.js';
export type { Relation } from './query/relation.js';
export { batchSensitivity, type Sensitivity, sensitivity } from './query/sensitivity/sensitivity.js';
export { allMarginals, type MarginalOptions } from './query/workload/all-marginals.js';
export { downwardClosure } from './query/workload/downward-closure.js';
export { parseWorkload } from './query/workload/parse-workload.js';
export { allRanges, prefixWorkload, type TripleOptions, tripleWorkload } from './query/workload/range-workloads.js';
export { sampleMarginals } from './query/workload/sample-marginals.js';
export { union, type WeightedQuery, type Workload, workloadCells, workloadOf } from './query/workload/workload.js';

// Private tables: a source counts, and only a session may hold one.

export { type MemorySource, type MemorySourceOptions, memorySource } from './source/memory-source.js';
export type { PrivateSource, Unit } from './source/source.js';

// Privacy: budgets, the ledger, and the session, the one door.

export { type Budget, type BudgetRequest, budgetOf } from './privacy/accounting/budget.js';
export type { Charge, Currency } from './privacy/accounting/charge.js';
export { type NamedCells, nameCells } from './privacy/answers/named-cells.js';
export { type Entropy, seededEntropy, webEntropy } from './privacy/entropy.js';
export { inspectLedger, type LedgerInspection } from './privacy/ledger/inspect-ledger.js';
export { BudgetError, type Ledger, type LedgerStatus } from './privacy/ledger/ledger.js';
export { memoryLedger } from './privacy/ledger/memory-ledger.js';
export type { LedgerStore } from './privacy/ledger/store.js';
export { storedLedger } from './privacy/ledger/stored-ledger.js';
export type { Measurement, Noise, NoisyError } from './privacy/measurement.js';
export { openSession, type SessionOptions } from './privacy/session/open-session.js';
export type {
  Candidate,
  Door,
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
export { type GraphicalModel, type GraphicalModelOptions, graphicalModel } from './model/graphical/graphical-model.js';
export { type MarginalOracle, type OracleOptions, openOracle } from './model/graphical/oracle/oracle.js';
export { type JunctionTree, junctionTree, type TreeClique, treeSize } from './model/graphical/tree/junction-tree.js';
export { type GroupedModel, groupedModel } from './model/grouped-model.js';
export type { Model } from './model/model.js';
export type { Replicates } from './model/replicates.js';
export { reweighted, type Support, supportOf } from './model/support/support.js';
export { type SupportModel, supportModel } from './model/support/support-model.js';

// Estimation: from measurements and public rows to a model, without private data.

export { estimateGraphical, type GraphicalEstimate, type GraphicalOptions } from './estimate/graphical/estimate.js';
export type { CustomLoss } from './estimate/graphical/loss/custom-loss.js';
export { type GraphicalPrior, graphicalPrior, type PriorOptions } from './estimate/graphical/prior/prior.js';
export type { GraphicalStep } from './estimate/graphical/step.js';
export { estimateIde, type IdeEstimateOptions, type IdeResult } from './estimate/ide/ide.js';
export {
  type BestMixtureOptions,
  bestMixture,
  type MixtureError,
} from './estimate/multiplicative-weights/best-mixture.js';
export {
  estimateReweighted,
  type ReweightEstimateOptions,
  type Reweighted,
  type ReweightStep,
} from './estimate/reweight/reweight.js';
export { estimateTwoStage, type TwoStageOptions, type TwoStageResult } from './estimate/two-stage/two-stage.js';

// Releases: one function a mechanism, and the list of all of them.

export { type AimOptions, aim } from './release/aim/aim.js';
export {
  adviseOnPublic,
  type CheckedError,
  type CheckPublicOptions,
  checkPublic,
  type PublicCheck,
} from './release/check-public/check-public.js';
export { type ChosenPublic, chooseByBudget, chooseByValidation } from './release/check-public/choose-public.js';
export { type ChosenMechanism, chooseMechanism, type RankedMechanism } from './release/choose-mechanism.js';
export { type GroupedOptions, grouped } from './release/grouped/grouped.js';
export { type IdeOptions, ide } from './release/ide/ide.js';
export type { IdeMeasure } from './release/ide/workload.js';
export { type MwemOptions, mwem } from './release/mwem/mwem.js';
export type { Fit, Plan, PlannedStep, PublicFacts } from './release/plan.js';
export { pmwPub } from './release/pmw-pub/pmw-pub.js';
export {
  type Mechanism,
  type MechanismRun,
  mechanismNamed,
  mechanisms,
  type Setting,
  type Settings,
  settingsOf,
} from './release/registry.js';
export type { Released } from './release/released.js';
export { type ReweightOptions, reweight } from './release/reweight/reweight.js';
export type { MultiplicativeWeightsOptions } from './release/rounds/private-multiplicative-weights.js';

// Evaluation: how far a model or table is from given answers, what bounds its own answers have, and asking it by SQL.

export { type AnswerErrors, answerErrors, type GivenMarginal } from './evaluate/answer-errors.js';
export { type BootstrapOptions, bootstrap } from './evaluate/bootstrap.js';
export { type Bounds, type BoundsSource, boundsOf, boundsOfStatistic } from './evaluate/bounds.js';
export { type CompareMarginalsOptions, compareMarginals, type WayComparison } from './evaluate/compare-marginals.js';
export { type Contest, type ContestOutcome, compareMechanisms } from './evaluate/compare-mechanisms.js';
export { type NistScore, type NistScoreOptions, nistScore } from './evaluate/nist-score.js';
export { answerSql, type SqlAnswer, type SqlOptions } from './evaluate/sql/answer-sql.js';

// Bundles: what a release leaves behind; and estimates from measurements of other systems.

export { type Estimate, type EstimateFacts, makeEstimateFiles, openEstimate } from './bundle/estimate-files.js';
export { type BundleParts, makeBundle } from './bundle/make-bundle.js';
export type { FileEntry, Manifest } from './bundle/manifest.js';
export { type Bundle, type BundleFiles, openBundle } from './bundle/open-bundle.js';
export { type OutsideMeasurements, parseOutsideMeasurements } from './bundle/outside-measurements.js';
export { type BundleStore, type BundleVerdict, verifyBundle } from './bundle/verify-bundle.js';

// Reports: one page that tells a release to people.

export { makeReport, type ReportOptions, type ReportSource } from './report/make-report.js';

// Whole jobs: a release of an opened source, its plan, mechanisms side by side; for files see surmise/node.

export { addReport, reportOf } from './flow/add-report.js';
export { compareTables } from './flow/compare-tables.js';
export { csvText, decodedRows } from './flow/decoded-rows.js';
export {
  type KeepRows,
  type MadeRelease,
  type MakeReleaseOptions,
  makeRelease,
  type PublicTable,
} from './flow/make-release.js';
export { type PlannedRelease, type PlanReleaseOptions, planRelease } from './flow/plan-release.js';
