import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';

/** A release that is killed: a mechanism with settings under which it takes a second or two, most of it between its acts. */
export interface KilledRelease {
  readonly name: string;
  /** What follows `surmise release`, but for the budget and where things go. */
  readonly words: readonly string[];
}

const flat = ['private.csv', '--schema', 'schema.json'];
const open = ['--public', 'public.csv'];
const homes = ['persons.csv', '--households', 'households.csv', '--schema', 'homes.json'];
const openHomes = ['--public', 'open-persons.csv', '--public-households', 'open-households.csv'];

const by = (name: string, tables: readonly string[], ...set: readonly string[]): KilledRelease => ({
  name,
  words: [...tables, '--mechanism', name, ...set.flatMap((one) => ['--set', one])],
});

/** Every mechanism of the registry, with what it needs, and a release whose schema is asked for. */
export const killedReleases: readonly KilledRelease[] = [
  by('reweight', [...flat, ...open]),
  by('ide', [...flat, ...open]),
  by('pmw-pub', [...flat, ...open], 'rounds=8'),
  by('aim', flat),
  by('pairs', flat),
  by('mst', flat),
  by('jam', [...flat, ...open]),
  by('mwem', flat, 'rounds=8'),
  by('privbayes', flat),
  by('hdmm', flat),
  by('dual-query', flat),
  by('residual-planner', flat),
  by('gem', flat, 'rounds=6', 'batch=50', 'steps=10'),
  by('grouped', [...flat, ...open], 'keys=town'),
  by('h-reweight', [...homes, ...openHomes]),
  by('h-mwem', homes, 'rounds=6'),
  by('h-gem', homes, 'rounds=5', 'batch=50', 'steps=10'),
  {
    name: 'discovery',
    words: ['raw.csv', '--discover', '--discover-share', '0.3', '--mechanism', 'residual-planner'],
  },
];

const schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'town', type: 'category', values: ['a', 'b', 'c'] },
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 8 },
    { name: 'works', type: 'boolean' },
  ],
};

const homesSchema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'region', type: 'category', values: ['north', 'south'] },
    { name: 'dwelling', type: 'category', values: ['house', 'flat'] },
    { name: 'age', type: 'integer', edges: [0, 18, 65, 120] },
    { name: 'sex', type: 'category', values: ['f', 'm'] },
  ],
  twoLevel: { key: 'home', household: ['region', 'dwelling'], maxSize: 3, size: 'persons' },
};

/** A made-up table of people, as CSV. */
const people = (rows: number, seed: number): string => {
  const random = seeded(seed);
  const below = (n: number): number => uniformInteger(random, n);
  const lines = Array.from({ length: rows }, () => {
    const age = below(100);
    return [['a', 'b', 'c'][below(age > 50 ? 2 : 3)], 'fm'[below(2)], age, age > 17 && below(3) > 0].join(',');
  });
  return ['town,sex,age,works', ...lines, ''].join('\n');
};

/** Made-up households and their persons, as CSV. */
const village = (count: number, seed: number): { readonly households: string; readonly persons: string } => {
  const random = seeded(seed);
  const below = (n: number): number => uniformInteger(random, n);
  const households = ['home,region,dwelling'];
  const persons = ['home,age,sex'];
  for (let home = 0; home < count; home++) {
    households.push(`${home},${['north', 'south', 'south'][below(3)]},${['house', 'flat'][below(2)]}`);
    for (let i = below(3); i >= 0; i--) persons.push(`${home},${i < 2 ? 20 + below(60) : below(18)},${'fm'[below(2)]}`);
  }
  return { households: `${households.join('\n')}\n`, persons: `${persons.join('\n')}\n` };
};

/** The files that the releases are made of, by name. */
export const killedFiles = (): Readonly<Record<string, string>> => {
  const [hidden, seen] = [village(150, 3), village(100, 4)];
  return {
    'schema.json': JSON.stringify(schema),
    'homes.json': JSON.stringify(homesSchema),
    'private.csv': people(600, 1),
    'raw.csv': people(6000, 5),
    'public.csv': people(400, 2),
    'persons.csv': hidden.persons,
    'households.csv': hidden.households,
    'open-persons.csv': seen.persons,
    'open-households.csv': seen.households,
  };
};
