import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../../../src/domain/input-error.js';
import { nameCells } from '../../../src/privacy/answers/named-cells.js';
import { marginal } from '../../../src/query/marginal.js';
import type { RawTable } from './random-tables.js';
import type { Subject } from './subjects.js';
import type { Visit } from './ways.js';
import { visit } from './ways.js';

/** A leak that the audit must catch: a subject that knows the private rows, as no subject does. */
export interface Plant {
  readonly name: string;
  leak(rows: RawTable, of: Visit): Subject['run'];
}

export const plants: readonly Plant[] = [
  {
    name: 'a progress event with the number of rows',
    leak:
      (rows, { subject }) =>
      async (session, given) => {
        const left = await subject.run(session, given);
        given.running.onProgress?.({ stage: 'rows', done: rows.length });
        return left;
      },
  },
  {
    name: 'a note with the exact total',
    leak:
      (rows, { subject }) =>
      async (session, given) => {
        const left = await subject.run(session, given);
        return 'found' in left ? left : { ...left, notes: { ...left.notes, total: rows.length } };
      },
  },
  {
    name: 'an error that depends on a private value',
    leak:
      (rows, { subject }) =>
      async (session, given) => {
        const left = await subject.run(session, given);
        if (rows.some(({ id }) => id === 'q')) throw new InputError('table: has a value that it should not have');
        return left;
      },
  },
  {
    name: 'a file whose size depends on the rows',
    leak:
      (rows, { subject, root }) =>
      async (session, given) => {
        writeFileSync(path.join(root, 'cache.bin'), new Uint8Array(rows.length));
        return subject.run(session, given);
      },
  },
  {
    name: 'a file that is there while the table is open, and not at the end',
    leak:
      (rows, { subject, root }) =>
      async (session, given) => {
        const file = path.join(root, 'tmp', 'passing.bin');
        writeFileSync(file, new Uint8Array(rows.length));
        const left = await subject.run(session, given);
        rmSync(file);
        return left;
      },
  },
  {
    name: 'a stopping rule that looks at exact counts',
    leak: (rows) => async (session) => {
      const seen: unknown[] = [];
      for (let round = 0; round < rows.length; round++) seen.push(await session.total(0.005));
      return { found: seen.length };
    },
  },
  {
    name: 'a candidate for every value that is there',
    leak: (rows) => async (session) => {
      const query = marginal(session.domain.attributes[0].name);
      const candidates = [query, ...rows].map(() => ({ query, cells: nameCells([]), reference: [] }));
      return { found: (await session.select(candidates, 0.1)) >= 0 };
    },
  },
  {
    name: 'a draw of post-processing for every row',
    leak:
      (rows, { subject }) =>
      async (session, given) => {
        for (let row = 0; row < rows.length; row++) given.random.uint32();
        return subject.run(session, given);
      },
  },
  {
    name: 'a line on standard error with the number of rows',
    leak:
      (rows, { subject }) =>
      async (session, given) => {
        process.stderr.write(`counted ${rows.length} rows\n`);
        return subject.run(session, given);
      },
  },
];

/** A visit whose subject leaks. */
export const planted =
  ({ leak }: Plant): typeof visit =>
  (of, rows, tape) =>
    visit({ ...of, subject: { ...of.subject, run: leak(rows, of) } }, rows, tape);
