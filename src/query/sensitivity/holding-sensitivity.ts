import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type Holding, type HoldingCells, holdingCells } from '../holding.js';
import type { Relation } from '../relation.js';
import { type Unit, unitText } from '../unit.js';
import type { Size } from './reach.js';

/**
 * How far the numbers of households that hold somebody in each cell move between neighbours, exactly (docs/households.md has the proof). A household
 * of up to M persons counts once in as many cells as it holds different persons, at most c = min(M, P) of the P person cells, all of them in one
 * household cell.
 * - A household comes or goes: c.
 * - A household takes the place of another, either of which may have been left out: 2 c, or what two sets of at most c of the same P cells
 *   differ by where there is but one household cell.
 * - What is said of one person changes: it may leave a cell empty and be the first in another.
 * A single cell moves by 1 wherever the whole moves at all.
 */
export const holdingSensitivity = (query: Holding, domain: Domain, relation: Relation, unit: Unit): Size => {
  const cells = holdingCells(query, domain);
  if (unit.kind !== 'household' && unit.kind !== 'person')
    throw new InputError(
      `query: households can be counted where a household or a person is protected, got ${unitText(unit)}; protect a household`,
    );
  const whole = unit.kind === 'household' ? byHousehold(cells, relation) : byPerson(cells, relation);
  const moved = query.cell === undefined ? whole : Math.min(1, whole);
  return { l1: BigInt(moved), l2Squared: BigInt(moved), lInf: moved === 0 ? 0n : 1n };
};

const byHousehold = ({ householdApart, household, person, maxSize }: HoldingCells, relation: Relation): number => {
  const most = Math.min(maxSize, person);
  if (relation === 'add-remove') return most;
  if (householdApart > 1) return 2 * most;
  // Both are in the same household cell, and have as many persons each as they may.
  const together = Math.min(2 * most, person);
  // Where the number of persons alone keeps them apart, one has a person less.
  return household > 1 ? Math.max(together, most + Math.min(maxSize - 1, person)) : together;
};

/** A person who comes or goes alone is nobody's neighbour, but what one group of a partition sees. */
const byPerson = ({ person }: HoldingCells, relation: Relation): number =>
  relation === 'add-remove' ? 1 : person > 1 ? 2 : 0;
