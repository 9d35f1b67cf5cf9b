import { meant } from '../sql-error.js';
import type { Aggregate, AggregateOf, ValueOf } from '../statement.js';
import { caseFrom, valueFrom } from './case-from.js';
import { constantOf, type Meaning, placeOf } from './meaning.js';
import type { CallTree, Span, Tree } from './tree.js';

type Call = CallTree & Span;
/** What is in the parentheses of a call: what it is of, and of a percentile which one. */
type Form = (call: Call, name: string, meaning: Meaning) => Pick<AggregateOf, 'of' | 'share'>;

const isStar = ({ args }: Call): boolean => args.length === 0 || (args.length === 1 && args[0].kind === 'star');

const argument = (tree: Tree, name: string, meaning: Meaning): ValueOf =>
  tree.kind === 'case'
    ? caseFrom(tree, meaning)
    : valueFrom(tree, meaning, `${name} must be of an attribute, a value or a CASE`);

const none: Form = (call, name, meaning) => {
  if (!isStar(call))
    throw meaning.refuse(
      placeOf(call.args[0], meaning),
      `${name} must have nothing in its parentheses`,
      `${name}() is the share of the selected records of a group among all records`,
    );
  return { of: [] };
};

const one: Form = (call, name, meaning) => {
  if (call.args.length !== 1 || isStar(call))
    throw meaning.refuse(
      meaning.tokens[call.first].at,
      `${name} must have one attribute in its parentheses`,
      `for example ${name}(age)`,
    );
  return { of: [argument(call.args[0], name, meaning)] };
};

/** COUNT(1) is COUNT(*): every record has a value that is written out. */
const oneOrStar: Form = (call, name, meaning) => {
  const { of } = isStar(call) ? { of: [] } : one(call, name, meaning);
  return { of: of[0]?.kind === 'constant' ? [] : of };
};

const two: Form = ({ args, first }, name, meaning) => {
  if (args.length !== 2 || args.some(({ kind }) => kind !== 'name'))
    throw meaning.refuse(
      meaning.tokens[first].at,
      `${name} must have two attributes in its parentheses`,
      `for example ${name}(income, age)`,
    );
  return { of: args.map((tree) => argument(tree, name, meaning)) };
};

/** The share of the records that lies at or below a percentile. */
const shareFrom = (tree: Tree | undefined, name: string, { meaning, at, example }: Place): number => {
  const share = tree && constantOf(tree, meaning);
  if (typeof share === 'number' && share >= 0 && share <= 1) return share;
  throw meaning.refuse(
    tree === undefined ? at : placeOf(tree, meaning),
    `${name} must be told one share from 0 to 1`,
    `for example ${example}`,
  );
};

interface Place {
  readonly meaning: Meaning;
  readonly at: number;
  readonly example: string;
}

/** QUANTILE(x, share), as in DuckDB. */
const quantile: Form = ({ args, first }, name, meaning) => {
  const place = { meaning, at: meaning.tokens[first].at, example: `${name}(age, 0.25)` };
  if (args.length !== 2 || args[0].kind === 'star')
    throw meaning.refuse(place.at, `${name} must be of an attribute and a share`, `for example ${place.example}`);
  return { of: [argument(args[0], name, meaning)], share: shareFrom(args[1], name, place) };
};

/** PERCENTILE_CONT(share) WITHIN GROUP (ORDER BY x), as in PostgreSQL. */
const within: Form = (call, name, meaning) => {
  const place = { meaning, at: meaning.tokens[call.first].at, example: `${name}(0.25) WITHIN GROUP (ORDER BY age)` };
  if (call.within === undefined || call.args.length !== 1)
    throw meaning.refuse(place.at, `${name} must say which share, and of what`, `for example ${place.example}`);
  const share = shareFrom(call.args[0], name, place);
  const { by, descending } = call.within;
  // Counted from above, a value that records have is another one where the share falls between two of them.
  if (descending && name === 'PERCENTILE_DISC')
    throw meaning.refuse(placeOf(by, meaning), `${name} must be ordered upwards`, 'leave DESC out, and take 1 - share');
  return { of: [argument(by, name, meaning)], share: descending ? 1 - share : share };
};

const median: Form = (call, name, meaning) => ({ ...one(call, name, meaning), share: 0.5 });

interface Called {
  readonly aggregate: Aggregate;
  readonly form: Form;
}

const calls: Readonly<Record<string, Called>> = {
  COUNT: { aggregate: 'COUNT', form: oneOrStar },
  SUM: { aggregate: 'SUM', form: one },
  AVG: { aggregate: 'AVG', form: one },
  SHARE: { aggregate: 'SHARE', form: none },
  PERCENT: { aggregate: 'PERCENT', form: none },
  MIN: { aggregate: 'MIN', form: one },
  MAX: { aggregate: 'MAX', form: one },
  MEDIAN: { aggregate: 'PERCENTILE_CONT', form: median },
  QUANTILE: { aggregate: 'PERCENTILE_DISC', form: quantile },
  STDDEV: { aggregate: 'STDDEV_SAMP', form: one },
  VARIANCE: { aggregate: 'VAR_SAMP', form: one },
  CORR: { aggregate: 'CORR', form: two },
  STDDEV_SAMP: { aggregate: 'STDDEV_SAMP', form: one },
  STDDEV_POP: { aggregate: 'STDDEV_POP', form: one },
  VAR_SAMP: { aggregate: 'VAR_SAMP', form: one },
  VAR_POP: { aggregate: 'VAR_POP', form: one },
  PERCENTILE_CONT: { aggregate: 'PERCENTILE_CONT', form: within },
  PERCENTILE_DISC: { aggregate: 'PERCENTILE_DISC', form: within },
  QUANTILE_CONT: { aggregate: 'PERCENTILE_CONT', form: quantile },
  QUANTILE_DISC: { aggregate: 'PERCENTILE_DISC', form: quantile },
  MEAN: { aggregate: 'AVG', form: one },
};

/** The names by which aggregates are called; messages name the first of them. */
const names = Object.keys(calls);
export const calledAggregates: readonly string[] = names.slice(0, names.indexOf('STDDEV_SAMP'));

/** What a call means. */
export const aggregateFrom = (call: Tree & Call, meaning: Meaning): AggregateOf => {
  const { refuse, tokens } = meaning;
  const { value: written, at } = tokens[call.first];
  const name = written.toUpperCase();
  if (!Object.hasOwn(calls, name))
    throw refuse(
      at,
      `functions must be ${calledAggregates.join(', ')}, got ${written}`,
      meant(name, names, 'there are'),
    );
  const { aggregate, form } = calls[name];
  if (call.distinct !== undefined)
    throw refuse(
      tokens[call.distinct].at,
      `${name}(DISTINCT ...) has no answer: a model knows how many records each cell holds, and not which values the records have`,
      'ask which cells hold anybody: GROUP BY the attribute',
    );
  const extra = call.extra ?? (form === within ? undefined : call.within?.by.first);
  if (extra !== undefined)
    throw refuse(
      tokens[extra].at,
      `${name} must be plain, without an order or OVER`,
      'put conditions in FILTER or WHERE, groups in GROUP BY',
    );
  const { of, share } = form(call, name, meaning);
  return { kind: 'aggregate', aggregate, of, share, filter: call.filter && meaning.condition(call.filter), at };
};
