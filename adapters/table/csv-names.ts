import { InputError } from '../../src/domain/input-error.js';

/** What the first line of a CSV file tells. */
export interface CsvHeader {
  /** The names in order; the first one may be empty: an index, which is nobody's column. */
  readonly names: readonly string[];
  readonly delimiter: string;
}

/** How a CSV file is written, as far as it is known before its header. */
export interface HeaderForm {
  /** How messages call the file. */
  readonly shown: string;
  readonly delimiter: string;
  /** Whether somebody said so; otherwise the header shows it. */
  readonly isDelimiterTold?: boolean | undefined;
  readonly quote: string;
}

/** The names in the first record of a CSV file (RFC 4180). No message holds a name: what stands there may be a private row, where the header is missing. */
export const csvNames = (record: string, file: HeaderForm): CsvHeader => {
  const delimiter = file.isDelimiterTold ? file.delimiter : shownDelimiter(record, file);
  const names = splitRecord(record, delimiter, file.quote).map((name) => name.trim());
  const seen = new Map<string, number>();
  for (const [i, name] of names.entries()) {
    // A first column without a name is the index that other programs write.
    if (name === '' && i === 0 && names.length > 1) continue;
    if (name === '') throw new InputError(`${file.shown}: every column must have a name, got none for column ${i + 1}`);
    const before = seen.get(name);
    if (before !== undefined)
      throw new InputError(
        `${file.shown}: column names must differ, got one name for columns ${before + 1} and ${i + 1}; rename one`,
      );
    seen.set(name, i);
  }
  return { names, delimiter };
};

/** The sign between the names of a header: the most frequent one of those that people use, outside quotes. Tables of tabs say so by their ending. */
const shownDelimiter = (record: string, { delimiter, quote }: HeaderForm): string => {
  if (delimiter !== ',') return delimiter;
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, times: splitRecord(record, sign, quote).length }));
  return counted.reduce((best, own) => (own.times > best.times ? own : best)).sign;
};

const splitRecord = (record: string, delimiter: string, quote: string): string[] => {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < record.length; at++) {
    const char = record[at];
    if (quoted && char === quote && record[at + 1] === quote) {
      field += quote;
      at++;
    } else if (char === quote && (quoted || field === '')) {
      quoted = !quoted;
    } else if (char === delimiter && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += char;
    }
  }
  fields.push(field);
  return fields;
};
