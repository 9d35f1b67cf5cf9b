/** What may be asked of: a name, and its values where they are named. */
export interface Askable {
  readonly name: string;
  readonly labels: readonly string[];
}

const keywords = [
  'SELECT',
  'FROM data',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'HAVING',
  'LIMIT',
  'COUNT(*)',
  'PERCENT()',
  'SHARE()',
  'AVG(',
  'MEDIAN(',
  'SUM(',
  'STDDEV(',
  'CORR(',
  'BETWEEN',
  'AND',
  'OR',
  'NOT',
  'IN (',
  'IS NULL',
  'LIKE',
] as const;

const mostOffers = 8;
/** The word that is being written: letters at the end, or a text in quotes that is not closed. */
const openWord = /(?:'([^']*)|"([^"]*)|([\p{L}_][\p{L}\p{N}_]*))$/u;

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** How the word at the end of a statement may go on. */
export const suggestions = (sql: string, names: readonly Askable[]): readonly string[] => {
  if (sql.trim() === '') return ['SELECT'];
  const isQuoted = (sql.split("'").length - 1) % 2 === 1;
  const match = openWord.exec(sql);
  if (isQuoted) {
    const begun = sql.slice(sql.lastIndexOf("'") + 1).toLowerCase();
    const values = names.flatMap(({ labels }) => labels);
    return [...new Set(values)]
      .filter((value) => value.toLowerCase().startsWith(begun))
      .slice(0, mostOffers)
      .map((value) => `'${value.replaceAll("'", "''")}'`);
  }
  if (match === null) return sql.endsWith(' ') ? following(sql, names) : [];
  const begun = (match[2] ?? match[3] ?? '').toLowerCase();
  const known = [...names.map(({ name }) => quoted(name)), ...keywords];
  return known
    .filter((word) => word.replaceAll('"', '').toLowerCase().startsWith(begun) && word.toLowerCase() !== begun)
    .slice(0, mostOffers);
};

/** What comes after a whole word. */
const following = (sql: string, names: readonly Askable[]): readonly string[] => {
  const columns = names.map(({ name }) => quoted(name));
  const last = sql.trim().split(/\s+/).at(-1)!.toUpperCase();
  if (last === 'SELECT') return ['COUNT(*)', ...columns].slice(0, mostOffers);
  if (['WHERE', 'BY', 'AND', 'OR', 'NOT'].includes(last)) return columns.slice(0, mostOffers);
  if (!/\bFROM\b/i.test(sql)) return ['FROM data'];
  return /\bWHERE\b/i.test(sql) ? ['AND', 'GROUP BY'] : ['WHERE', 'GROUP BY'];
};

/** The statement with the word at its end made whole. */
export const complete = (sql: string, word: string): string => {
  const isQuoted = (sql.split("'").length - 1) % 2 === 1;
  const begun = isQuoted
    ? sql.slice(0, sql.lastIndexOf("'"))
    : sql.endsWith(' ') || sql === ''
      ? sql
      : sql.replace(openWord, '');
  return `${begun}${word}${word.endsWith('(') ? '' : ' '}`;
};
