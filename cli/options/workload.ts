import * as v from 'valibot';
import { householdWorkload, mostPairCells, withOutside } from '../../src/advanced.js';
import {
  allMarginals,
  type Domain,
  domainFromSchema,
  InputError,
  type Outside,
  parseWorkload,
  type Schema,
  type Workload,
} from '../../src/index.js';
import { file, type Kind } from './kinds.js';

/** Workloads that need no file: all marginals of so many attributes, and of households who holds somebody in their cells. */
const ways = { 'all-2way': 2, 'all-3way': 3 } as const;

type Way = keyof typeof ways;

const isWay = (word: string): word is Way => Object.hasOwn(ways, word);

/** A name of a workload, or a file that holds one: what is in it can be told once the schema is known. */
export const workloadKind: Kind<string> = {
  ...file,
  value: 'W',
  json: v.pipe(v.string(), v.nonEmpty()),
  placed: (word, folder) => (isWay(word) ? word : file.placed!(word, folder)),
  complete: { kind: 'words-or-file', words: Object.keys(ways) },
};

/** The workload that an option names, over the cells that a schema declares; whatever is wrong with it begins with its name. */
export const workloadFor = async (
  named: string | undefined,
  schema: Schema,
  outside?: Outside,
): Promise<Workload | undefined> => {
  if (named === undefined) return undefined;
  const domain = domainFromSchema(withOutside(schema, outside));
  if (isWay(named)) return allOf(domain, named);
  const { readJson } = await import('../../adapters/index.js');
  const json = await readJson(named, {
    what: `${Object.keys(ways).join(', ')} or a file of queries`,
    missing: 'check the path, or see docs/queries.md',
  });
  try {
    return parseWorkload(json, domain);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${named}: ${error.message.replace(/^workload: /, '')}`);
    throw error;
  }
};

const allOf = (domain: Domain, way: Way): Workload => {
  const { households } = domain;
  const attributes = domain.attributes.filter(({ name }) => name !== households?.size).length;
  if (attributes < ways[way])
    throw new InputError(
      `option --workload: ${way} needs ${ways[way]} attributes, got a schema of ${attributes}; name a file of queries`,
    );
  return households === undefined
    ? allMarginals(domain, ways[way], { maxCells: mostPairCells })
    : householdWorkload(domain, { attributes: ways[way], maxCells: mostPairCells });
};
