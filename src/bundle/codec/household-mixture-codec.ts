import { InputError } from '../../domain/input-error.js';
import { type HouseholdMixture, householdMixture } from '../../model/mixture/household-mixture.js';
import { badModel, type ModelCodec } from './model-codec.js';

/** A mixture of product distributions of households: for each component the probabilities of all cells of all its distributions. */
export const householdMixtureCodec: ModelCodec<HouseholdMixture> = {
  write: ({ householdTotal, probabilities }) => ({ meta: { householdTotal }, arrays: { probabilities } }),
  read: ({ meta, arrays }, domain, name) => {
    const { householdTotal } = meta;
    const { probabilities } = arrays;
    if (!(probabilities instanceof Float32Array) || Object.keys(arrays).length !== 1)
      throw badModel(name, 'no probabilities');
    if (typeof householdTotal !== 'number' || !(householdTotal >= 0 && householdTotal < Infinity))
      throw badModel(name, 'no number of households');
    try {
      return householdMixture(domain, probabilities, householdTotal);
    } catch (error) {
      if (error instanceof InputError) throw badModel(name, 'probabilities that do not fit its schema');
      throw error;
    }
  },
};
