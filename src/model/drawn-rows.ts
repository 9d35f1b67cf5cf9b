import type { Table } from '../domain/table.js';
import type { Random } from '../random/random.js';
import { type AnyModel, modelsHouseholds } from './model.js';

/** So many rows of a model; of one of households, about so many persons, in whole households. */
export const drawnRows = (model: AnyModel, rows: number, random: Random): Table =>
  modelsHouseholds(model)
    ? model.households(Math.max(1, Math.round((rows * model.householdTotal) / model.total)), random)
    : model.sample(rows, random);
