import { cellAt } from '../cell-index.js';
import type { Domain } from '../domain.js';
import { constraintsOf } from './constraints-of.js';

/** A column that another one determines, whatever it holds. */
export interface Determiner {
  readonly child: string;
  readonly parent: string;
  /** The child's cell for each cell of the parent. */
  readonly map: readonly number[];
}

const found = new WeakMap<Domain, readonly Determiner[]>();

/**
 * The columns that one other column determines, through others too where these are determined themselves: a child has one for each of its ancestors, the nearest first. Columns that
 * determine each other are one child and one parent, the first that is declared.
 */
export const determiners = (domain: Domain): readonly Determiner[] => {
  const known = found.get(domain) ?? makeOut(domain);
  found.set(domain, known);
  return known;
};

const makeOut = (domain: Domain): Determiner[] => {
  const { rules } = constraintsOf(domain) ?? { rules: [] };
  const direct = new Map<string, Determiner>();
  const ancestorsOf = (name: string): Determiner[] => {
    const own = direct.get(name);
    if (own === undefined) return [];
    return [
      own,
      ...ancestorsOf(own.parent).map(({ parent, map }) => ({
        child: name,
        parent,
        map: map.map((cell) => own.map[cell]),
      })),
    ];
  };
  for (const { attributes, allowed, determined } of rules) {
    if (determined === undefined || allowed === undefined || attributes.length !== 2) continue;
    const isFirst = attributes[0] === determined;
    const [child, parent] = [determined, attributes[isFirst ? 1 : 0]].map((at) => domain.attributes[at]);
    const isCircle = ancestorsOf(parent.name).some((own) => own.parent === child.name);
    if (direct.has(child.name) || isCircle) continue;
    const sizes = attributes.map((at) => domain.attributes[at].size);
    const map = Array.from({ length: parent.size }, (_, cell) =>
      Array.from({ length: child.size }, (_own, own) => own).findIndex(
        (own) => allowed[cellAt(isFirst ? [own, cell] : [cell, own], sizes)] === 1,
      ),
    );
    direct.set(child.name, { child: child.name, parent: parent.name, map });
  }
  return [...direct.keys()].flatMap(ancestorsOf);
};
