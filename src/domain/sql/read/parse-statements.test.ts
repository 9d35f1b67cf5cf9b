import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryStatement } from '../../../../test/support/arbitrary-statement.js';
import { InputError } from '../../input-error.js';
import { parseStatements } from './parse-statements.js';

const names = ['user', 'end', 'order', 'left', 'Age', 'größe'];
const parsed = (text: string) => parseStatements(text, names);
/** What a text says, without where it says it. */
const meaning = (text: string): unknown =>
  JSON.parse(JSON.stringify(parsed(text), (key, value) => (key === 'at' || key === 'text' ? undefined : value)));
const columns = (list: string) => parsed(`SELECT ${list} FROM data`)[0].columns;

describe('reading SQL', () => {
  it('does not depend on spaces, comments and the case of keywords', () => {
    const tokens = [
      ...[
        'SELECT',
        '"a ""*"" b"',
        ',',
        'Sex',
        ',',
        '-',
        '(',
        'COUNT',
        '(',
        '*',
        ')',
        ')',
        '-',
        '1',
        '/',
        '2.5',
        'AS',
        'n',
      ],
      ...[
        'FROM',
        'data',
        'WHERE',
        'größe',
        '>=',
        '-',
        '1e2',
        'AND',
        'NOT',
        '(',
        'x',
        'IN',
        '(',
        "'it''s; --'",
        ')',
        ')',
      ],
      ...[
        'AND',
        'born',
        'BETWEEN',
        'DATE',
        "'2020-01-01'",
        'AND',
        "'2020-12-31'",
        'GROUP',
        'BY',
        'Sex',
        ',',
        '1',
        'HAVING',
      ],
      ...['SUM', '(', 'data', '.', 'x', ')', '<>', '-', '.5', 'ORDER', 'BY', 'n', 'DESC', 'LIMIT', '3', ';'],
    ];
    const plain = meaning(tokens.join(' '));
    expect(plain).toMatchObject([{ limit: 3, groupBy: [{ name: 'Sex' }, { name: 'a "*" b' }] }]);
    const gap = fc.constantFrom('', ' ', '\n\t', '/* ; " */', "-- it's\n");
    const gaps = fc.array(fc.tuple(gap, fc.boolean()), { minLength: tokens.length, maxLength: tokens.length });
    fc.assert(
      fc.property(gaps, (chosen) => {
        const text = chosen.map(([space, lower], i) => {
          const [token, next = ''] = tokens.slice(i, i + 2);
          // Two words need something between them, and so does a minus before a comment.
          const needed = space === '' && /[\w.'"ß]$/.test(token) && /^[\w.'"ß]/.test(next) ? ' ' : '';
          const apart = token === '-' && space.startsWith('-') ? ' ' : '';
          const isKeyword = /^[A-Z]+$/.test(token);
          return `${isKeyword && lower ? token.toLowerCase() : token}${needed}${apart}${space}`;
        });
        // A title is what was written, and the third column has a name of its own.
        expect(meaning(text.join(''))).toEqual(plain);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('gives every statement its meaning back, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(arbitraryStatement, { minLength: 1, maxLength: 2 }), (statements) => {
        const text = statements.map((statement) => statement.text).join(' ;; ');
        expect(meaning(text)).toEqual(JSON.parse(JSON.stringify(statements.map((statement) => statement.meaning))));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps names as they were written, quoted or not', () => {
    expect(columns('Age, größe, "Home Town", "a ""*"" b", data.Sex').map(({ expression }) => expression)).toEqual(
      ['Age', 'größe', 'Home Town', 'a "*" b', 'Sex'].map((name) =>
        expect.objectContaining({ kind: 'attribute', name }),
      ),
    );
    expect(columns('COUNT(*) N, (COUNT(*)) AS "All of It", ((Age)), (1) + (2)').map(({ title }) => title)).toEqual([
      'N',
      'All of It',
      '((Age))',
      '(1) + (2)',
    ]);
  });

  it.each([
    ['5-3', 2],
    ['5 -3', 2],
    ['2-1-1', 0],
    ['-2*-3', 6],
    ['1+2*3', 7],
    ['(1+2)*3', 9],
    ['8/4/2', 1],
    ['8/(4/2)', 4],
    ['1e3', 1000],
    ['.5+5.', 5.5],
    ['2.5E-1', 0.25],
  ])('reads %s as arithmetic does', (text, value) => {
    type Tree = ReturnType<typeof columns>[number]['expression'];
    const work = (tree: Tree): number => {
      if (tree.kind === 'number') return tree.value;
      if (tree.kind !== 'arithmetic') return Number.NaN;
      const [a, b] = [work(tree.left), work(tree.right)];
      return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[tree.operator];
    };
    expect(work(columns(text)[0].expression)).toBe(value);
  });

  it('finds no statement where there is none', () => {
    for (const text of ['', ' \n', ';', ' ; -- SELECT\n ; /* SELECT */']) expect(parsed(text)).toEqual([]);
  });
});

describe('SQL that cannot be read', () => {
  it.each([
    ['SELECT user, COUNT(*) FROM data', '1:8', /in double quotes: "user"$/],
    ['SELECT COUNT(*) FROM data WHERE user', '1:33', /in double quotes: "user"$/],
    ['SELECT COUNT(*) FROM data WHERE (user) = 1', '1:34', /in double quotes: "user"$/],
    ['SELECT COUNT(*) FROM data GROUP BY end', '1:36', /in double quotes: "end"$/],
    ['SELECT COUNT(*) FROM data WHERE ORDER = 1', '1:33', /in double quotes: "order"$/],
    ['SELECT left, COUNT(*) FROM data', '1:12', /in double quotes: "left"$/],
    ['SELECT COUNT(*) AS table FROM data', '1:20', /in double quotes: "table"$/],
    ['SELECT COUNT(*) FROM data;\n\nSELEC 1', '3:1', /got "SELEC"; did you mean SELECT\?/],
    ['SELECT 1 FROM data; -- é\nSELECT /* ( */ (1)) FROM data', '2:19', /got "\)"/],
    ['SELECT 1 FROM data SELECT 1 FROM data', '1:20', /; between statements/],
    ['SELECT Age, FROM data', '1:13', /follow the comma/],
    ['SELECT 1 FROM data WHERE Age IN ()', '1:34', /as in IN \('a', 'b'\)/],
    ['SELECT 1 FROM data HAVING 1 > 0', '1:20', /after GROUP BY/],
    ['SELECT 1 FROM data ORDER BY 1 NULLS LAST', '1:29', /no NULLS FIRST or LAST/],
    ["SELECT 1 FROM data WHERE ((Age)) ~ 'x'", '1:34', /got ~; conditions are/],
    ['SELECT 1 FROM data WHERE Age IS TRUE', '1:30', /got IS TRUE; conditions are/],
    ['SELECT 1 FROM data WHERE ((Age) + (1)) = 2', '1:27', /got "\(Age\) \+ \(1\)"/],
    ['SELECT 30x FROM data', '1:8', /got "30x"; write numbers as/],
    ['SELECT 1 FROM data WHERE "Age = 1', '1:26', /quotation begins here/],
    ['SELECT 1 /* FROM data', '1:10', /comment begins here/],
    ['SELECT 1 FROM data WHERE `Age` = 1', '1:26', /names .* in double quotes/],
    ['SELECT COUNT(*) OVER (PARTITION BY Age) FROM data', '1:17', /without an order or OVER/],
    ['SELECT 1 FROM data, data', '1:15', /joins/],
    ['SELECT 1 FROM (SELECT 1) x', '1:16', /subqueries/],
    ['SELECT 1 FROM data FOR UPDATE', '1:24', /no FOR/],
  ])('%s is refused at %s with a hint, in one sentence', (text, place, hint) => {
    const told = () => parsed(text);
    expect(told).toThrow(InputError);
    expect(told).toThrow(new RegExp(`^SQL ${place}: [^\n]*$`));
    expect(told).toThrow(hint);
  });
});
