import { inspectLedger, LedgerDamage } from '../../src/advanced.js';
import { type BundleVerdict, type LedgerInspection, verifyBundle } from '../../src/index.js';
import { command } from '../command.js';
import { inputSentence } from '../text/hint-words.js';

/** Exit code of a release that is not whole. */
const exitBroken = 1;

export default command({
  name: 'verify',
  usage: ['DIR [--ledger FILE] [--json]'],
  about: `Checks a release without private data: sizes and hashes of its files; the privacy statement, computed anew from the
charges; the noise of every measurement against its charge and the sensitivity of its query; that the model can be read, and
gives the synthetic rows with their seed. With the ledger: that the ledger is sound, has the same terms, and holds exactly
these charges under the release's name. Exit code 0: whole; 1: not, with a sentence for everything that is wrong; 2: there is
no release to check.

A bundle is not signed: this finds damage and mistakes, and claims that do not follow, not a forger who invents
everything anew. The ledger, where it is kept, is the record to compare with.`,
  examples: ['surmise verify released --ledger survey.csv.ledger.jsonl'],
  run: async ({ values, operands: [directory] }, io) => {
    const { bundleDirectory } = await import('../../adapters/index.js');
    const store = await bundleDirectory(directory);
    const { ledger, damage } = await readLedger(values.ledger);
    const checked = await verifyBundle(store, ledger, io.running);
    const verdict: BundleVerdict = damage === undefined ? checked : { ...checked, faults: [...checked.faults, damage] };
    const { faults, checks, unchecked, manifest } = verdict;
    if (values.json) {
      const body = {
        whole: faults.length === 0,
        faults,
        checks,
        unchecked,
        privacy: manifest?.privacy,
        limits: manifest?.configuration?.limits,
      };
      io.out(`${JSON.stringify(body, null, 2)}\n`);
    } else if (faults.length > 0) {
      io.out(`${directory}: NOT WHOLE\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
    } else {
      io.out(`${directory}: whole\n${checks.map((check) => `  ${check}\n`).join('')}\n${manifest?.privacy.text}\n`);
      for (const what of manifest?.configuration?.limits?.gaveUp ?? [])
        io.out(`Given up to stay within limits: ${what}.\n`);
      for (const what of unchecked) io.out(`Not checked: ${what}.\n`);
      if (ledger === undefined) io.out('Name its ledger with --ledger to check that the charges are in it.\n');
    }
    return faults.length === 0 ? 0 : exitBroken;
  },
});

/** The ledger as its rules read it; a first line that was changed is a fault of the ledger, not of what was typed. */
const readLedger = async (
  file: string | undefined,
): Promise<{ readonly ledger?: LedgerInspection | undefined; readonly damage?: string | undefined }> => {
  if (file === undefined) return {};
  const { ledgerStore } = await import('../../adapters/index.js');
  try {
    return { ledger: await inspectLedger(ledgerStore(file)) };
  } catch (error) {
    if (error instanceof LedgerDamage) return { damage: inputSentence(error) };
    throw error;
  }
};
