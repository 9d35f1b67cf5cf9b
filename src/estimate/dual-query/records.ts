import type { Domain } from '../../domain/domain.js';
import { codeColumn } from '../../domain/table.js';
import { type Support, supportOf } from '../../model/support/support.js';
import type { DualQueryGame } from './game.js';

/** DualQuery's own estimate: the records of its rounds, each as likely as any other. */
export const dualQueryRecords = (domain: Domain, { rounds }: DualQueryGame): Support =>
  supportOf({
    domain,
    length: rounds.length,
    columns: domain.attributes.map(({ size }, attribute) => {
      const column = codeColumn(size, rounds.length);
      for (const [row, { record }] of rounds.entries()) column[row] = record[attribute];
      return column;
    }),
  });
