import type { Domain } from '../../domain/domain.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { type HouseholdSupportModel, householdSupportModel } from '../../model/households/household-support-model.js';
import { badModel, columnArrays, type ModelCodec, readColumnArrays } from './model-codec.js';

/** Weighted households: a column of codes for each attribute, with a row a person; where each household starts; and its weight. */
export const householdsCodec: ModelCodec<HouseholdSupportModel> = {
  write: ({ householdTotal, support: { table, weights } }) => ({
    meta: { householdTotal },
    arrays: { ...columnArrays(table.columns), offsets: table.offsets, weights },
  }),
  read: (container, domain, name) => {
    const { meta, arrays } = container;
    const { weights, offsets } = arrays;
    const { householdTotal } = meta;
    if (!(weights instanceof Float64Array) || weights.length === 0) throw badModel(name, 'no weights');
    if (typeof householdTotal !== 'number' || !(householdTotal >= 0 && householdTotal < Infinity))
      throw badModel(name, 'no number of households');
    const sum = weights.reduce((all, weight) => all + (weight >= 0 ? weight : Number.NaN), 0);
    if (!(Math.abs(sum - 1) < 1e-6)) throw badModel(name, 'weights that do not add up to 1');
    if (!(offsets instanceof Uint32Array) || offsets.length !== weights.length + 1 || offsets[0] !== 0)
      throw badModel(name, 'no starts of its households');
    const length = offsets[weights.length];
    const columns = readColumnArrays(container, domain, length, name);
    if (Object.keys(arrays).length !== columns.length + 2) throw badModel(name, 'arrays nobody knows');
    const table = { domain, length, columns, offsets };
    checkTable(table, domain, name);
    return householdSupportModel({ table, weights }, householdTotal);
  },
};

/** Refuses households with nobody or too many, and persons who say different things of one household, or a wrong number of persons. */
const checkTable = ({ columns, offsets }: HouseholdTable, { attributes, households }: Domain, name: string): void => {
  if (households === undefined) throw badModel(name, 'households where the schema has none');
  const { maxSize, size } = households;
  const shared = attributes.flatMap((attribute, i) =>
    households.attributes.includes(attribute.name) ? [columns[i]] : [],
  );
  const place = attributes.findIndex((attribute) => attribute.name === size);
  for (let h = 0; h + 1 < offsets.length; h++) {
    const persons = offsets[h + 1] - offsets[h];
    if (!(persons >= 1 && persons <= maxSize)) throw badModel(name, `a household that has not 1 to ${maxSize} persons`);
    if (place >= 0 && columns[place][offsets[h]] !== persons - 1)
      throw badModel(name, 'a household of another size than it says');
    for (const column of shared)
      for (let row = offsets[h] + 1; row < offsets[h + 1]; row++)
        if (column[row] !== column[offsets[h]])
          throw badModel(name, 'persons who differ in what they say of their household');
  }
};
