import type { Reader } from './reader.js';
import type { SelectTree } from './tree.js';

/** ORDER BY. */
export const readOrder = (reader: Reader): SelectTree['orderBy'] => {
  reader.expect('ORDER');
  reader.expect('BY');
  return reader.list(() => {
    const by = reader.expression();
    const descending = reader.is('DESC');
    reader.accept('ASC', 'DESC');
    const hasNulls = reader.accept('NULLS');
    if (hasNulls) reader.expect('FIRST', 'LAST');
    return { by, descending, hasNulls };
  });
};
