const most = 12;

/** Names for a message: the first dozen, each cut where it is long. */
export const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, most)
    .map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name))
    .join(', ')}${names.length > most ? `, ... (${names.length} in all)` : ''}`;
