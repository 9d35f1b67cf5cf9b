import { InputError } from '../../src/domain/input-error.js';

/**
 * What to tell the user when DuckDB could not read a table. DuckDB's own text quotes the offending line, which may be
 * private, so only a line number is taken from it. Errors that are not about the input pass through without their text.
 */
export const readingError = (error: unknown, shown: string): unknown => {
  if (!(error instanceof Error) || error instanceof InputError || error.name === 'AbortError') return error;
  const text = error.message;
  const told = /\b(?:on Line:|in line) (\d+)/.exec(text)?.[1];
  // DuckDB 1.5 counts a line too many where JSON is malformed.
  const line = told !== undefined && /^Invalid Input Error: Malformed JSON/.test(text) ? Number(told) - 1 : told;
  const where = line === undefined ? shown : `${shown}, line ${line}`;
  if (/byte order mark/i.test(text))
    return new InputError(`${shown}: must begin with an object, got a byte order mark; save it as UTF-8 without one`);
  if (/unicode|utf-?8/i.test(text))
    return new InputError(`${where}: must be UTF-8 text; save it as UTF-8, or name its encoding, such as windows-1252`);
  // What DuckDB 1.5 says of such bytes when it reads some of the columns only: its own report of the line fails.
  if (/^INTERNAL Error: Attempted to access index/.test(text))
    return new InputError(`${shown}: must be UTF-8 text; save it as UTF-8, or name its encoding, such as windows-1252`);
  const columns = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  if (columns)
    return new InputError(
      `${where}: must have ${columns[1]} fields like the header, got ${columns[2]}; correct the line, or quote fields that hold the delimiter`,
    );
  if (/unterminated quote/i.test(text))
    return new InputError(`${where}: a quoted field must end with a quote and then the delimiter; correct the line`);
  if (/Maximum line size/i.test(text))
    return new InputError(`${where}: a line must be shorter than 2 MB; check the quotes before it`);
  if (/CSV Parser state machine|newline/i.test(text))
    return new InputError(`${where}: must have one kind of line ending and RFC 4180 quoting; save it again as CSV`);
  if (/Malformed JSON|JSON transform error|JSON/.test(text))
    return new InputError(
      `${where}: every line must be one JSON object in which no key stands twice; correct the line`,
    );
  // Names that DuckDB cannot tell apart or has no place for: JSON keys, which may be anything.
  if (/^(Binder|Parser) Error/.test(text))
    return new InputError(
      `${shown}: keys and columns must be plain names that differ by more than upper and lower case; rename them`,
    );
  if (/gzip|miniz|decompress|inflate/i.test(text))
    return new InputError(`${shown}: must be whole, and its compressed data is damaged; make it again`);
  if (/magic bytes|parquet|thrift|snappy|zstd|footer|TProtocol/i.test(text))
    return new InputError(`${shown}: must be a whole Parquet file; make it again`);
  if (/Out of Memory|memory limit|max_temp_directory_size/i.test(text))
    return new InputError(`${shown}: needs more memory or disk than DuckDB may use; raise the memory limit`);
  if (/^IO Error|Permission Error/i.test(text)) return new InputError(`${shown}: could not be read; check the disk`);
  return new Error(
    `${shown}: DuckDB could not read the table (${/^[A-Za-z ]+ Error/.exec(text)?.[0] ?? 'unknown error'})`,
  );
};
