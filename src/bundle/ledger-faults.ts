import type { LedgerInspection } from '../privacy/ledger/inspect-ledger.js';
import { chargeToJson } from '../privacy/ledger/record/charge-json.js';
import type { LedgerRecord } from '../privacy/ledger/record/record.js';
import type { Manifest } from './manifest.js';

type Of<K extends LedgerRecord['kind']> = LedgerRecord & { readonly kind: K };

const ofKind = <K extends LedgerRecord['kind']>(records: readonly LedgerRecord[], kind: K): Of<K>[] =>
  records.filter((record): record is Of<K> => record.kind === kind);

const different = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

/**
 * Compares a bundle with its ledger: the same terms (dataset, relation, unit, seed), and under the release's name exactly the
 * bundle's charges, act by act: one that the bundle leaves out is a fault, and so is one that the ledger does not have. A
 * sentence for each fault.
 */
export const ledgerFaults = (
  { ledger, charges, privacy, release }: Manifest,
  { damage, status, entries, open }: LedgerInspection,
): string[] => {
  if (damage) return [`ledger: must be as surmise wrote it, got a change at line ${damage.line} (${damage.why})`];
  if (status.dataset !== ledger.dataset)
    return [
      `ledger: must be that of dataset ${JSON.stringify(ledger.dataset)}, got the one of ${JSON.stringify(status.dataset)}`,
    ];
  const faults: string[] = [];
  if (status.relation !== privacy.relation || different(status.unit, privacy.unit))
    faults.push('privacy statement: its relation and unit must be those of the ledger, got others');
  const records = entries.flatMap((entry) => (entry.verdict === 'accepted' ? [entry.record] : []));
  if (records[ledger.records - 1]?.hash !== ledger.tip)
    faults.push(`ledger: must hold record ${ledger.records} with the hash that the bundle names, got another history`);
  const runs = ofKind(records, 'run').filter((run) => run.release === release);
  if (runs.length === 0) return [...faults, 'ledger: must hold this release, got no run of its name'];
  if (runs.some(({ seeded = false }) => seeded !== privacy.seeded))
    faults.push('privacy statement: whether the noise came from a seed must be as in the ledger, got the opposite');
  const reserved = ofKind(records, 'reserve').filter(({ run }) => runs.some(({ seq }) => seq === run));
  const commits = new Map(ofKind(records, 'commit').map((commit) => [commit.reservation, commit]));
  const told = new Map(charges.map((act) => [act.reservation, act.charges]));
  if (told.size < charges.length) faults.push('charges: must name a reservation once, got one twice');
  for (const { seq } of reserved) {
    const [commit, own] = [commits.get(seq), told.get(seq)];
    if (open.includes(seq))
      faults.push(`ledger: must have settled every act of this release, got reservation ${seq} still open`);
    else if (commit !== undefined && own === undefined)
      faults.push(`charges: must hold every act of the release, got none for reservation ${seq} of the ledger`);
    else if (commit !== undefined && different(commit.charges.map(chargeToJson), own!.map(chargeToJson)))
      faults.push(`ledger: must hold the charges of the bundle, got others under reservation ${seq}`);
  }
  const acts = new Set(reserved.map(({ seq }) => seq));
  for (const reservation of told.keys())
    if (!acts.has(reservation) || !commits.has(reservation))
      faults.push(`ledger: must hold the charges of reservation ${reservation} for this release, got no commit of it`);
  return faults;
};
