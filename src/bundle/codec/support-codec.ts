import { type SupportModel, supportModel } from '../../model/support/support-model.js';
import { badModel, columnArrays, type ModelCodec, readColumnArrays } from './model-codec.js';

/** A weighted support: a column of codes for each attribute, and the weights of the rows. */
export const supportCodec: ModelCodec<SupportModel> = {
  write: ({ total, support: { columns, weights } }) => ({
    meta: { total },
    arrays: { ...columnArrays(columns), weights },
  }),
  read: (container, domain, name) => {
    const { meta, arrays } = container;
    const { weights } = arrays;
    const { total } = meta;
    if (!(weights instanceof Float64Array) || weights.length === 0) throw badModel(name, 'no weights');
    if (typeof total !== 'number' || !(total >= 0 && total < Infinity)) throw badModel(name, 'no total');
    const sum = weights.reduce((all, weight) => all + (weight >= 0 ? weight : Number.NaN), 0);
    if (!(Math.abs(sum - 1) < 1e-6)) throw badModel(name, 'weights that do not add up to 1');
    const columns = readColumnArrays(container, domain, weights.length, name);
    if (Object.keys(arrays).length !== columns.length + 1) throw badModel(name, 'arrays nobody knows');
    return supportModel({ domain, length: weights.length, columns, weights }, total);
  },
};
