/** Cliques that can be asked whether one of them holds some attributes: through the attribute that fewest of them have. */
export interface CliqueFinder {
  add(clique: readonly string[]): void;
  /** Whether any clique so far has the attribute. */
  has(attribute: string): boolean;
  /** Whether one clique has all of the attributes. */
  holds(attributes: readonly string[]): boolean;
}

export const cliqueFinder = (): CliqueFinder => {
  const homes = new Map<string, Set<string>[]>();
  return {
    add: (clique) => {
      const members = new Set(clique);
      for (const attribute of clique) {
        const own = homes.get(attribute);
        if (own === undefined) homes.set(attribute, [members]);
        else own.push(members);
      }
    },
    has: (attribute) => homes.has(attribute),
    holds: (attributes) => {
      if (attributes.length === 0) return true;
      const rarest = attributes
        .map((attribute) => homes.get(attribute) ?? [])
        .reduce((fewest, own) => (own.length < fewest.length ? own : fewest));
      return rarest.some((members) => attributes.every((attribute) => members.has(attribute)));
    },
  };
};
