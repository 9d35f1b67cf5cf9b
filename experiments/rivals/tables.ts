import type { Table } from '../../src/domain/table.js';
import { loadCodes } from '../data/load-codes.js';
import { rowsAt } from '../data/pick-rows.js';
import { adultTables } from '../pmw-pub/adult-tables.js';
import { loadSetting } from '../reweighting/settings.js';
import { madeNetwork } from './made-network.js';

/** A private table, and a public one where the setting has one. */
export interface RivalTables {
  readonly privateTable: Table;
  readonly publicTable?: Table | undefined;
}

interface RivalSetting {
  /** Whether it needs the folder of real tables. */
  readonly isReal: boolean;
  readonly load: (data: string, seed: number) => Promise<RivalTables>;
}

const four = (name: string): RivalSetting => ({
  isReal: true,
  load: async (data) => ({ privateTable: loadCodes(data, `pgm-four/${name}`) }),
});

const real = (load: RivalSetting['load']): RivalSetting => ({ isReal: true, load });
const made = (load: (seed: number) => RivalTables): RivalSetting => ({
  isReal: false,
  load: async (_, seed) => load(seed),
});

const rowsFrom = (first: number, count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => first + i);

/** Other networks than those that constants were chosen on: see docs/results.md. */
const networks = { binary: 101, large: 102, mixed: 103 } as const;
const mixedSizes = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20];

/** All settings. */
export const rivalSettings = {
  titanic: four('titanic'),
  adult: four('adult'),
  loans: four('loans'),
  stroke: four('stroke'),
  massachusetts: real((data) => loadSetting('massachusetts', data)),
  'across time': real((data) => loadSetting('across time', data)),
  'across states': real((data) => loadSetting('across states', data)),
  'adult, a tenth public': real(async (data, seed) => adultTables(data, seed, false, 0)),
  'adult, biased public': real(async (data, seed) => adultTables(data, seed, false, 0.25)),
  'made, 16 binary': made((seed) => ({ privateTable: madeNetwork(Array(16).fill(2), 20_000, networks.binary, seed) })),
  'made, one of 500': made((seed) => ({
    privateTable: madeNetwork([500, 8, 5, 4, 12, 2, 3, 6, 9], 100_000, networks.large, seed),
  })),
  'made, ten mixed': made((seed) => ({ privateTable: madeNetwork(mixedSizes, 20_000, networks.mixed, seed) })),
  'made, ten mixed, public': made((seed) => {
    const table = madeNetwork(mixedSizes, 24_000, networks.mixed, seed);
    return { privateTable: rowsAt(table, rowsFrom(4000, 20_000)), publicTable: rowsAt(table, rowsFrom(0, 4000)) };
  }),
} as const satisfies Record<string, RivalSetting>;

export type RivalSettingName = keyof typeof rivalSettings;
export const rivalSettingNames = Object.keys(rivalSettings) as RivalSettingName[];
