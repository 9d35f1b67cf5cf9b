import { holding } from '../../query/holding.js';
import { seeded } from '../../random/seeded.js';
import type { HouseholdModel } from '../model.js';

/** Households drawn to learn their sizes where these are no attribute. */
const draws = 20_000;

/** The part of a model's households that have 1, 2, ... persons; of drawn ones, always the same, where the domain has no attribute that says it. */
export const sizeShares = (model: HouseholdModel): Float64Array => {
  const { maxSize, size } = model.domain.households!;
  if (size !== undefined)
    return model.answer(holding(size)).map((homes) => homes / Math.max(1e-9, model.householdTotal));
  const { offsets } = model.households(draws, seeded(1));
  const shares = new Float64Array(maxSize);
  for (let h = 0; h + 1 < offsets.length; h++) shares[offsets[h + 1] - offsets[h] - 1] += 1 / draws;
  return shares;
};
