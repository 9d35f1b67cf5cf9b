import fc from 'fast-check';

/** A statement as `parseStatements` gives it, without its places: what it means, and nothing of how it was written. */
type Plain = Readonly<Record<string, unknown>>;
interface Written {
  readonly text: string;
  readonly meaning: Plain;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** Titles begin alike, so no attribute is taken for one. */
const name = fc.oneof(
  fc.constantFrom('age', 'größe', 'Home Town', 'select', 'a "*" b', "it's", ';'),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !text.startsWith('title')),
);
const attribute = fc.tuple(name, fc.boolean()).map(([own, isBare]): { text: string; name: string } => {
  const bare = isBare && /^(age|größe)$/.test(own);
  return { text: bare ? own : quoted(own), name: own };
});
const textOf = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const positive = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs);

const literal = fc.oneof(
  positive.map((value) => ({ text: String(value), meaning: { value } })),
  positive.map((value) => ({ text: `-${value}`, meaning: { value: -value } })),
  fc.string({ maxLength: 8 }).map((value) => ({ text: textOf(value), meaning: { value } })),
  fc.boolean().map((value) => ({ text: value ? 'TRUE' : 'false', meaning: { value } })),
  fc.constant({ text: "DATE '2020-01-01'", meaning: { value: '2020-01-01' } }),
);

const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
const negated = (isNegated: boolean, meaning: Plain): Plain => (isNegated ? { kind: 'not', of: meaning } : meaning);
const not = (isNegated: boolean): string => (isNegated ? 'NOT ' : '');

const simple: fc.Arbitrary<Written> = fc.oneof(
  fc.tuple(attribute, comparison, literal).map(([own, operator, value]) => ({
    text: `${own.text} ${operator} ${value.text}`,
    meaning: { kind: 'compare', attribute: { name: own.name }, operator, literal: value.meaning },
  })),
  fc.tuple(attribute, fc.boolean(), literal, literal).map(([own, isNegated, from, to]) => ({
    text: `${own.text} ${not(isNegated)}BETWEEN ${from.text} AND ${to.text}`,
    meaning: negated(isNegated, {
      kind: 'between',
      attribute: { name: own.name },
      from: from.meaning,
      to: to.meaning,
    }),
  })),
  fc
    .tuple(attribute, fc.boolean(), fc.array(literal, { minLength: 1, maxLength: 4 }))
    .map(([own, isNegated, values]) => ({
      text: `${own.text} ${not(isNegated)}IN (${values.map(({ text }) => text).join(', ')})`,
      meaning: negated(isNegated, {
        kind: 'in',
        attribute: { name: own.name },
        literals: values.map(({ meaning }) => meaning),
      }),
    })),
  fc
    .tuple(attribute, fc.boolean(), fc.boolean(), fc.string({ maxLength: 8 }), fc.option(fc.constantFrom('!', '')))
    .map(([own, isNegated, anyCase, value, escapedBy]) => ({
      text: `${own.text} ${not(isNegated)}${anyCase ? 'ILIKE' : 'LIKE'} ${textOf(value)}${escapedBy === null ? '' : ` ESCAPE '${escapedBy}'`}`,
      meaning: negated(isNegated, {
        kind: 'like',
        attribute: { name: own.name },
        pattern: { value },
        anyCase,
        ...(escapedBy !== null && { escapedBy: { value: escapedBy } }),
      }),
    })),
  fc.tuple(attribute, fc.boolean()).map(([own, isNegated]) => ({
    text: `${own.text} IS ${not(isNegated)}NULL`,
    meaning: negated(isNegated, { kind: 'null', attribute: { name: own.name } }),
  })),
  attribute.map((own) => ({ text: own.text, meaning: { kind: 'true', attribute: { name: own.name } } })),
);

/** Conditions of AND, OR and NOT; parentheses stand where they must, and often where they need not. */
const joined = (part: fc.Arbitrary<Written>): fc.Arbitrary<Written> =>
  fc.letrec<{ or: Written; and: Written; not: Written }>((tie) => {
    const either = (kind: 'and' | 'or', own: fc.Arbitrary<Written>, tighter: fc.Arbitrary<Written>) =>
      fc.oneof(
        { maxDepth: 5, depthIdentifier: 'sql' },
        tighter,
        fc.tuple(own, tighter).map(([left, right]) => ({
          text: `${left.text} ${kind.toUpperCase()} ${right.text}`,
          meaning: { kind, parts: [left.meaning, right.meaning] },
        })),
      );
    return {
      or: either('or', tie('or'), tie('and')),
      and: either('and', tie('and'), tie('not')),
      not: fc.oneof(
        { maxDepth: 5, depthIdentifier: 'sql' },
        part,
        tie('or').map(({ text, meaning }) => ({ text: `(${text})`, meaning })),
        tie('not').map(({ text, meaning }) => ({ text: `NOT ${text}`, meaning: { kind: 'not', of: meaning } })),
      ),
    };
  }).or;

const condition = joined(simple);

/** What a record has. */
const value: fc.Arbitrary<Written> = fc.oneof(
  attribute.map((own) => ({ text: own.text, meaning: { kind: 'attribute', name: own.name } })),
  literal.map(({ text, meaning }) => ({ text, meaning: { kind: 'constant', ...meaning } })),
  fc.constant({ text: 'NULL', meaning: { kind: 'null' } }),
);
const caseOf: fc.Arbitrary<Written> = fc
  .record({
    of: fc.option(attribute),
    branches: fc.array(fc.tuple(condition, literal, value), { minLength: 1, maxLength: 3 }),
    otherwise: fc.option(value),
  })
  .map(({ of, branches, otherwise }) => ({
    text: `CASE ${of?.text ?? ''} ${branches.map(([when, against, gives]) => `WHEN ${of === null ? when.text : against.text} THEN ${gives.text}`).join(' ')}${otherwise === null ? '' : ` ELSE ${otherwise.text}`} END`,
    meaning: {
      kind: 'case',
      branches: branches.map(([when, against, gives]) => ({
        when:
          of === null
            ? when.meaning
            : { kind: 'compare', attribute: { name: of.name }, operator: '=', literal: against.meaning },
        gives: gives.meaning,
      })),
      otherwise: otherwise === null ? { kind: 'null' } : otherwise.meaning,
    },
  }));
const argument = fc.oneof(
  {
    weight: 3,
    arbitrary: attribute.map((own): Written => ({ text: own.text, meaning: { kind: 'attribute', name: own.name } })),
  },
  { weight: 1, arbitrary: caseOf },
);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs);

const unfiltered: fc.Arbitrary<Written> = fc.oneof(
  fc.constant({ text: 'COUNT(*)', meaning: { kind: 'aggregate', aggregate: 'COUNT', of: [] } }),
  fc.constant({ text: 'COUNT(1)', meaning: { kind: 'aggregate', aggregate: 'COUNT', of: [] } }),
  fc
    .constantFrom('SHARE', 'PERCENT')
    .map((own) => ({ text: `${own}()`, meaning: { kind: 'aggregate', aggregate: own, of: [] } })),
  fc
    .tuple(fc.constantFrom('COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'STDDEV_POP', 'VAR_SAMP'), argument)
    .map(([own, of]) => ({
      text: `${own}(${of.text})`,
      meaning: { kind: 'aggregate', aggregate: own, of: [of.meaning] },
    })),
  fc.tuple(fc.constantFrom('CONT', 'DISC'), argument, share, fc.boolean()).map(([own, of, at, isCall]) => ({
    text: isCall ? `QUANTILE_${own}(${of.text}, ${at})` : `percentile_${own}(${at}) WITHIN GROUP (ORDER BY ${of.text})`,
    meaning: { kind: 'aggregate', aggregate: `PERCENTILE_${own}`, of: [of.meaning], share: at },
  })),
  fc.tuple(attribute, attribute).map(([x, y]) => ({
    text: `CORR(${x.text}, ${y.text})`,
    meaning: {
      kind: 'aggregate',
      aggregate: 'CORR',
      of: [x, y].map((own) => ({ kind: 'attribute', name: own.name })),
    },
  })),
);
const aggregate: fc.Arbitrary<Written> = fc
  .tuple(unfiltered, fc.option(condition, { freq: 4 }))
  .map(([own, filter]) =>
    filter === null
      ? own
      : { text: `${own.text} FILTER (WHERE ${filter.text})`, meaning: { ...own.meaning, filter: filter.meaning } },
  );

const optional = (clause: string, of: Written | null): string => (of === null ? '' : ` ${clause} ${of.text}`);

const { expression } = fc.letrec<{ sum: Written; product: Written; operand: Written; expression: Written }>((tie) => {
  const arithmetic = (operators: readonly string[], own: fc.Arbitrary<Written>, tighter: fc.Arbitrary<Written>) =>
    fc.oneof(
      { maxDepth: 5, depthIdentifier: 'sql' },
      tighter,
      fc.tuple(own, fc.constantFrom(...operators), tighter).map(([left, operator, right]) => ({
        text: `${left.text} ${operator} ${right.text}`,
        meaning: { kind: 'arithmetic', operator, left: left.meaning, right: right.meaning },
      })),
    );
  return {
    expression: tie('sum'),
    sum: arithmetic(['+', '-'], tie('sum'), tie('product')),
    product: arithmetic(['*', '/'], tie('product'), tie('operand')),
    operand: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'sql' },
      aggregate,
      positive.map((value) => ({ text: String(value), meaning: { kind: 'number', value } })),
      attribute.map((own) => ({ text: own.text, meaning: { kind: 'attribute', name: own.name } })),
      tie('sum').map(({ text, meaning }) => ({ text: `(${text})`, meaning })),
      tie('operand').map(({ text, meaning }) => ({
        text: `- ${text}`,
        meaning: { kind: 'arithmetic', operator: '-', left: { kind: 'number', value: 0 }, right: meaning },
      })),
      fc.tuple(tie('sum'), fc.option(condition)).map(([column, where]) => ({
        text: `(SELECT ${column.text} AS "title" FROM data${optional('WHERE', where)})`,
        meaning: {
          kind: 'select',
          statement: {
            columns: [{ title: 'title', expression: column.meaning }],
            ...(where !== null && { where: where.meaning }),
            groupBy: [],
            orderBy: [],
          },
        },
      })),
    ),
  };
});

const groupCondition = joined(
  fc.tuple(expression, comparison, expression).map(([left, operator, right]) => ({
    text: `${left.text} ${operator} ${right.text}`,
    meaning: { kind: 'compare', operator, left: left.meaning, right: right.meaning },
  })),
);

const order = fc
  // A number alone is that of a column.
  .tuple(
    expression.filter(({ meaning }) => meaning.kind !== 'number'),
    fc.constantFrom('', ' ASC', ' DESC'),
  )
  .map(([by, direction]) => ({
    text: `${by.text}${direction}`,
    meaning: { expression: by.meaning, descending: direction === ' DESC' },
  }));

const listOf = (items: readonly { readonly text: string }[], clause: string): string =>
  items.length === 0 ? '' : ` ${clause} ${items.map(({ text }) => text).join(', ')}`;

/** Every statement that can be read, as a text and as what it must mean. */
export const arbitraryStatement: fc.Arbitrary<Written> = fc
  .record({
    columns: fc.array(expression, { minLength: 1, maxLength: 3 }),
    where: fc.option(condition),
    groups: fc.array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: attribute.map(
            (own): Written => ({ text: own.text, meaning: { kind: 'attribute', name: own.name } }),
          ),
        },
        { weight: 1, arbitrary: caseOf },
      ),
      { maxLength: 3 },
    ),
    having: fc.option(groupCondition),
    orders: fc.array(order, { maxLength: 2 }),
    limit: fc.option(fc.nat()),
    offset: fc.option(fc.nat()),
  })
  .map(({ columns, where, groups, having: wanted, orders, limit, offset }) => {
    const having = groups.length > 0 ? wanted : null;
    const titled = columns.map(({ text }, i) => ({ text: `${text} AS "title ${i}"` }));
    return {
      text:
        `SELECT${listOf(titled, '')} FROM data${optional('WHERE', where)}${listOf(groups, 'GROUP BY')}` +
        `${optional('HAVING', having)}${listOf(orders, 'ORDER BY')}` +
        `${limit === null ? '' : ` LIMIT ${limit}`}${offset === null ? '' : ` OFFSET ${offset}`}`,
      meaning: {
        columns: columns.map(({ meaning }, i) => ({ title: `title ${i}`, expression: meaning })),
        ...(where !== null && { where: where.meaning }),
        groupBy: groups.map(({ meaning }) => meaning),
        ...(having !== null && { having: having.meaning }),
        orderBy: orders.map(({ meaning }) => meaning),
        ...(limit !== null && { limit }),
        ...(offset !== null && { offset }),
      },
    };
  });
