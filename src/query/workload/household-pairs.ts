import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { holding } from '../holding.js';
import { marginal, total } from '../marginal.js';
import type { Query } from '../query.js';
import { mostPairCells } from './pairs-or-one-ways.js';
import { type Workload, workloadOf } from './workload.js';

/**
 * The number of households, all pairs of attributes of both levels with at most `maxCells` cells, and each attribute that is in no such pair alone. A pair asks
 * how many households hold somebody in each cell, and, if an attribute of persons is in it, how many persons there are: a whole
 * query costs a household's protection M times as much where it counts persons, and of households alone little more is learned from it.
 */
export const householdPairs = (domain: Domain, maxCells: number = mostPairCells): Workload => {
  const { households } = domain;
  if (households === undefined)
    throw new InputError('household workload: needs a domain with households, got a plain one; see docs/households.md');
  const names = domain.attributes.map(({ name }) => name);
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  const kept = pairs.filter((pair) => cellsOf(domain, pair) <= maxCells);
  const covered = new Set(kept.flat());
  const sets = [...kept, ...names.filter((name) => !covered.has(name)).map((name) => [name])];
  const ofPersons = sets.filter((set) => set.some((name) => !households.attributes.includes(name)));
  const persons: Query[] = ofPersons.length === 0 ? [total()] : ofPersons.map((set) => marginal(...set));
  return workloadOf([holding(), ...sets.map((set) => holding(...set)), ...persons]);
};
