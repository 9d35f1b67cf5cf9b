import { cellLabels, valueCells } from '../../../src/domain/attribute/cells.js';
import { domainFromSchema, parseSchema } from '../../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import type { Random } from '../../../src/random/random.js';
import { below, chance, pick } from './random-tables.js';

/**
 * The schema with a constraint on its first two columns that rows made up without it break as it happens: some combinations that do not occur or, where no public row has to keep it, a
 * first column that determines the second.
 */
export const withConstraint = (random: Random, schema: Schema, mayDetermine: boolean): Schema => {
  const [first, second] = domainFromSchema(schema).attributes;
  const [rows, columns] = [first, second].map((attribute) =>
    cellLabels(attribute).slice(0, valueCells(attribute.spec)),
  );
  const pairs = rows.flatMap((a) => columns.map((b) => [a, b]));
  const from = below(random, pairs.length);
  const constraint =
    mayDetermine && chance(random, 0.5)
      ? { from: first.name, to: second.name, map: rows.map((a) => [a, pick(random, columns)]) }
      : {
          of: [first.name, second.name],
          zeros: Array.from({ length: Math.ceil(pairs.length / 3) }, (_, i) => pairs[(from + i) % pairs.length]),
        };
  return parseSchema({ ...schema, constraints: [constraint] });
};
