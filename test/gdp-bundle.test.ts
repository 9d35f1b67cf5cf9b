import { describe, expect, it } from 'vitest';
import type { BundleFiles } from '../src/bundle/checked-files.js';
import { entryOf } from '../src/bundle/make-bundle.js';
import type { Manifest } from '../src/bundle/manifest.js';
import { manifestText, readManifest } from '../src/bundle/manifest-text.js';
import { verifyBundle } from '../src/bundle/verify-bundle.js';
import { supportModel } from '../src/model/support/support-model.js';
import { parseAmount } from '../src/privacy/accounting/amount.js';
import { rational } from '../src/privacy/rational.js';
import type { Session } from '../src/privacy/session/session.js';
import { statementOf } from '../src/privacy/session/statement.js';
import { marginal } from '../src/query/marginal.js';
import { residual } from '../src/query/residual.js';
import type { Released } from '../src/release/released.js';
import { prior, smallRelease } from './support/small-release.js';

const budget = { epsilon: 6, delta: '1e-6', accounting: 'gdp' } as const;
const unit = { kind: 'id', column: 'who', maxRecords: 3 } as const;

/** Two acts of Gaussian noise; a residual among them. */
const make = async (session: Session): Promise<Released> => {
  const first = await session.measure([marginal('a'), marginal('a', 'b'), residual('b')], 0.6);
  const second = await session.measure([marginal('b')], 0.4);
  return { model: supportModel(prior, 4), measurements: [...first, ...second], notes: {} };
};

const faultsOf = async (files: BundleFiles): Promise<readonly string[]> =>
  (
    await verifyBundle({
      read: async (name) => files[name],
      describe: async (name) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
      names: async () => Object.keys(files),
    })
  ).faults;

const retold = (files: BundleFiles, change: (manifest: Manifest) => Manifest): BundleFiles => {
  const { manifest } = readManifest(files['bundle.json']);
  return { ...files, 'bundle.json': new TextEncoder().encode(manifestText(change(manifest))) };
};

/** What is told by gdp alone. */
const byGdp = (manifest: Manifest): Manifest['privacy'] => {
  const { dataset, relation, unit, currency, seeded } = manifest.privacy;
  const { seeded: _, ...told } = statementOf({
    dataset,
    relation,
    unit,
    budget: { currency, total: parseAmount(manifest.budget.total), delta: manifest.budget.delta },
    seeded,
    charges: manifest.charges.flatMap(({ charges }) => charges),
  });
  return { ...manifest.privacy, ...(told as Manifest['privacy']), seeded };
};

describe('a bundle that is counted in gdp', () => {
  it('is found whole under both relations and with an id as unit, and tells less than its gdp alone would', async () => {
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const extra of [{}, { unit }]) {
        const { files } = await smallRelease({ make, budget, relation, ...extra });
        expect(await faultsOf(files)).toEqual([]);
        const { manifest } = readManifest(files['bundle.json']);
        expect(Number(manifest.privacy.epsilon)).toBeLessThan(Number(byGdp(manifest).epsilon));
        const [{ charges }] = manifest.charges;
        expect(charges.map((charge) => 'records' in charge)).toEqual(charges.map(() => 'unit' in extra));
        expect(charges.map((charge) => 'grid' in charge)).toEqual([false, false, true]);
      }
  });

  it('is found whole where it is told by gdp alone and its charges say no more than how far answers move, as they did once', async () => {
    const { files } = await smallRelease({ make, budget, unit });
    const older = retold(files, (manifest) => {
      const plain = {
        ...manifest,
        charges: manifest.charges.map((act) => ({
          ...act,
          charges: act.charges.map((charge) => ({ ...charge, records: undefined, grid: undefined }) as never),
        })),
      };
      return { ...plain, privacy: byGdp(plain) };
    });
    expect(new TextDecoder().decode(older['bundle.json'])).not.toContain('"records":"3"');
    expect(await faultsOf(older)).toEqual([]);
  });

  it('is found out where it tells less than both, or a charge says what is not true of its query', async () => {
    const { files } = await smallRelease({ make, budget, unit });
    const less = retold(files, (m) => ({ ...m, privacy: { ...m.privacy, epsilon: '5.1' } }));
    expect((await faultsOf(less)).join('\n')).toMatch(/privacy statement: its epsilon must follow/);
    for (const detail of [{ records: rational(2) }, { grid: rational(7) }]) {
      const lie = retold(files, (m) => ({
        ...m,
        charges: m.charges.map((act, i) =>
          i === 0 ? { ...act, charges: act.charges.map((charge) => ({ ...charge, ...detail }) as never) } : act,
        ),
      }));
      expect((await faultsOf(lie)).join('\n')).toMatch(/measurement 1 \(a\): must have a charge/);
    }
  });
});
