import { codesAt } from '../../domain/cell-index.js';
import { type Domain, sizesOf } from '../../domain/domain.js';
import { splitLevels } from '../../domain/households/split-levels.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { type Holding, holdingCells } from '../../query/holding.js';
import { reordered } from '../graphical/reordered.js';
import { type HouseholdHeads, householdHeads } from '../households/household-heads.js';
import { marginalCells } from '../marginal-cells.js';
import type { HouseholdModel } from '../model.js';
import { type ComponentHeads, componentHeads, insideOf, multiplyIn } from './component-heads.js';
import { type Condition, withoutConditions } from './conditions.js';
import { drawHouseholds } from './draw-households.js';

/**
 * An even mixture of product distributions of households (H-GEM, section 4.2): in a component the number of persons, the household's attributes and each
 * attribute of each of M persons are independent, and a household of m persons has the first m.
 */
export interface HouseholdMixture extends HouseholdModel {
  readonly kind: 'household-mixture';
  readonly components: number;
  /** For each component the probabilities of all cells of all its distributions, in the order of `householdHeads`. */
  readonly probabilities: Float32Array;
}

/** What is asked of each component. */
interface Asked {
  readonly attributes: readonly string[];
  readonly conditions: readonly Condition[];
  /** Whether a household counts once in a cell, or each of its persons there. */
  readonly once: boolean;
}

/** Models so many households by a mixture; the probabilities are kept, not copied. */
export const householdMixture = (
  domain: Domain,
  probabilities: Float32Array,
  householdTotal: number,
): HouseholdMixture => {
  const layout = householdHeads(domain);
  const mixture = componentHeads(layout.names, layout.sizes, probabilities);
  const sums = (asked: Asked): Float64Array => expectedCounts(domain, layout, mixture, asked, householdTotal);

  const marginal = (attributes: readonly string[]): Float64Array => sums({ attributes, conditions: [], once: false });
  const holdings = (query: Holding): Float64Array => {
    const { sizes } = holdingCells(query, domain);
    const { attributes, cell } = query;
    if (cell === undefined) return sums({ attributes, conditions: [], once: true });
    const conditions = codesAt(cell, sizes).map((code, i) => ({ attribute: attributes[i], cells: [code] }));
    return sums({ attributes: [], conditions, once: true });
  };

  return {
    kind: 'household-mixture',
    domain,
    householdTotal,
    total: marginal([])[0],
    components: mixture.components,
    probabilities,
    cost: { bytes: 12 * probabilities.length, visits: Number.POSITIVE_INFINITY },
    marginal,
    answer: (query) => {
      if (query.kind === 'holding') return holdings(query);
      const { rest, conditions } = withoutConditions(query, domain);
      return answerFrom(rest, domain, sums({ attributes: attributesOf(rest), conditions, once: false }));
    },
    households: (count, random) => drawHouseholds(domain, layout, mixture, count, random),
  };
};

/** The counts of so many households in all cells of the attributes, in their order: both formulas of section 4.2, with conditions. */
const expectedCounts = (
  domain: Domain,
  layout: HouseholdHeads,
  mixture: ComponentHeads,
  { attributes, conditions, once }: Asked,
  householdTotal: number,
): Float64Array => {
  const { household, bySize, person, order } = splitLevels(domain, attributes);
  const { maxSize } = layout;
  const { components, columns, heads, exact } = mixture;
  const counts = new Float64Array(marginalCells(domain, attributes));
  const kinds = sizesOf(domain, person).reduce((cells, size) => cells * size, 1);
  const inner = new Float64Array(bySize ? maxSize * kinds : kinds);
  const own = new Float64Array(counts.length / inner.length);
  const [seen, chances] = [new Float64Array(kinds), new Float64Array(kinds)];
  const limits = splitConditions(domain, conditions);
  const ownHeads = household.map((name) => heads[layout.household(name)]);
  const slots = Array.from({ length: maxSize }, (_, m) => person.map((name) => heads[layout.person(m, name)]));
  /** What meets conditions, of a component that begins at `at`, by the number of the variable that each is about. */
  const met = (list: readonly Condition[], head: (name: string) => number, at: number): number =>
    list.reduce((left, { attribute, cells }) => left * insideOf(mixture, at + heads[head(attribute)].from, cells), 1);

  for (let component = 0; component < components; component++) {
    const at = component * columns;
    own[0] = (householdTotal / components) * met(limits.household, layout.household, at);
    let cells = 1;
    for (const { from, size } of ownHeads) cells = multiplyIn(own, cells, mixture, at + from, size);
    inner.fill(0);
    seen.fill(0);
    for (let m = 0; m < maxSize; m++) {
      chances[0] = met(limits.person, (name) => layout.person(m, name), at);
      let filled = 1;
      for (const { from, size } of slots[m]) filled = multiplyIn(chances, filled, mixture, at + from, size);
      const chance = limits.size(m) ? exact[at + m] : 0;
      const to = bySize ? m * kinds : 0;
      for (let cell = 0; cell < kinds; cell++) {
        seen[cell] += chances[cell] * (once ? 1 - seen[cell] : 1);
        inner[to + cell] += chance * seen[cell];
      }
    }
    for (let g = 0, to = 0; g < cells; g++)
      for (let cell = 0; cell < inner.length; cell++) counts[to++] += own[g] * inner[cell];
  }
  return reordered(counts, order, sizesOf(domain, order), attributes);
};

/** Conditions by what they are about; that on the number of persons says whether m + 1 of them will do. */
const splitConditions = (domain: Domain, conditions: readonly Condition[]) => {
  const { household, person } = splitLevels(
    domain,
    conditions.map(({ attribute }) => attribute),
  );
  const onSize = conditions.find(({ attribute }) => attribute === domain.households?.size);
  return {
    household: conditions.filter(({ attribute }) => household.includes(attribute)),
    person: conditions.filter(({ attribute }) => person.includes(attribute)),
    size: (m: number): boolean => onSize === undefined || onSize.cells.includes(m),
  };
};
