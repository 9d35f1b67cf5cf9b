import type { Domain } from './domain.js';

/** Cell numbers of one attribute, one for each row, in the narrowest type that holds them. */
export type CodeColumn = Uint8Array | Uint16Array | Uint32Array;

/** Rows as cell numbers, column by column. */
export interface Table {
  readonly domain: Domain;
  /** Number of rows. */
  readonly length: number;
  /** One column for each attribute of the domain, in its order, each of `length` codes below the attribute's size. */
  readonly columns: readonly CodeColumn[];
}

/** An empty column of the narrowest type for `size` cells. */
export const codeColumn = (size: number, length: number): CodeColumn =>
  size <= 0x100 ? new Uint8Array(length) : size <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);

/** Bytes of a row of codes. */
export const rowBytes = ({ attributes }: Domain): number =>
  attributes.reduce((sum, { size }) => sum + codeColumn(size, 0).BYTES_PER_ELEMENT, 0);
