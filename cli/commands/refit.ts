import { InputError } from '../../src/index.js';
import { command } from '../command.js';
import { writeDirectory } from '../files/write-directory.js';
import { checkSpreadsheet } from '../options/combined.js';
import { estimatorLines, settingsFrom } from '../options/mechanism-kinds.js';
import { refitText, releaseJson } from '../text/release-text.js';
import { version } from '../version.js';

export default command({
  name: 'refit',
  usage: ['RELEASE -o DIR [--estimator NAME] [--public PUBLIC ...] [options]'],
  about: `Makes the model of a release anew from its noisy measurements, by another estimator or with other settings, or draws other rows
from the model that it has, and writes a new directory of the same form. No private table and no ledger is opened and nothing
is spent: the measurements, their charges and the privacy statement are those of the release, which stays as it is.`,
  more: () => `estimators, with what can be set:\n${estimatorLines()}`,
  examples: [
    'surmise refit released --rows 1000000 --format parquet -o more-rows',
    'surmise refit released --estimator pgm --set until=converged --bootstrap 20 -o refitted',
    'surmise refit released --estimator reweight --public survey-2018.csv -o reweighted',
  ],
  run: async ({ values, operands: [release] }, io) => {
    const { out, estimator, set, rows, format, spreadsheet, seed, bootstrap } = values;
    checkSpreadsheet(values);
    if (estimator === undefined && set.length > 0)
      throw new InputError('option --set: sets something of an estimator, got no --estimator; name one');
    if (bootstrap === 1)
      throw new InputError('option --bootstrap: must be 0 or from 2 on, got 1; one replicate shows no spread');
    const households = values['public-households'];
    const { assertPublic, refitFiles } = await import('../../adapters/index.js');
    for (const name of [...values.public, households]) if (name !== undefined) await assertPublic(name);
    const fill = (temporary: string) =>
      refitFiles(temporary, {
        ...io.running,
        release,
        estimator,
        settings: estimator && settingsFrom(set, estimator),
        public: values.public,
        publicHouseholds: households,
        bootstrap,
        format,
        spreadsheet,
        rows,
        seed,
        software: `surmise ${version()}`,
      });
    const made = await writeDirectory(out, fill, io);
    io.out(values.json ? releaseJson(out, made) : refitText(out, made, io));
  },
});
