import { InputError } from '../../src/domain/input-error.js';

export type TableFormat = 'csv' | 'json' | 'parquet' | 'xlsx';

const FORMS: Readonly<Record<string, { format: TableFormat; delimiter: string; gzip: boolean }>> = {
  '.csv': { format: 'csv', delimiter: ',', gzip: false },
  '.tsv': { format: 'csv', delimiter: '\t', gzip: false },
  '.jsonl': { format: 'json', delimiter: '', gzip: false },
  '.ndjson': { format: 'json', delimiter: '', gzip: false },
  '.parquet': { format: 'parquet', delimiter: '', gzip: false },
  '.xlsx': { format: 'xlsx', delimiter: '', gzip: false },
  '.csv.gz': { format: 'csv', delimiter: ',', gzip: true },
  '.tsv.gz': { format: 'csv', delimiter: '\t', gzip: true },
  '.jsonl.gz': { format: 'json', delimiter: '', gzip: true },
  '.ndjson.gz': { format: 'json', delimiter: '', gzip: true },
};

/** The form of a table by the ending of its name. */
export const tableForm = (file: string): { format: TableFormat; delimiter: string; gzip: boolean } => {
  const name = file.toLowerCase();
  const ending = Object.keys(FORMS).find((known) => name.endsWith(known));
  if (ending === undefined && /\.(xls|xlsm|xlsb|ods|numbers)$/.test(name))
    throw new InputError(
      `${file}: must be a table of text, Parquet or a workbook of one sheet (.xlsx), got a workbook of another kind; save it as .xlsx, or its sheet as CSV (UTF-8), and name that file`,
    );
  if (ending === undefined)
    throw new InputError(`${file}: must end in one of ${Object.keys(FORMS).join(', ')}; rename or convert it`);
  return FORMS[ending];
};
