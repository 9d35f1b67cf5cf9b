import { openCells } from './attribute/cells.js';
import type { Domain } from './domain.js';

/**
 * The domain as far as a public table can be expected to know it: with the cells between the ends alone, where some are open. For comparing
 * numbers of cells with numbers of rows or budgets; codes are not those of the domain.
 */
export const declaredCells = (domain: Domain): Domain => ({
  ...domain,
  attributes: domain.attributes.map((attribute) => ({
    ...attribute,
    size: attribute.size - openCells(attribute.spec).length,
  })),
});
