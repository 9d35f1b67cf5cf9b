import type { Attribute } from '../attribute/attribute.js';
import { columnEncoder } from '../attribute/column-encoder.js';
import { cellAt } from '../cell-index.js';

/** Columns of which it is asked how often their cells stand together: those that are said to determine, and the one that they do. */
export interface AskedPair {
  readonly from: readonly Attribute[];
  readonly to: Attribute;
}

export const columnsOfPair = ({ from, to }: AskedPair): readonly Attribute[] => [...from, to];

/** Combinations of their cells. */
export const cellsOfPair = (pair: AskedPair): number =>
  columnsOfPair(pair).reduce((product, { size }) => product * size, 1);

/** The combination of cells, the determined one running fastest, that texts are in; undefined where one of them has no cell. */
export const pairReader = (pair: AskedPair): ((texts: readonly string[]) => number | undefined) => {
  const columns = columnsOfPair(pair);
  const sizes = columns.map(({ size }) => size);
  const encoders = columns.map((attribute) => columnEncoder(attribute, 'declared'));
  return (texts) => {
    const codes = encoders.map((encode, i) => encode(texts[i]));
    return codes.some((code) => code < 0) ? undefined : cellAt(codes, sizes);
  };
};
