import { type Domain, indexOf } from '../../domain/domain.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { levelsOf } from '../../domain/households/levels-of.js';
import { codeColumn } from '../../domain/table.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import type { HouseholdHeads } from '../households/household-heads.js';
import { roundedCounts } from '../rounded-counts.js';
import { type ComponentHeads, drawCodes } from './component-heads.js';

/**
 * The paper's two stages of sampling (section 4.2): households with their number of persons and their attributes, then as many persons as each has, from
 * the first slots. As many households of each component as of any other up to one, and of each variable as many of each code as its
 * probability says, up to one: counts deviate less than those of independent draws. They come in random order.
 */
export const drawHouseholds = (
  domain: Domain,
  layout: HouseholdHeads,
  mixture: ComponentHeads,
  count: number,
  random: Random,
): HouseholdTable => {
  const { components, columns, heads } = mixture;
  const { household, person } = levelsOf(domain);
  const shares = roundedCounts(new Float64Array(components).fill(1 / components), count, random);
  const order = shuffle(
    Uint32Array.from({ length: count }, (_, h) => h),
    random,
  );
  let next = 0;
  const groups = Array.from(shares, (own) => {
    const group = order.slice(next, next + own);
    next += own;
    return group;
  });
  /** One code of a variable for each of some households of a component. */
  const codes = (component: number, head: number, members: ArrayLike<number>): number[] => {
    const { from, size } = heads[head];
    return drawCodes(mixture, component * columns + from, size, members.length, random);
  };

  const offsets = new Uint32Array(count + 1);
  groups.forEach((group, component) => {
    codes(component, 0, group).forEach((code, i) => {
      offsets[group[i] + 1] = code + 1;
    });
  });
  const sizes = offsets.slice(1);
  for (let h = 0; h < count; h++) offsets[h + 1] += offsets[h];
  const target = domain.attributes.map(({ size }) => codeColumn(size, offsets[count]));
  const columnOf = (name: string) => target[indexOf(domain, name)];

  groups.forEach((group, component) => {
    for (const name of household)
      codes(component, layout.household(name), group).forEach((code, i) => {
        columnOf(name).fill(code, offsets[group[i]], offsets[group[i] + 1]);
      });
    for (let slot = 0; slot < layout.maxSize; slot++) {
      const members = group.filter((h) => sizes[h] > slot);
      for (const name of person)
        codes(component, layout.person(slot, name), members).forEach((code, i) => {
          columnOf(name)[offsets[members[i]] + slot] = code;
        });
    }
  });
  const { size } = domain.households ?? {};
  if (size !== undefined) for (let h = 0; h < count; h++) columnOf(size).fill(sizes[h] - 1, offsets[h], offsets[h + 1]);
  return { domain, length: offsets[count], columns: target, offsets };
};
