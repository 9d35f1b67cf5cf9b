import path from 'node:path';
import type { Relation } from '../../../src/query/relation.js';
import type { Unit } from '../../../src/query/unit.js';
import { seeded } from '../../../src/random/seeded.js';
import { uniformInteger } from '../../../src/random/uniform.js';
import { compare, type Difference } from './compare.js';
import type { Disturbance } from './disturbance.js';
import { observe } from './observe.js';
import { withConstraint } from './random-constraint.js';
import { largestHousehold, randomHouseholds } from './random-households.js';
import { idColumn, type RawTable, randomNeighbours } from './random-tables.js';
import { type Subject, subjects } from './subjects.js';
import type { Visit, visit, Way } from './ways.js';
import type { Format } from './write-raw.js';

/** One pair to audit: everything random in it follows from its number. */
export interface Pair {
  readonly visit: Visit;
  readonly sides: readonly [RawTable, RawTable];
}

export interface PairOptions {
  readonly root: string;
  readonly number: number;
  readonly subject: Subject;
  readonly relation: Relation;
  /** A way in, where it must be that one; otherwise by the number. */
  readonly way?: Way;
  readonly disturbance?: Disturbance;
}

/** Ways in, by how often they come: the file release and the command line take most of the time. */
const waysOf = ({ registered, draft }: Subject): readonly Way[] =>
  draft !== undefined
    ? ['release', 'cli']
    : registered === undefined
      ? ['memory', 'file', 'memory', 'file', 'memory']
      : ['memory', 'file', 'release', 'memory', 'file', 'cli', 'memory', 'file', 'memory', 'memory'];

const formats: readonly Format[] = ['csv', 'csv.gz', 'jsonl', 'parquet', 'typed.parquet'];

const flatUnit = (many: boolean): Unit =>
  many ? { kind: 'id', column: idColumn, maxRecords: 2 } : { kind: 'row', maxRecords: 1 };

/** A person can be protected where the number of persons is public. */
const householdUnit = (whole: boolean, relation: Relation): Unit =>
  whole || relation === 'add-remove'
    ? { kind: 'household', column: idColumn, maxRecords: largestHousehold }
    : { kind: 'person', maxRecords: 1 };

/** The n-th pair of a subject under a relation. */
export const pairOf = ({ root, number, subject, relation, ...told }: PairOptions): Pair => {
  const place = subjects.indexOf(subject);
  const seed = (number * 64 + place) * 2 + (relation === 'add-remove' ? 0 : 1);
  const random = seeded(seed);
  const some = <T>(list: readonly T[]): T => list[uniformInteger(random, list.length)];
  const ways = waysOf(subject);
  const way = told.way ?? ways[number % ways.length];
  const many = some([true, false]);
  const unit = subject.level === 'households' ? householdUnit(many, relation) : flatUnit(many);
  const format = some(formats);
  // Households are counted in memory.
  const engine = subject.level === 'households' ? 'memory' : some(['memory', 'duckdb', 'auto'] as const);
  const budget = some(
    subject.budgets ?? [{ epsilon: '1', delta: '1e-6' }, { epsilon: '3', delta: '1e-6' }, { epsilon: '2' }],
  );
  const outside = some(['declared', 'other', 'clip'] as const);
  const wrong = some(['none', 'none', 'none', 'none', 'abort', 'throw', 'source'] as const);
  const disturbance = told.disturbance ?? { kind: wrong, at: 1 + uniformInteger(random, 8) };
  const wild = outside !== 'declared';
  const {
    schema: free,
    publicRows,
    sides,
  } = unit.kind === 'household' || unit.kind === 'person'
    ? randomHouseholds(random, relation, { unit: unit.kind, wild })
    : randomNeighbours(random, relation, { many, wild });
  const schema = subject.constrained ? withConstraint(random, free, !subject.prior) : free;
  const of: Visit = {
    subject,
    way,
    format,
    engine,
    relation,
    unit,
    budget,
    disturbance,
    outside,
    schema,
    publicRows,
    seed,
    root,
    file: path.join(root, `private.${format}`),
    publicFile: path.join(root, 'public.csv'),
    schemaFile: path.join(root, 'schema.json'),
  };
  return { visit: of, sides };
};

/** Records on one side of the pair, replays on the other; `make` may plant a leak. */
export const auditPair = async (
  { visit: of, sides }: Pair,
  make?: typeof visit,
): Promise<{ readonly difference: Difference | undefined; readonly outputs: number; readonly lines: number }> => {
  const first = await observe(of, sides[0], undefined, make);
  const second = await observe(of, sides[1], first.outputs, make);
  return { difference: compare(first, second), outputs: first.outputs.length, lines: first.lines.length };
};
