import type { TableFormat as Written } from '../../src/domain/format/table-format.js';
import type { Running } from '../../src/domain/running.js';
import type { TableFormat } from '../table/table-form.js';

/** A table that a person chose in a page: bytes that can be read again and again, and a name that tells their form. */
export interface TableBlob {
  readonly name: string;
  readonly blob: Blob;
  readonly format: TableFormat;
  readonly gzip: boolean;
  readonly delimiter: string;
}

/** How a table is read. */
export interface ReadPartsOptions extends Running {
  /** How the file is written, where that is not plainly. */
  readonly written?: Written | undefined;
  /** Of a private table no progress may tell how much there is of it. */
  readonly isPrivate?: boolean | undefined;
}

/** Rows of a table, column by column, in the order of its names. */
export interface TablePart {
  readonly names: readonly string[];
  readonly columns: readonly (readonly (string | null | number)[])[];
}
