import { expect } from 'vitest';
import { codesSql } from '../../adapters/sql/codes-sql.js';
import type { Connection } from '../../adapters/sql/connection.js';
import type { SqlTable } from '../../adapters/sql/sql-table.js';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { type Outside, outsideRules, withOutside } from '../../src/domain/schema/outside.js';
import { allSpecs, awkwardNumbers, awkwardTexts, inJavaScript, oddTexts } from './awkward-values.js';

/** How an engine writes a column of some type: the type's name, and a value of it. */
export interface EngineTypes {
  readonly text: { readonly type: string; literal(text: string | null): string };
  readonly double: { readonly type: string; literal(value: number | null): string };
  /** Columns of other types: what to write, and the texts or numbers that they stand for. */
  readonly others: readonly {
    readonly type: string;
    readonly values: readonly string[];
    readonly given: readonly unknown[];
  }[];
}

/** Rows of one column `x`, numbered by `n`, as something that can stand after FROM; engines differ in how they take constants. */
type Rows = (type: string, values: readonly string[]) => string | Promise<string>;

/** Compares the cells of values under all declarations and rules: what the engine computes, and what the encoder does. */
export const expectCells = async (connection: Connection, types: EngineTypes, rows: Rows): Promise<number> => {
  const { dialect } = connection;
  // Trees of thousands of comparisons take engines without another way so long that one is enough.
  const specs = allSpecs.filter((spec) => dialect.reached !== undefined || !('bins' in spec && spec.bins! > 1024));
  let compared = 0;
  const compare = async (type: string, values: readonly string[], given: readonly unknown[]): Promise<void> => {
    const from = await rows(type, values);
    const [column] = (await connection.columns(from)).filter(({ name }) => name === 'x');
    // Every declaration has the column under a name of its own: one query for many, since engines of a cluster take their time for each.
    const named = specs.map((spec, at) => ({ ...spec, name: `x${at}` }));
    const relation: SqlTable = { shown: 'test', sql: from, columns: named.map(({ name }) => ({ ...column, name })) };
    for (const outside of outsideRules) {
      const found = specs.map(() => Array.from(values, () => -2));
      for (const part of parts(named, AT_ONCE)) {
        const domain = domainOf(withOutside({ attributes: part }, outside as Outside).attributes);
        const attributes = [...part.keys()];
        const sql = codesSql(dialect, relation, { domain, outside: outside as Outside, attributes, extra: { n: 'n' } });
        await connection.query(
          `SELECT ${['n', ...attributes.map((at) => `a${at}`)].join(', ')} FROM (${sql}) AS codes`,
          {
            onRow: ([n, ...codes]) => {
              for (const [i, code] of codes.entries())
                found[named.indexOf(part[i])][Number(n)] = code === null ? -1 : Number(code);
            },
          },
        );
      }
      for (const [at, spec] of specs.entries()) {
        expect(found[at], `${outside} ${type} ${JSON.stringify(spec)}`).toEqual(
          inJavaScript(spec, given, outside as Outside),
        );
        compared += values.length;
      }
    }
  };
  const texts = [...awkwardTexts, ...oddTexts].filter((text) => !text.includes('\0'));
  await compare(types.text.type, [...texts, null].map(types.text.literal), [...texts, null]);
  const numbers = [...awkwardNumbers, null];
  await compare(types.double.type, numbers.map(types.double.literal), numbers);
  for (const { type, values, given } of types.others) await compare(type, values, given);
  return compared;
};

/** Declarations that one query is about. */
const AT_ONCE = 13;

const parts = (specs: readonly AttributeSpec[], size: number): AttributeSpec[][] =>
  Array.from({ length: Math.ceil(specs.length / size) }, (_, i) => specs.slice(i * size, (i + 1) * size));
