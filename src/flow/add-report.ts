import type { BundleFiles } from '../bundle/checked-files.js';
import { manifestName } from '../bundle/file-names.js';
import { entryOf } from '../bundle/make-bundle.js';
import type { Manifest } from '../bundle/manifest.js';
import { manifestText } from '../bundle/manifest-text.js';
import { openingBundle } from '../bundle/open-bundle.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { inTurns } from '../domain/turns.js';
import { type BeyondEnd, lookingBeyond } from '../evaluate/beyond-ends.js';
import { householdMechanisms, mechanisms } from '../release/registry.js';
import { makeReport, type ReportOptions, type ReportSource } from '../report/make-report.js';
import { reportName } from '../report/sections/check-section.js';

/** The report of a bundle, with what the registry says of its mechanism. */
export const reportOf = (bundle: ReportSource, options: Omit<ReportOptions, 'mechanism'>): Promise<string> => {
  const summary = [...mechanisms, ...householdMechanisms].find(
    ({ name }) => name === bundle.manifest.mechanism.name,
  )?.summary;
  return makeReport(bundle, { ...options, mechanism: summary });
};

/**
 * The files of a bundle with the report among them, listed in bundle.json like the others. The budget is spent by now, so a report that
 * cannot be made must not cost the release: then `failure` says why, and the files are as they were. `beyond` is what lies beyond the schema.
 */
export const addReport = async (
  files: BundleFiles,
  options: Running & { readonly public?: Table | undefined },
): Promise<{
  readonly files: BundleFiles;
  readonly manifest: Manifest;
  readonly beyond: readonly BeyondEnd[];
  readonly failure?: string | undefined;
}> => {
  let text: string;
  let beyond: readonly BeyondEnd[] = [];
  const bundle = await inTurns(openingBundle(files), options);
  try {
    beyond = await inTurns(lookingBeyond(bundle), options);
    text = await reportOf(bundle, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    return {
      files,
      manifest: bundle.manifest,
      beyond,
      failure: error instanceof Error ? error.message : String(error),
    };
  }
  const encoder = new TextEncoder();
  const report = encoder.encode(text);
  const { manifest } = bundle;
  const listed = { ...manifest, files: [...manifest.files, entryOf(reportName, report)] };
  return {
    files: { ...files, [reportName]: report, [manifestName]: encoder.encode(manifestText(listed)) },
    manifest: listed,
    beyond,
  };
};
