/** What may be asked of: a name, and its values where they are named. */
export interface Askable {
  readonly name: string;
  readonly labels: readonly string[];
}

/** What a release has to be asked of. */
export interface Asked {
  readonly columns: readonly Askable[];
  /** The names of its tables. */
  readonly tables: readonly string[];
}

/** How a word may go on: in the place of what stands from `from` to the caret. */
export interface Offers {
  readonly from: number;
  readonly words: readonly { readonly word: string; readonly kind: 'column' | 'value' | 'keyword' }[];
}

/** Words of the language, as they are written and as they are highlighted. */
export const keywords = [
  'SELECT',
  'FROM',
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
  'AS',
  'ASC',
  'DESC',
] as const;

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** The word that is being written: letters at the end, or a name in quotes that is not closed. */
const openWord = /(?:"([^"]*)|([\p{L}_][\p{L}\p{N}_]*))$/u;

const beginning = (words: Offers['words'], begun: string): Offers['words'] =>
  words.filter(({ word }) => {
    const plain = word.replaceAll('"', '').toLowerCase();
    return plain.startsWith(begun) && word.toLowerCase() !== begun;
  });

/** How the statement before the caret may go on. */
export const offersAt = (before: string, { columns, tables }: Asked): Offers => {
  const named = columns.map(({ name }) => ({ word: quoted(name), kind: 'column' as const }));
  const keyword = (...words: readonly string[]) => words.map((word) => ({ word, kind: 'keyword' as const }));
  const from = keyword(...tables.map((table) => `FROM ${table}`));
  if (before.trim() === '') return { from: before.length, words: keyword('SELECT') };
  const isText = (before.split("'").length - 1) % 2 === 1;
  if (isText) {
    const start = before.lastIndexOf("'");
    const begun = before.slice(start + 1).toLowerCase();
    const words = valuesFor(before.slice(0, start), columns)
      .filter((value) => value.toLowerCase().startsWith(begun))
      .map((value) => ({ word: `'${value.replaceAll("'", "''")}'`, kind: 'value' as const }));
    return { from: start, words };
  }
  const match = openWord.exec(before);
  if (match !== null) {
    const begun = (match[1] ?? match[2]).toLowerCase();
    const rest = keyword(...keywords.filter((word) => word !== 'FROM'));
    return { from: match.index, words: beginning([...named, ...from, ...rest], begun) };
  }
  if (!/\s$/.test(before)) return { from: before.length, words: /\($/.test(before) ? named : [] };
  const last = before.trim().split(/\s+/).at(-1)!.toUpperCase();
  const following =
    last === 'SELECT'
      ? [...keyword('COUNT(*)', 'PERCENT()', 'AVG('), ...named]
      : ['WHERE', 'BY', 'AND', 'OR', 'NOT'].includes(last)
        ? named
        : /[,=<>(]$/.test(last)
          ? /,$/.test(last)
            ? [...keyword('COUNT(*)', 'PERCENT()', 'AVG('), ...named]
            : []
          : !/\bFROM\b/i.test(before)
            ? from
            : keyword(...(/\bWHERE\b/i.test(before) ? ['AND', 'GROUP BY'] : ['WHERE', 'GROUP BY']));
  return { from: before.length, words: following };
};

/** The values that a text may have at the end of a statement: of the column that it is compared with, or else of all. */
const valuesFor = (before: string, columns: readonly Askable[]): readonly string[] => {
  const compared =
    /(?:"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_]*))\s*(?:=|<>|!=|(?:NOT\s+)?(?:IN\s*\([^()]*|LIKE))\s*$/iu.exec(before);
  const name = compared?.[1]?.replaceAll('""', '"') ?? compared?.[2];
  const own = columns.find((column) => column.name === name)?.labels ?? [];
  return own.length > 0 ? own : [...new Set(columns.flatMap(({ labels }) => labels))];
};
