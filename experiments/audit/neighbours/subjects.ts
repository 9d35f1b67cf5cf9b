import { holdsSingleValues } from '../../../src/domain/discover/check-maps.js';
import type { HouseholdTable } from '../../../src/domain/households/household-table.js';
import { rowsAt } from '../../../src/domain/resample.js';
import type { Running } from '../../../src/domain/running.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import type { Table } from '../../../src/domain/table.js';
import type { AnyModel } from '../../../src/model/model.js';
import { type Support, supportOf } from '../../../src/model/support/support.js';
import type { BudgetRequest } from '../../../src/privacy/accounting/budget.js';
import { nameCells } from '../../../src/privacy/answers/named-cells.js';
import { restOf } from '../../../src/privacy/session/rest-of.js';
import type { Session } from '../../../src/privacy/session/session.js';
import { holding, holdingCell } from '../../../src/query/holding.js';
import { type Marginal, marginal } from '../../../src/query/marginal.js';
import { prefix } from '../../../src/query/query.js';
import { residual } from '../../../src/query/residual.js';
import { mostPairCells, pairsOrOneWays } from '../../../src/query/workload/pairs-or-one-ways.js';
import type { Random } from '../../../src/random/random.js';
import { checkPublic } from '../../../src/release/check-public/check-public.js';
import { chooseByBudget } from '../../../src/release/check-public/choose-public.js';
import { grouped as groupedRelease } from '../../../src/release/grouped/grouped.js';
import { householdMechanisms, mechanisms } from '../../../src/release/registry.js';
import type { Released } from '../../../src/release/released.js';
import { reweight } from '../../../src/release/reweight/reweight.js';
import { type Settings, settingsOf } from '../../../src/release/settings.js';

/** What a subject is given besides the session: all of it public. */
export interface Given {
  readonly publicTable: Table;
  /** The same with its households, where the domain has them. */
  readonly publicHouseholds?: HouseholdTable | undefined;
  readonly random: Random;
  readonly running: Running;
}

/** Something that is done to a private table through a session, and what it leaves. */
export interface Subject {
  readonly name: string;
  /** The registry's name of the mechanism, where a file release and the command line know it. */
  readonly registered?: string;
  /** Whether it takes the public table as a prior. */
  readonly prior: boolean;
  /** Whether its tables have households. */
  readonly level?: 'households' | undefined;
  /** Whether its schema has constraints, which private rows break as it happens. */
  readonly constrained?: boolean | undefined;
  /** What its schema file says, where that is not the schema; such a subject is reached by the file release and the command line alone. */
  readonly draft?: ((schema: Schema) => unknown) | undefined;
  /** Budgets of its own, where with those of the others it would not come to what it is for. */
  readonly budgets?: readonly BudgetRequest[] | undefined;
  run(session: Session, given: Given): Promise<Released<AnyModel> | { readonly found: unknown }>;
}

const registered = (name: string, prior: boolean): Subject => {
  const mechanism = mechanisms.find((one) => one.name === name)!;
  return {
    name: name === 'aim' && prior ? 'aim with a public prior' : name,
    registered: name,
    prior,
    run: (session, { publicTable, random, running }) => {
      const rows = prior ? supportOf(publicTable) : undefined;
      return mechanism.release(session, rows, { random, ...running }, settingsOf(mechanism, {}));
    },
  };
};

/** A mechanism with other settings than its defaults: by session only. */
const variant = (name: string, settings: Settings): Subject => {
  const mechanism = mechanisms.find((one) => one.name === name)!;
  const set = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return {
    name: `${name} ${set.join(' ')}`,
    prior: false,
    run: (session, { random, running }) =>
      mechanism.release(session, undefined, { random, ...running }, settingsOf(mechanism, settings)),
  };
};

/** A mechanism for households; with other settings than its defaults by session only. */
const forHouseholds = (name: string, withPublic: boolean, settings?: Settings): Subject => {
  const mechanism = householdMechanisms.find((one) => one.name === name)!;
  return {
    name,
    ...(settings === undefined ? { registered: name } : {}),
    prior: withPublic,
    level: 'households',
    run: (session, { publicHouseholds, random, running }) => {
      const run = { random, threads: 1, ...running };
      const given = withPublic ? { ...run, publicHouseholds } : run;
      return mechanism.release(session, undefined, given, settingsOf(mechanism, settings ?? {}));
    },
  };
};

/** The acts that count households. */
const householdActs: Subject = {
  name: 'acts that count households',
  prior: false,
  level: 'households',
  run: async (session) => {
    const names = session.domain.attributes.map(({ name }) => name);
    const queries = [holding(), holding(names[0]), holding(...names.slice(0, 2)), holdingCell(names.slice(0, 2), 1)];
    const candidates = queries.slice(1, 3).map((query) => ({ query, reference: [1], cells: nameCells([0]) }));
    return {
      found: {
        measured: await session.measure([...queries, marginal(...names.slice(0, 2))], 0.4),
        chosen: await session.select(candidates, 0.1),
        cell: await session.selectCell(candidates, 0.1),
        error: await session.largestError(candidates, 0.1),
        unknown: await session.measure([holding('no such attribute')], 0.01).catch(String),
        tooMuch: await session.measure(queries, 1).catch(String),
        remaining: session.remaining,
      },
    };
  },
};

const supportMarginals = ({ domain }: Pick<Session, 'domain'>): Marginal[] =>
  domain.attributes.map(({ name }) => marginal(name));

const reference = (support: Support, { attributes: [name] }: Marginal, scale: number): Float64Array => {
  const index = support.domain.attributes.findIndex((attribute) => attribute.name === name);
  const sums = new Float64Array(support.domain.attributes[index].size);
  for (let row = 0; row < support.length; row++) sums[support.columns[index][row]] += support.weights[row] * scale;
  return sums;
};

/** Every act that a session has, with what it refuses, so that no act is left to the mechanisms that happen to use it. */
const everyAct: Subject = {
  name: 'every act of a session',
  prior: true,
  run: async (session, { publicTable }) => {
    const support = supportOf(publicTable);
    const marginals = supportMarginals(session);
    const [first, second] = marginals;
    const candidates = marginals.map((query) => ({ query, reference: reference(support, query, 3) }));
    const named = marginals.map((query) => ({ query, cells: nameCells([0]), reference: [1.5] }));
    const refusal = (error: unknown): string => String(error);
    return {
      found: {
        total: await session.total(0.05),
        measured: await session.measure([first, marginal(), prefix(first.attributes[0])], 0.2, { weights: [1, 2, 1] }),
        laplace: await session.measure([second], 0.1, { noise: 'laplace' }),
        residual: await session.measure([residual(...second.attributes)], 0.05).catch(refusal),
        chosen: await session.select(candidates, 0.05),
        largest: await session.select(candidates, 0.05, { distance: 'largest', mechanism: 'permute-and-flip' }),
        rival: await session.select(
          candidates.map((candidate) => ({ ...candidate, rival: candidate.reference.map((count) => count / 2) })),
          0.01,
        ),
        cell: await session.selectCell(named, 0.05),
        flipped: await session.selectCell(candidates, 0.05, { mechanism: 'permute-and-flip' }),
        dependence: await session.selectDependence(
          [
            { of: first.attributes, on: second.attributes },
            { of: second.attributes, on: [] },
          ],
          0.05,
          { rows: 1000 },
        ),
        drawn: await session.drawCells(candidates, 0.02, { draws: 5 }),
        error: await session.largestError(candidates, 0.05),
        groups: await session.partition(first.attributes, 0.2, async (groups) => {
          const seen: unknown[] = [];
          // In turn: what is replayed comes in the order of the calls.
          for (const group of groups)
            seen.push(
              await group.measure([second], 0.5),
              await group.select([{ query: second, reference: candidates[1].reference }], 0.2),
              await group.measure([second], 0.9).catch(refusal),
            );
          return seen;
        }),
        tooMuch: await session.measure([first], 1).catch(refusal),
        unknown: await session.measure([marginal('no such attribute')], 0.01).catch(refusal),
        remaining: session.remaining,
      },
    };
  },
};

const bestMixtureErrors: Subject = {
  name: 'best mixture error',
  prior: true,
  run: async (session, { publicTable }) => {
    const support = supportOf(publicTable);
    const total = Math.max(1, (await session.total(0.2)).values[0]);
    const marginals = supportMarginals(session);
    return {
      found: [
        await session.bestMixtureError(support, marginals, total, 0.3),
        await session.bestMixtureError(support, marginals.slice(0, 1), total, 0.3),
      ],
    };
  },
};

/** Groups by the first attribute, in two regions of its cells. */
const grouped: Subject = {
  name: 'grouped',
  prior: true,
  run: (session, { publicTable, random, running }) => {
    const [{ name, size }] = session.domain.attributes;
    const groups = Array.from({ length: size }, (_, cell) => cell % 2);
    return groupedRelease(session, publicTable, {
      groups: [name],
      regions: [{ attribute: name, groups, size: 2 }],
      random,
      pool: 64,
      draws: 32,
      ...running,
    });
  },
};

const check: Subject = {
  name: 'check-public',
  registered: 'check-public',
  prior: true,
  run: async (session, { publicTable, random, running }) => {
    const workload = pairsOrOneWays(session.domain, mostPairCells);
    const options = { share: 0.4, random, ...running };
    return { found: await checkPublic(session, supportOf(publicTable), workload, options) };
  },
};

/** One of two public tables, paid for, and a release by what remains. */
const choosing: Subject = {
  name: 'choosing a public table',
  prior: true,
  run: async (session, { publicTable, random, running }) => {
    const tables = [publicTable, rowsAt(publicTable, [0, 1, 2])].map(supportOf);
    const workload = pairsOrOneWays(session.domain, mostPairCells);
    const found = await chooseByBudget(session, tables, workload, { share: 0.4, random, ...running });
    const released = await reweight(restOf(session), tables[found.choice], { random, ...running });
    const errors = found.found.map(({ mixture, noisy }) => ({ mixture, noisy }));
    return { ...released, notes: { ...released.notes, choice: found.choice, errors } };
  },
};

/** A release whose schema is asked for: nothing is known of the first column, of some others the type, and the rest is declared. */
const discovering: Subject = {
  name: 'discovery',
  registered: 'residual-planner',
  prior: false,
  draft: ({ attributes, ...rest }) => ({
    ...rest,
    attributes: attributes.map((spec, i) => {
      const { name, type } = spec;
      if (i % 3 === 0) return { name, type: 'discover' };
      if (i % 3 === 2) return spec;
      return type === 'category' || type === 'boolean'
        ? { name, type: 'category', values: 'discover' }
        : { name, type, edges: 'discover' };
    }),
  }),
  run: () => Promise.reject(new Error('a discovery has no session of its own')),
};

/** The same with a map between two columns that is learned, whatever it then is. Tables this small have one within large budgets only. */
const learningMap: Subject = {
  ...discovering,
  name: 'discovery of a map',
  budgets: [{ epsilon: '100', delta: '1e-6' }, { epsilon: '400', delta: '1e-6' }, { epsilon: '200' }],
  draft: ({ attributes, ...rest }) => {
    const single = attributes.filter(holdsSingleValues);
    const [from, to] = single;
    return {
      ...rest,
      attributes: attributes.map((spec, i) =>
        spec.type === 'date' || (i > 2 && spec.type === 'number')
          ? { name: spec.name, type: spec.type, edges: 'discover' }
          : spec,
      ),
      constraints: to === undefined ? [] : [{ from: from.name, to: to.name, map: 'discover' }],
    };
  },
};

export const subjects: readonly Subject[] = [
  registered('reweight', true),
  registered('ide', true),
  registered('pmw-pub', true),
  registered('mwem', false),
  variant('mwem', { estimator: 'factored' }),
  variant('mwem', { estimator: 'pgm' }),
  registered('dual-query', false),
  variant('dual-query', { estimator: 'records', rounds: 4, samples: 10 }),
  registered('residual-planner', true),
  registered('privbayes', false),
  variant('privbayes', { estimator: 'pgm' }),
  registered('hdmm', false),
  variant('hdmm', { estimator: 'lls', template: 'products' }),
  variant('gem', { rounds: 3, batch: 20, steps: 5 }),
  registered('aim', false),
  registered('aim', true),
  registered('pairs', false),
  registered('mst', false),
  registered('jam', true),
  grouped,
  check,
  choosing,
  bestMixtureErrors,
  everyAct,
  forHouseholds('h-reweight', true),
  forHouseholds('h-mwem', false),
  forHouseholds('h-gem', true, { rounds: 2, batch: 20, steps: 4, publicSteps: 4 }),
  householdActs,
  discovering,
  { ...registered('aim', false), name: 'aim with constraints', constrained: true },
  { ...registered('reweight', true), name: 'reweight with constraints', constrained: true },
  learningMap,
];
