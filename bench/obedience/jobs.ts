import { writeHomes, writeTables } from '../runs/tables.js';

/** A kind of long work. */
export interface Job {
  readonly name: string;
  /** Which tables it is about. */
  readonly tables: keyof typeof tablesFor;
  readonly words: readonly string[];
  /** What must have been done before. */
  readonly before?: readonly (readonly string[])[] | undefined;
}

/** Large enough for each stage to take seconds. */
export const tablesFor = {
  wide: (folder: string) => writeTables(folder, 'wide', 60_000, 10_000),
  places: (folder: string) => writeTables(folder, 'places', 300_000, 100_000),
  eight: (folder: string) => writeTables(folder, 'eight', 300_000, 100_000),
  twenty: (folder: string) => writeTables(folder, 'twenty', 2_000_000, 100_000),
  fifteen: (folder: string) => writeTables(folder, 'fifteen', 50_000, 20_000),
  homes: (folder: string) => writeHomes(folder, 100_000, 50_000),
} as const;

const kept = ['--epsilon', '1', '--delta', '1e-9', '-o', 'out', '--ledger', 'kept.ledger.jsonl', '--unsafe-seed', '1'];

const release = (
  mechanism: string,
  tables: 'wide' | 'places' | 'eight' | 'twenty' | 'fifteen',
  hasPublic: boolean,
  ...more: readonly string[]
): Job => ({
  name: `${mechanism}-${tables}`,
  tables,
  words: [
    ...['release', `${tables}.csv`, '--schema', `${tables}.json`, '--mechanism', mechanism, '--outside', 'clip'],
    ...(hasPublic ? ['--public', `${tables}-public.csv`] : []),
    ...kept,
    ...more,
  ],
});

const homes = (mechanism: string, hasPublic: boolean, ...more: readonly string[]): Job => ({
  name: mechanism,
  tables: 'homes',
  words: [
    ...['release', 'persons.csv', '--households', 'households.csv', '--schema', 'homes.json', '--mechanism', mechanism],
    ...(hasPublic ? ['--public', 'open-persons.csv', '--public-households', 'open-households.csv'] : []),
    ...['--outside', 'clip', ...kept, ...more],
  ],
});

/** A release that others are about: reweighted, with bounds. */
const made = release('reweight', 'eight', true).words;

/** Every mechanism, and every command that may take long. */
export const jobs: readonly Job[] = [
  {
    name: 'dry-run',
    tables: 'wide',
    words: ['release', '--dry-run', '--schema', 'wide.json', '--epsilon', '1', '--public', 'wide-public.csv'],
  },
  release('aim', 'wide', false),
  release('aim', 'places', false),
  release('pairs', 'fifteen', false),
  release('pairs', 'places', false),
  release('mst', 'wide', false),
  release('jam', 'eight', true),
  release('reweight', 'twenty', true),
  release('ide', 'eight', true),
  release('pmw-pub', 'eight', true),
  release('mwem', 'fifteen', false, '--set', 'estimator=pgm'),
  release('privbayes', 'fifteen', false),
  release('hdmm', 'fifteen', false),
  release('dual-query', 'eight', false),
  release('residual-planner', 'fifteen', true),
  release('gem', 'fifteen', false, '--set', 'rounds=10'),
  release('grouped', 'eight', true, '--set', 'keys=a4'),
  homes('h-reweight', true),
  homes('h-mwem', false),
  homes('h-gem', false, '--set', 'rounds=10'),
  {
    name: 'compare',
    tables: 'fifteen',
    words: [
      ...['compare', 'fifteen-public.csv', '--schema', 'fifteen.json', '--mechanisms', 'aim,mwem'],
      ...['--epsilon', '1', '--delta', '1e-9'],
    ],
  },
  {
    name: 'evaluate',
    tables: 'twenty',
    words: ['evaluate', 'twenty-public.csv', 'twenty-public.csv', '--schema', 'twenty.json'],
  },
  {
    name: 'refit',
    tables: 'eight',
    before: [made],
    words: [
      ...['refit', 'out', '-o', 'refitted', '--estimator', 'reweight'],
      ...['--public', 'eight-public.csv', '--bootstrap', '20'],
    ],
  },
  { name: 'report', tables: 'eight', before: [made], words: ['report', 'out', '-o', 'report.html'] },
  { name: 'verify', tables: 'eight', before: [made], words: ['verify', 'out'] },
];
