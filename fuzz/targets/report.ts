import { manifestName } from '../../src/bundle/file-names.js';
import { openBundle } from '../../src/bundle/open-bundle.js';
import { reportOf } from '../../src/flow/add-report.js';
import { unpack } from '../archive.js';
import { mutateContainer } from '../mutate/container.js';
import { mutateJson } from '../mutate/json.js';
import { mixed } from '../mutate/mutator.js';
import { resealedFiles } from '../repair.js';
import { bundleSeeds } from '../seeds.js';
import { BrokenLaw, type Target } from '../target.js';
import { jsonWords } from '../words.js';
import { inPart } from './bundle.js';

/** Stands in names and texts of a bundle; a page in which it is found as it is would run what a stranger wrote. */
const tag = '<img src=x onerror=alert(1)>';

/** The page that `surmise report` makes of a bundle. */
export const reportTarget: Target = {
  name: 'report',
  run: async (bytes) => {
    const page = await reportOf(openBundle(unpack(bytes)), {});
    if (page.includes('<img src=x')) throw new BrokenLaw('broken law: a report holds no tag of a stranger');
    return '';
  },
  mutate: mixed(
    [3, inPart([manifestName], mutateJson([...jsonWords, tag, tag, tag, tag, tag]))],
    [1, inPart(['model.bin', 'measurements.bin'], mutateContainer)],
  ),
  repair: (bytes) => resealedFiles(bytes, manifestName),
  seeds: bundleSeeds,
};
