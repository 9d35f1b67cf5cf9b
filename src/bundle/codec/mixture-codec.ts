import { InputError } from '../../domain/input-error.js';
import { type ProductMixture, productMixture } from '../../model/mixture/product-mixture.js';
import { badModel, type ModelCodec } from './model-codec.js';

/** A mixture of product distributions: for each component the probabilities of all cells of all attributes. */
export const mixtureCodec: ModelCodec<ProductMixture> = {
  write: ({ total, probabilities }) => ({ meta: { total }, arrays: { probabilities } }),
  read: ({ meta, arrays }, domain, name) => {
    const { total } = meta;
    const { probabilities } = arrays;
    if (!(probabilities instanceof Float32Array) || Object.keys(arrays).length !== 1)
      throw badModel(name, 'no probabilities');
    if (typeof total !== 'number' || !(total >= 0 && total < Infinity)) throw badModel(name, 'no total');
    try {
      return productMixture(domain, probabilities, total);
    } catch (error) {
      if (error instanceof InputError) throw badModel(name, 'probabilities that do not fit its schema');
      throw error;
    }
  },
};
