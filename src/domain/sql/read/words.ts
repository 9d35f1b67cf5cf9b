import type { Token } from './token.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that PostgreSQL does not take for a name unless they are quoted. */
const reserved = list(
  'ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC AUTHORIZATION BINARY BOTH CASE CAST CHECK COLLATE COLLATION CONCURRENTLY ' +
    'CONSTRAINT CREATE CROSS CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER ' +
    'DEFAULT DEFERRABLE DESC DISTINCT DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FREEZE FROM FULL GRANT GROUP HAVING ILIKE IN ' +
    'INITIALLY INNER INTERSECT INTO IS ISNULL JOIN LATERAL LEADING LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP NATURAL NOT NOTNULL NULL ' +
    'OFFSET ON ONLY OR ORDER OUTER OVERLAPS PLACING PRECISION REFERENCES RETURNING RIGHT SELECT SESSION_USER SIMILAR SOME SYMMETRIC ' +
    'TABLE TABLESAMPLE THEN TO TRAILING TRUE UNION USER USING VARIADIC VERBOSE WHEN WHERE WINDOW WITH',
);

/** Whether a word is no name unless it is quoted. */
export const isReserved = (word: string): boolean => reserved.has(word.toUpperCase());

/** Whether a token is a name, quoted or not. */
export const isName = (token: Token | undefined): boolean =>
  token?.kind === 'name' || (token?.kind === 'word' && (token.key === undefined || !reserved.has(token.key)));

/** Words that stand for a value by themselves, and so are often meant as a name. */
export const valueWords = list(
  'CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIMESTAMP CURRENT_TIME LOCALTIMESTAMP LOCALTIME SESSION_USER USER ' +
    'CURRENT_USER DEFAULT',
);

/** Reserved words that are functions. */
export const functionWords = list('ANY SOME ALL LEFT RIGHT');

/** Reserved words with which an operand begins. */
export const operandWords: ReadonlySet<string> = new Set([
  ...['TRUE', 'FALSE', 'NULL', 'CASE', 'CAST', 'ARRAY'],
  ...valueWords,
  ...functionWords,
]);

/** Functions whose arguments may be parted by words. */
export const wordyFunctions = list('EXTRACT SUBSTRING OVERLAY');

/** Words that begin another statement than a question. */
export const otherStatements = list(
  'ALTER BEGIN COMMENT COMMIT CREATE DEALLOCATE DELETE DO DROP INSERT PREPARE RAISE REFRESH ROLLBACK SET SHOW START TABLESPACE ' +
    'TRUNCATE UPDATE VALUES',
);
