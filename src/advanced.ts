// For experts, who build with the parts: oracles and trees, ledgers of their own, workloads, estimates from measurements of
// other systems, scores. What everybody needs is in `surmise`; this list has nothing of it twice.

// Domains: what a table may hold, declared or learned from public data.

export { cellLabels } from './domain/attribute/cells.js';
export { constraintText } from './domain/constraints/constraint.js';
export { brokenRows, mended } from './domain/constraints/mended.js';
export { attributeNamed, cellsOf, indexOf, project, sizesOf } from './domain/domain.js';
export { encodeHouseholds, type HouseholdColumns } from './domain/households/encode-households.js';
export { type GroupOptions, groupHouseholds } from './domain/households/group-households.js';
export { householdKeys } from './domain/households/household-keys.js';
export type { HouseholdTable, KeyedTable, Keys, SizeRule } from './domain/households/household-table.js';
export { levelsOf } from './domain/households/levels-of.js';
export { type SchemaLearner, schemaLearner } from './domain/learn/learn-schema.js';
export { withOutside } from './domain/schema/outside.js';

// Queries and workloads, each of which knows its sensitivity.

export { answerShape, answerSize, attributesOf } from './query/answer.js';
export { describeQuery } from './query/describe-query.js';
export { type Counted, holdingCell } from './query/holding.js';
export { parseQuery } from './query/parse-query.js';
export { residual } from './query/residual.js';
export { residualSensitivity } from './query/sensitivity/residual-sensitivity.js';
export { batchSensitivity, type Sensitivity, sensitivity } from './query/sensitivity/sensitivity.js';
export { downwardClosure } from './query/workload/downward-closure.js';
export { type HouseholdWorkloadOptions, householdWorkload } from './query/workload/household-workload.js';
export { allRanges, prefixWorkload, type TripleOptions, tripleWorkload } from './query/workload/range-workloads.js';
export { optimalParts, type PlannedResidual, residualPlan } from './query/workload/residual-plan.js';
export { sampleMarginals } from './query/workload/sample-marginals.js';
export { union, workloadCells } from './query/workload/workload.js';

// Privacy: budgets, the ledger, and the session, the one door.

export { nameCells } from './privacy/answers/named-cells.js';
export { seededEntropy, webEntropy } from './privacy/entropy.js';
export { inspectLedger } from './privacy/ledger/inspect-ledger.js';
export type { Appended, LedgerStore } from './privacy/ledger/store.js';
export { storedLedger } from './privacy/ledger/stored-ledger.js';

// Models: what may be asked for free.

export { forbiddenMass } from './model/forbidden-mass.js';
export { type GraphicalModelOptions, graphicalModel } from './model/graphical/graphical-model.js';
export type { OracleFactor } from './model/graphical/oracle/marginal-oracle.js';
export { type MarginalOracle, type OracleOptions, openOracle } from './model/graphical/oracle/oracle.js';
export { junctionTree, treeSize } from './model/graphical/tree/junction-tree.js';
export { type GroupedModel, type GroupRows, groupedModel } from './model/grouped-model.js';
export { type HouseholdSupport, householdSupportOf } from './model/households/household-support.js';
export { type HouseholdSupportModel, householdSupportModel } from './model/households/household-support-model.js';
export {
  type CellHouseholds,
  openWeightedHouseholds,
  type WeightedHouseholds,
} from './model/households/weighted-households.js';
export { type LocalAnswers, type LocalModel, type LocalTable, localModel } from './model/local-model.js';
export { reweighted } from './model/support/support.js';
export { type SupportModel, supportModel } from './model/support/support-model.js';

// Estimation: from measurements and public rows to a model, without private data.

export { estimateDualQuery } from './estimate/dual-query/estimate.js';
export type { DualQueryGame, DualQueryRound } from './estimate/dual-query/game.js';
export { dualQueryRecords } from './estimate/dual-query/records.js';
export { graphicalPrior, type PriorOptions } from './estimate/graphical/prior/prior.js';
export { estimateLls, type LlsOptions } from './estimate/local/estimate-lls.js';
export {
  type BestMixtureOptions,
  bestMixture,
  type MixtureError,
} from './estimate/multiplicative-weights/best-mixture.js';
export type { MarginalPlan } from './estimate/multiplicative-weights/plan.js';
export { estimateNetwork, type NetworkEstimateOptions } from './estimate/network/estimate-network.js';
export type { Network, NetworkNode } from './estimate/network/network.js';

export { fromResiduals, type Reconstructed, residualsIn } from './estimate/residuals/from-residuals.js';

// Releases: one function a mechanism, and the list of all of them.

export { adviseOnPublic, type Verdict } from './release/check-public/check-public.js';
export {
  type ChosenPublic,
  chooseByBudget,
  chooseByValidation,
  type PaidPublics,
} from './release/check-public/choose-public.js';
export { type ChosenMechanism, chooseMechanism } from './release/choose-mechanism.js';
export { type DualQueryPlay, playDualQuery } from './release/dual-query/play.js';
export { type HGemOptions, hGem } from './release/h-gem/h-gem.js';
export { type HMwemOptions, hMwem } from './release/h-mwem/h-mwem.js';
export { type HReweightOptions, hReweight } from './release/h-reweight/h-reweight.js';
export { measureHdmm } from './release/hdmm/hdmm.js';
export { type HdmmPlanOptions, planHdmm } from './release/hdmm/hdmm-plan.js';
export { type MeasuredNetwork, measureNetwork } from './release/privbayes/measure-network.js';
export { type Estimator, type EstimatorRun, estimatorNamed, estimators } from './release/refit/estimators.js';
export { anyMechanismNamed, householdMechanisms, mechanismNamed } from './release/registry.js';
export { settingsOf } from './release/settings.js';

// Evaluation: how far a model or table is from given answers, what bounds its own answers have, and asking it by SQL.

export { type AnswerErrors, answerErrors, type GivenMarginal } from './evaluate/answer-errors.js';
export { type BootstrapOptions, bootstrap } from './evaluate/bootstrap.js';
export { boundsOfStatistic } from './evaluate/bounds.js';
export {
  type CompareHouseholdsOptions,
  compareHouseholds,
  type HouseholdComparison,
  type LevelErrors,
} from './evaluate/compare-households.js';
export { compareMechanisms } from './evaluate/compare-mechanisms.js';
export { type GroupScore, type NistScore, type NistScoreOptions, nistScore } from './evaluate/nist-score.js';

// Bundles: what a release leaves behind; and estimates from measurements of other systems.

export { type Among, amongText } from './bundle/among.js';
export type { Configuration } from './bundle/configuration.js';
export { type Estimate, type EstimateFacts, makeEstimateFiles, openEstimate } from './bundle/estimate-files.js';
export { type BundleParts, makeBundle } from './bundle/make-bundle.js';
export { openHouseholdBundle } from './bundle/open-bundle.js';
export { type OutsideMeasurements, parseOutsideMeasurements } from './bundle/outside-measurements.js';

// Reports: one page that tells a release to people.

export { makeReport, type ReportOptions, type ReportSource } from './report/make-report.js';

// Whole jobs: a release of an opened source, its plan, mechanisms side by side; for files see surmise/node.

export { durationText } from './domain/duration-text.js';
export { reportOf } from './flow/add-report.js';
export { type CsvOptions, csvText, decodedRows } from './flow/decoded-rows.js';
export { drownedIn } from './flow/drowned.js';
export type { Forecast } from './flow/forecast.js';
export { publicsWays } from './flow/publics.js';
export { type RefitReleaseOptions, refitRelease } from './flow/refit-release.js';
export type { RunLimits } from './flow/within-limits.js';
export type { Region } from './kernel/arena.js';
export { machineRates, type Rates } from './kernel/calibrate.js';
export type { Engine } from './kernel/engine.js';
export { randomSeed } from './random/random-seed.js';

// For programs that talk to people, as the command line does: amounts and settings in words, checked JSON, tallies of public
// columns, pages and pictures of comparisons, the fictional country.

export { manifestName } from './bundle/file-names.js';
export { bundleFormat } from './bundle/manifest.js';
export { readManifest } from './bundle/manifest-text.js';
export { countryName } from './demo/country.js';
export { type DemoColumns, type DemoCountry, demoCountry, flatDemo } from './demo/demo-country.js';
export { type DemoCsvOptions, demoCsv } from './demo/demo-csv.js';
export { type DemoHomesPart, demoHomesCsv, demoHomesSchema } from './demo/demo-homes.js';
export { isOrdered, valueCells } from './domain/attribute/cells.js';
export { kindOf } from './domain/attribute/kinds/kinds.js';
export { codeLists } from './domain/discover/code-lists.js';
// A schema that is asked for: what a draft leaves open, raw columns in memory, the plan and the release.
export { asksAnything } from './domain/discover/draft.js';
export { guessColumn } from './domain/discover/guess-column.js';
export { parseDraft } from './domain/discover/parse-draft.js';
export { hasFormulaTexts, spreadsheetText } from './domain/encode/spreadsheet-text.js';
export { type Tally, tallyColumn } from './domain/encode/tally-column.js';
export { encodings } from './domain/format/table-format.js';
export { type Hint, type HintFacts, type HintWords, nextStep, sentenceIn } from './domain/hint.js';
export { nearest } from './domain/nearest.js';
export { parseJson } from './domain/parse-json.js';
export { outsideRules, stoppedBy } from './domain/schema/outside.js';
export { parseShape } from './domain/schema/parse-shape.js';
export { beyondEnds, closedEnds } from './evaluate/beyond-ends.js';
export { boundLevel } from './evaluate/bounds.js';
export { releaseBoundsWords } from './evaluate/bounds-words.js';
export type { SqlValue } from './evaluate/sql/sql-value.js';
export { makeDiscovered } from './flow/discover-release.js';
export { planDiscovery } from './flow/plan-discovery.js';
export { type Amount, amountToNumber, formatAmount } from './privacy/accounting/amount.js';
export { epsilonAt, gdpBudget } from './privacy/accounting/budget.js';
export { describeAmount } from './privacy/accounting/charge.js';
export { lossName } from './privacy/accounting/currency.js';
export { expectedError } from './privacy/expected-error.js';
export { LedgerDamage } from './privacy/ledger/chain.js';
export { amountInWords, epsilonInWords } from './privacy/ledger/ledger.js';
export { type MarginalNoise, marginalNoise } from './privacy/noise/marginal-noise.js';
export { recordUnit } from './query/record-unit.js';
export { unitText } from './query/unit.js';
export { mostPairCells } from './query/workload/pairs-or-one-ways.js';
export { NothingFound } from './release/discover/nothing-found.js';
export { discoverShares } from './release/discover/share-for.js';
export {
  type Comparison,
  comparisonHeadings,
  comparisonHtml,
  comparisonLines,
  comparisonNote,
  comparisonSvg,
  epsilonText,
} from './report/pages/comparison.js';
export {
  cellText,
  distanceHeadings,
  type EvaluatedSide,
  type Evaluation,
  evaluationHtml,
  evaluationSvg,
  levelHeadings,
  levelLines,
  sideText,
  sizeLines,
} from './report/pages/evaluation.js';
export { rawMemorySource } from './source/raw-memory-source.js';
