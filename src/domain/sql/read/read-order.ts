import type { Reader } from './reader.js';
import type { OrderTree } from './tree.js';

/** ORDER BY and what follows it. */
export const readOrder = (reader: Reader): OrderTree[] => {
  reader.expect('ORDER');
  reader.expect('BY');
  return reader.list(() => {
    const by = reader.expression();
    const descending = reader.is('DESC');
    reader.accept('ASC', 'DESC');
    if (reader.accept('NULLS')) {
      reader.expect('FIRST', 'LAST');
      const { at } = reader.tokens[by.first];
      throw reader.refuse(at, 'ORDER BY must have no NULLS FIRST or LAST', 'empty values count as lowest');
    }
    return { by, descending };
  });
};
