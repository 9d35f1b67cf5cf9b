import type { DuckDBConnection } from '@duckdb/node-api';
import { constraintsOf } from '../../src/domain/constraints/constraints-of.js';
import { type MendStep, mendedCell, sizesIn } from '../../src/domain/constraints/mending.js';
import type { Domain } from '../../src/domain/domain.js';
import { codeType } from './code-sql.js';

let functions = 0;

/**
 * A query for the codes of another, a0, a1, ... and further columns, in which rows that break a constraint of the domain are mended: by the same steps and
 * the same tables as in memory (`mendedBy`), each a function of the connection. A row with a code that is NULL stays as it is.
 */
export const mendedSql = async (
  connection: DuckDBConnection,
  domain: Domain,
  codes: string,
  further: readonly string[],
): Promise<string> => {
  const steps = constraintsOf(domain)?.mending ?? [];
  let sql = codes;
  for (const step of steps) {
    const name = `mend_${++functions}`;
    await registerStep(connection, domain, step, name);
    const own = `a${step.attribute}`;
    const given = [...step.parents.map((at) => `a${at}`), own];
    const called = `${name}(${given.map((column) => `${column}::UINTEGER`).join(', ')})`;
    // Without a code there is nothing to mend: the row is an error, which is told later.
    const isWhole = given.map((column) => `${column} IS NOT NULL`).join(' AND ');
    const mended = `(CASE WHEN ${isWhole} THEN ${called} ELSE ${own} END)::${codeType(domain.attributes[step.attribute].size)}`;
    const columns = domain.attributes.map((_, at) => (at === step.attribute ? `${mended} AS a${at}` : `a${at}`));
    sql = `SELECT ${[...columns, ...further].join(', ')} FROM (${sql})`;
  }
  return sql;
};

const registerStep = async (
  connection: DuckDBConnection,
  domain: Domain,
  step: MendStep,
  name: string,
): Promise<void> => {
  const { DuckDBScalarFunction, UINTEGER } = await import('@duckdb/node-api');
  const sizes = sizesIn(domain, step);
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: sizes.map(() => UINTEGER),
      returnType: UINTEGER,
      specialHandling: true, // rows that a CASE leaves out may reach it with NULL
      mainFunction: (_, input, output) => {
        const vectors = sizes.map((_size, i) => input.getColumnVector(i));
        const codes = new Array<number>(sizes.length);
        for (let row = 0; row < input.rowCount; row++) {
          let isWhole = true;
          for (let i = 0; i < sizes.length; i++) {
            const code = vectors[i].getItem(row);
            isWhole &&= code !== null;
            codes[i] = Number(code);
          }
          output.setItem(row, isWhole ? mendedCell(step, sizes, codes) : null);
        }
        output.flush();
      },
    }),
  );
};
