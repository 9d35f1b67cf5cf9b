import { cellsOf, type Domain } from '../../src/domain/domain.js';
import type { Fitted } from '../../src/estimate/graphical/step.js';
import { type GraphicalModel, graphicalModel } from '../../src/model/graphical/graphical-model.js';
import { attributeOrder, junctionTree } from '../../src/model/graphical/tree/junction-tree.js';

/** Attributes of each clique in the order in which a fit lays their tables out, with the place of each table. */
export const layOut = (domain: Domain, cliques: readonly (readonly string[])[]) => {
  const order = attributeOrder(domain);
  let offset = 0;
  return cliques.map((clique) => {
    const attributes = order.filter((name) => clique.includes(name));
    const start = offset;
    offset += cellsOf(domain, attributes);
    return { attributes, start, end: offset };
  });
};

/** A point of a fit as a model. */
export const modelAt = (
  domain: Domain,
  cliques: readonly (readonly string[])[],
  { potentials, total }: Fitted,
): GraphicalModel =>
  graphicalModel(
    junctionTree(domain, cliques),
    layOut(domain, cliques).map(({ attributes, start, end }) => ({
      attributes,
      potential: potentials.slice(start, end),
    })),
    total,
  );
