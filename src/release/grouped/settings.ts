import { InputError } from '../../domain/input-error.js';
import { leastDependence } from '../../estimate/cliques/clique-workload.js';
import { mostIndependence, mostRegionCells } from './workloads.js';

/** What the contest pipeline is told where nobody says otherwise. */
export const groupedDefaults = {
  /** Names, with commas between them, of the attributes whose combinations are the groups. */
  keys: '',
  /** Names of those that make a region; the first key where nobody says. */
  region: '',
  estimator: 'reweight',
  dependence: leastDependence,
  independence: mostIndependence,
  maxCells: mostRegionCells,
  pool: 8192,
  draws: 1024,
};

export type GroupedSettings = typeof groupedDefaults;

/** Names with commas between them, or, for names that have commas, a list in JSON. */
const namesIn = (text: string, setting: string): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split(',').flatMap((name) => name.trim() || []);
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  } catch {
    // Told below.
  }
  throw new InputError(`${setting}: must be names of attributes with commas between them, got ${JSON.stringify(text)}`);
};

/** The attributes that tell groups apart, and those that tell regions apart. */
export const keysOf = ({ keys: listed, region }: Pick<GroupedSettings, 'keys' | 'region'>) => {
  const keys = namesIn(listed, 'keys');
  const regions = namesIn(region, 'region');
  return { keys, regions: regions.length === 0 ? keys.slice(0, 1) : regions };
};
