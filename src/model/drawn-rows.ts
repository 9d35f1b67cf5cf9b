import type { Table } from '../domain/table.js';
import type { Turns } from '../domain/turns.js';
import type { Random } from '../random/random.js';
import { type AnyModel, modelsHouseholds } from './model.js';

/** So many rows of a model, in turns; of one of households, about so many persons, in whole households. */
export function* drawnRows(model: AnyModel, rows: number, random: Random): Turns<Table> {
  yield;
  if (modelsHouseholds(model))
    return model.households(Math.max(1, Math.round((rows * model.householdTotal) / model.total)), random);
  return model.sampling === undefined ? model.sample(rows, random) : yield* model.sampling(rows, random);
}
