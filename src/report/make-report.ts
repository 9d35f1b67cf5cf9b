import type { AnyBundle, Bundle } from '../bundle/open-bundle.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { eachInTurn, eventYielder, inTurns } from '../domain/turns.js';
import { type BeyondEnd, lookingBeyond } from '../evaluate/beyond-ends.js';
import type { BoundsSource } from '../evaluate/bounds.js';
import { releaseBoundsWords } from '../evaluate/bounds-words.js';
import { withSingles } from '../evaluate/with-singles.js';
import { modelsHouseholds } from '../model/model.js';
import { checkTitle } from './check-title.js';
import { type Html, html } from './html.js';
import type { Section } from './layout.js';
import { roundedUp } from './number-text.js';
import { pageText } from './page.js';
import { drawer, type Plot } from './plots/draw.js';
import { type OneWay, oneWay } from './plots/one-way.js';
import { attributesSection } from './sections/attributes-section.js';
import { beyondSection } from './sections/beyond-section.js';
import { checkSection } from './sections/check-section.js';
import { constraintsSection } from './sections/constraints-section.js';
import { modelDependence, tableDependence } from './sections/dependence.js';
import { dependenceSection } from './sections/dependence-section.js';
import { differencesSection } from './sections/differences-section.js';
import { groupsSection, isGrouped } from './sections/groups-section.js';
import { householdPlots, householdsSection } from './sections/households-section.js';
import { measuredSection } from './sections/measured-section.js';
import { privacySection } from './sections/privacy-section.js';
import { guaranteeOf } from './sections/privacy-words.js';
import { keyFigures, summarySection } from './sections/summary-section.js';

/** What a report is made from: an opened bundle is one. */
export type ReportSource = AnyBundle & BoundsSource;

/** What a report is told beside the bundle. */
export interface ReportOptions extends Running {
  /** The public table that the release started from, over the release's domain: distributions are shown beside it. */
  readonly public?: Table | undefined;
  /** What the page is called; what the release was told, or the name of the dataset, by default. */
  readonly title?: string | undefined;
  /** What the mechanism does, one line without a full stop, as the registry has it. */
  readonly mechanism?: string | undefined;
}

/**
 * The report of a release: one HTML page that needs nothing else, neither network nor script. It is made from the
 * bundle and public data, so it tells nothing about the private table that the bundle does not. Equal bundles and tables give
 * equal texts. Takes some 30 ms an attribute, and at most a few seconds for the pairs.
 */
export const makeReport = async (bundle: ReportSource, options: ReportOptions = {}): Promise<string> => {
  const { manifest, model, measurements, replicates } = bundle;
  const { public: prior, signal, onProgress, title = manifest.configuration?.title } = options;
  checkTitle(title);
  if (prior !== undefined && JSON.stringify(prior.domain) !== JSON.stringify(model.domain))
    throw new InputError(
      'public table: must be over the domain of the release, got another; encode it by the release’s schema',
    );
  const compared = prior !== undefined && prior.length > 0 ? prior : undefined;
  const { covers = () => true } = model;
  // A model of separate estimates says nothing of what was not measured.
  const attributes = model.domain.attributes.filter(({ name }) => covers([name]));
  if (attributes.length > limits.reportAttributes)
    throw new InputError(
      `report: must be of at most ${limits.reportAttributes} attributes, got ${attributes.length}; ask the release itself, by SQL`,
    );
  await replicates?.open?.({ signal });
  const source = await inTurns(withSingles(bundle), { signal });
  const homes = modelsHouseholds(model) ? { ...source, model } : undefined;
  const extra = isGrouped(model) ? (compared ? 2 : 1) : homes === undefined ? 0 : householdPlots(homes);
  const planned = attributes.length + (compared ? 3 : 1) + extra;
  const drawn = await drawer();
  let done = 0;
  const yieldToEvents = eventYielder(signal);
  const draw = async (plot: Plot): Promise<Html> => {
    await yieldToEvents();
    const picture = await drawn(plot);
    onProgress?.({ stage: 'report', done: ++done, total: planned });
    return picture;
  };

  const ways = await inTurns(
    eachInTurn(attributes, (attribute) => oneWay(source, attribute, compared)),
    { signal },
  );
  const facts = {
    manifest,
    total: model.total,
    households: homes?.model.householdTotal,
    mechanism: options.mechanism,
    replicates: replicates?.models.length ?? 0,
  };
  const sections: Section[] = [
    summarySection(facts),
    privacySection(manifest),
    measuredSection(measurements, model.domain, model.total),
    ...(compared ? [differencesSection(ways)] : []),
    ...beyondSections(await inTurns(lookingBeyond(source), options), ways),
    await attributesSection(ways, draw, releaseBoundsWords(source)),
    ...(manifest.schema.constraints === undefined ? [] : [constraintsSection(manifest.schema.constraints)]),
  ];
  if (attributes.length > 1 && model.covers === undefined) {
    // The rows of a reweighted public table carry the chance of that table.
    const records = Math.min(manifest.public?.rows ?? model.total, model.total);
    const ofModel = await inTurns(modelDependence(model, records), { signal });
    const ofTable = compared && (await inTurns(tableDependence(compared), { signal }));
    sections.push(await dependenceSection(ofModel, ofTable, draw));
  }
  if (isGrouped(model)) sections.push(await groupsSection(model, compared, draw));
  if (homes !== undefined) sections.push(await householdsSection(homes, compared, draw));
  sections.push(checkSection(manifest));
  return page(manifest.privacy, title, keyFigures(facts), sections);
};

/** A section of what lies beyond open ends, where there are any. */
const beyondSections = (ends: readonly BeyondEnd[], ways: readonly OneWay[]): Section[] => {
  const prior = ({ attribute, label }: BeyondEnd): number | undefined =>
    ways.find((way) => way.attribute.name === attribute)?.bars.find((bar) => bar.label === label)?.prior;
  return ends.length === 0 ? [] : [beyondSection(ends, prior)];
};

/** Datasets are named after their file and a hash of its place unless told: the hash is for machines. */
const heading = (dataset: string): Html => {
  const [, name, hash] = /^(.+)-([0-9a-f]{16})$/.exec(dataset) ?? [];
  return hash === undefined ? html`${dataset}` : html`${name} <small>${hash}</small>`;
};

const page = (
  privacy: Bundle['manifest']['privacy'],
  title: string | undefined,
  figures: Html,
  sections: readonly Section[],
): string => {
  const { epsilon } = guaranteeOf(privacy);
  const contents = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return pageText({
    title: title ?? `Release of ${privacy.dataset}`,
    kind: 'Differentially private release',
    heading: title ?? heading(privacy.dataset),
    lead: `What was released from this table with ε = ${roundedUp(epsilon, 3)}, what that means for the people in it, and how far the numbers can be trusted.`,
    warning: privacy.seeded
      ? 'The noise came from a seed. This is an experiment and protects nobody: do not publish it as a private release.'
      : undefined,
    opening: html`${figures}
<nav aria-label="Contents"><ol>${contents}</ol></nav>`,
    sections,
    footer: () => html`Made by surmise from the release itself and public data. It loads nothing and sends nothing.`,
  });
};
