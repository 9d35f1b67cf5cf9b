import { domainOf } from '../../src/domain/domain-of.js';
import type { DiscoveryDoor } from '../../src/privacy/discovery/discovery-door.js';
import { type Audit, clamp } from './case.js';
import { type DiscoverySetting, discoveryAudit } from './discovery-audit.js';

const specOf = (name: string) => ({ name, type: 'category', values: ['a', 'b'] }) as const;
const [from, to] = domainOf([specOf('c0'), specOf('c1')]).attributes;

/** The noisy counts of the first combination less those of the last. */
const apart = async (door: DiscoveryDoor): Promise<number> => {
  const [{ counts }] = await door.together([{ from: [from], to }], 1);
  return clamp(counts[0] - counts[3], -30, 30);
};

/** A unit of two rows that goes from one combination of values to another. */
const moving: Omit<DiscoverySetting, 'name' | 'effort'> = {
  sides: [
    [
      [1, 'b', 'b'],
      [1, 'b', 'b'],
    ],
    [
      [1, 'a', 'a'],
      [1, 'a', 'a'],
    ],
  ],
  relation: 'replace-one',
  maxRecords: 2,
  budget: { rho: 0.5 },
  measure: 'mu',
  run: apart,
};

/** Counts from which a map between columns is learned. */
export const mapAudits: readonly Audit[] = [
  discoveryAudit({ ...moving, name: 'a map between columns, replace-one, two rows a unit', effort: 0.4 }),
  discoveryAudit({
    ...moving,
    name: 'a map between columns, add-remove, pure',
    effort: 0.4,
    sides: [[], [[1, 'a', 'a']]],
    relation: 'add-remove',
    maxRecords: 1,
    budget: { epsilon: 1 },
    measure: 'epsilon',
    run: async (door) => {
      const [{ counts }] = await door.together([{ from: [from], to }], 1);
      return counts[0] >= 1 ? 1 : 0;
    },
  }),
  discoveryAudit({
    ...moving,
    name: 'planted: values that stand together, charged for one row of two',
    effort: 0.4,
    plant: (parts) => ({ ...parts, unit: { ...parts.unit, maxRecords: 1 } }),
  }),
];
