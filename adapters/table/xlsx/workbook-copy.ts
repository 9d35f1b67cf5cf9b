import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../../src/domain/input-error.js';
import { privateFolder } from '../../private/private-folder.js';
import type { TableFile } from '../table-file.js';
import { WorkbookError, workbookRows } from './workbook-rows.js';
import { zipEntries } from './zip-entries.js';

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Lines of CSV of a workbook's sheet, as many fields each as its first row has. */
function* csvLines(bytes: Buffer): Generator<string> {
  let width: number | undefined;
  for (const { row, texts } of workbookRows(zipEntries(bytes))) {
    width ??= texts.length;
    if (texts.length > width)
      throw new WorkbookError(
        `row ${row} must have no values beyond the ${width} columns that its first row names, got some; name these columns, or clear what stands there`,
      );
    yield `${Array.from({ length: width }, (_, i) => field(texts[i] ?? '')).join(',')}\n`;
  }
  if (width === undefined) throw new WorkbookError('must have at least a header, got an empty sheet');
}

/** A copy of a workbook's sheet as CSV, in a folder that only this user can read; the caller removes it. No message holds a value. */
export const workbookCopy = async (
  file: TableFile,
  temporary?: string,
): Promise<{ readonly file: TableFile; remove(): Promise<void> }> => {
  const folder = await privateFolder(temporary);
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = path.join(folder, 'table.csv');
  try {
    const bytes = await readFile(file.path);
    await pipeline(Readable.from(csvLines(bytes)), createWriteStream(copy, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw new InputError(
      error instanceof WorkbookError
        ? `${file.shown}: ${error.message}`
        : `${file.shown}: must be a whole workbook (.xlsx) without a password, and it is not or is damaged; save it again, or save its sheet as CSV`,
    );
  }
  return { file: { ...file, path: copy, format: 'csv', delimiter: ',', isDelimiterTold: true, quote: '"' }, remove };
};
