import { demoCountry, flatDemo } from '../src/demo/demo-country.js';
import { flatDemoSchema } from '../src/demo/demo-schema.js';
import { mended } from '../src/domain/constraints/mended.js';
import type { Domain } from '../src/domain/domain.js';
import { tableDecoder } from '../src/domain/encode/decode-table.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { groupHouseholds } from '../src/domain/households/group-households.js';
import { InputError } from '../src/domain/input-error.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import type { Table } from '../src/domain/table.js';
import { answerErrors } from '../src/evaluate/answer-errors.js';
import { forbiddenMass } from '../src/model/forbidden-mass.js';
import { type AnyModel, modelsHouseholds } from '../src/model/model.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { attributesOf } from '../src/query/answer.js';
import { pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { seeded } from '../src/random/seeded.js';
import { anyMechanismNamed } from '../src/release/registry.js';
import { type Settings, settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';
import { brokenHome, brokenLoan, homesLike, homesSchema, loansLike, loansSchema } from './constrained/made-up.js';
import { ways } from './constrained/ways.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { showSpread, spreadOf } from './spread.js';

/*
 * What constraints in a schema come to. Rows of every mechanism on made-up tables with a constraint of every kind: how many break one (none must).
 * Errors with constraints and without, on the made-up table and on the demo country. AIM on twelve columns of loans with
 * `sub_grade -> grade` and without: time and errors. Each grade of that lender has five sub-grades in order, A1 to G5, as it published; the
 * codes of the table are in that order, with one more of each for values that are missing.
 */

const delta = 1e-9;

interface Given {
  readonly table: Table;
  readonly publicTable?: Table | undefined;
  /** Whose each person is, where there are households. */
  readonly keys?: readonly number[] | undefined;
}

const releaseOf = async (
  name: string,
  settings: Settings,
  epsilon: number,
  seed: number,
  { table, publicTable, keys }: Given,
): Promise<{ readonly model: AnyModel; readonly seconds: number }> => {
  const mechanism = anyMechanismNamed(name);
  const homes = mechanism.level === 'households';
  const source = await memorySource({ table, dataset: 'experiment', threads: 1, ...(homes ? { ids: keys } : {}) });
  const budget = { epsilon, delta };
  const ledger = await memoryLedger(budgetOf(budget), 'experiment', {
    relation: 'add-remove',
    ...(homes ? { unit: source.unit } : {}),
  });
  const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed), relation: 'add-remove' });
  const start = process.cpuUsage();
  const prior = homes || publicTable === undefined ? undefined : supportOf(publicTable);
  const run = {
    random: seeded(seed),
    threads: 1,
    publicTable: homes ? undefined : publicTable,
    publicHouseholds: homes && publicTable ? mended(groupHouseholds({ table: publicTable, keys: keys! })) : undefined,
  };
  try {
    const { model } = await mechanism.release(session, prior, run, settingsOf(mechanism, settings));
    const { user, system } = process.cpuUsage(start);
    return { model, seconds: (user + system) / 1e6 };
  } finally {
    await source.close();
  }
};

const columnsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]));

/** Rows drawn at a time. */
const chunk = 50_000;

/** How many of so many rows of a model break a constraint, by values; a second implementation judges them. */
const brokenOf = (
  model: AnyModel,
  rows: number,
  judge: (row: Readonly<Record<string, unknown>>) => unknown,
): number => {
  const random = seeded(7);
  const { domain } = model;
  const names = domain.attributes.map(({ name }) => name);
  const decode = tableDecoder(domain, { random });
  let broken = 0;
  for (let done = 0; done < rows; ) {
    const some = Math.min(chunk, rows - done);
    const table = modelsHouseholds(model) ? model.households(some, random) : model.sample(some, random);
    const values = decode(table.columns);
    // One object for all rows: a million are looked at.
    const seen: Record<string, unknown> = {};
    for (let row = 0; row < table.length; row++) {
      for (let a = 0; a < names.length; a++) seen[names[a]] = values[a][row];
      if (judge(seen) !== undefined) broken++;
    }
    done += table.length;
  }
  return broken;
};

const loans = (): Given => {
  const domain = domainFromSchema(loansSchema);
  return {
    table: encodeTable(domain, columnsOf(loansLike(2000, 1, { isBroken: true }))),
    publicTable: encodeTable(domain, columnsOf(loansLike(1000, 2, { isBroken: false }))),
  };
};

const homes = (): Given => {
  const domain = domainFromSchema(homesSchema);
  const { persons, keys } = homesLike(600, 1, { isBroken: true });
  const table = encodeTable(domain, columnsOf(persons));
  return { table, publicTable: table, keys };
};

const keptPart = async (rows: number, only: string | undefined, say: (line: string) => void) => {
  const kept = [];
  for (const { name, settings } of ways.filter((way) => only === undefined || way.name === only)) {
    const level = anyMechanismNamed(name).level;
    const [given, judge] = level === 'households' ? [homes(), brokenHome] : [loans(), brokenLoan];
    const { model } = await releaseOf(name, settings, 1, 1, given);
    const broken = brokenOf(model, rows, judge);
    kept.push({ mechanism: name, settings, rows, broken, forbiddenMass: forbiddenMass(model) });
    say(`${name} ${JSON.stringify(settings)}: ${broken} of ${rows} rows break a constraint`);
  }
  return kept;
};

/** The same schema without its constraints. */
const withoutConstraints = ({ constraints: _, ...schema }: Schema): Schema => schema;

/** Mean total variation distance over pairs of columns to a table that keeps the constraints. */
const errorOf = (model: AnyModel, truth: Table): number => {
  const given = supportModel(supportOf({ ...truth, domain: model.domain }), truth.length);
  const sets = pairsOrOneWays({ attributes: model.domain.attributes }).queries.map(({ query }) => attributesOf(query));
  const errors = sets.map((attributes) => {
    const [a, b] = [given.marginal(attributes), model.marginal(attributes)];
    const distance = a.reduce((sum, count, cell) => sum + Math.abs(count / given.total - b[cell] / model.total), 0);
    return distance / 2;
  });
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
};

interface Compared {
  readonly rows: number;
  /** Releases for each seed: small tables differ more between releases, and cost less. */
  readonly times: number;
  readonly columns: (of: Domain, seed: number) => Table;
  readonly schema: Schema;
}

const tables: Readonly<Record<string, Compared>> = {
  'made up': {
    rows: 2000,
    times: 4,
    schema: loansSchema,
    columns: (domain, seed) => encodeTable(domain, columnsOf(loansLike(2000, seed, { isBroken: false }))),
  },
  'demo country': {
    rows: 5000,
    times: 1,
    schema: flatDemoSchema,
    columns: (domain, seed) =>
      encodeTable(domain, flatDemo(demoCountry({ seed, households: 2200, year: 2018 + 5 * (seed - 1) }))),
  },
};

const errorMechanisms: readonly (readonly [string, Settings])[] = [
  ['aim', {}],
  ['mst', {}],
  ['residual-planner', { estimator: 'reweight' }],
  ['reweight', {}],
];

const errorPart = async (seeds: number, quick: boolean, only: string | undefined, say: (line: string) => void) => {
  const rows = [];
  for (const [table, { schema, columns, times }] of Object.entries(tables).slice(0, quick ? 1 : 2))
    for (const [mechanism, settings] of errorMechanisms.slice(0, quick ? 1 : undefined)) {
      if (only !== undefined && only !== mechanism) continue;
      const errors: Record<'with' | 'without', number[]> = { with: [], without: [] };
      const seconds = { with: 0, without: 0 };
      const runs = quick ? seeds : times * seeds;
      for (let seed = 1; seed <= runs; seed++)
        for (const way of ['with', 'without'] as const) {
          const domain = domainFromSchema(way === 'with' ? schema : withoutConstraints(schema));
          const given = { table: columns(domain, 2), publicTable: columns(domain, 1) };
          const { model, seconds: own } = await releaseOf(mechanism, settings, 1, seed, given);
          errors[way].push(errorOf(model, given.table));
          seconds[way] += own / runs;
        }
      rows.push({ table, mechanism, with: spreadOf(errors.with), without: spreadOf(errors.without), seconds });
      say(`${table}, ${mechanism}: ${errors.with.join(' ')} with, ${errors.without.join(' ')} without`);
    }
  return rows;
};

const loanColumns = [
  'loan_amnt',
  'funded_amnt',
  'int_rate',
  'installment',
  'term',
  'grade',
  'sub_grade',
  'emp_length',
  'home_ownership',
  'verification_status',
  'loan_status',
  'purpose',
];
const subGrades = 36;

const loansPart = async (data: string, seeds: number, quick: boolean, say: (line: string) => void) => {
  const table = loadCodes(data, 'pgm-four/loans', quick ? loanColumns.slice(4) : loanColumns);
  const map = Object.fromEntries(Array.from({ length: subGrades }, (_, sub) => [String(sub), Math.floor(sub / 5)]));
  const sub = table.columns[table.domain.attributes.findIndex(({ name }) => name === 'sub_grade')];
  const grade = table.columns[table.domain.attributes.findIndex(({ name }) => name === 'grade')];
  if (sub.some((code, row) => Math.floor(code / 5) !== grade[row]))
    throw new InputError('loans: grades must follow from sub-grades as published, got rows in which they do not');
  const declared: Domain = { ...table.domain, constraints: [{ from: 'sub_grade', to: 'grade', map }] };
  const domains = { without: table.domain, with: declared };
  const rows = [];
  for (const way of ['without', 'with'] as const) {
    const [means, largest, contradictions, seconds]: number[][] = [[], [], [], []];
    for (let seed = 1; seed <= seeds; seed++) {
      const own = { ...table, domain: domains[way] };
      const { model, seconds: taken } = await releaseOf('aim', {}, 1, seed, { table: own });
      const truth = supportModel(supportOf(table), table.length);
      const given = pairsOrOneWays(table.domain).queries.map(({ query }) => ({
        attributes: attributesOf(query),
        counts: truth.answer(query),
      }));
      const errors = answerErrors(model, given);
      means.push(errorOf(model, own));
      largest.push(errors.largest);
      const pairs = model.marginal(['sub_grade', 'grade']);
      const apart = pairs.reduce(
        (sum, count, cell) => sum + (Math.floor(Math.floor(cell / 8) / 5) === cell % 8 ? 0 : count),
        0,
      );
      contradictions.push(apart / model.total);
      seconds.push(taken);
      say(`loans ${way} sub_grade -> grade, seed ${seed}: ${means.at(-1)!.toFixed(4)}, ${taken.toFixed(1)} s`);
    }
    rows.push({
      way,
      variation: spreadOf(means),
      largest: spreadOf(largest),
      contradictions: spreadOf(contradictions),
      seconds: spreadOf(seconds),
    });
  }
  return { columns: loanColumns, rows };
};

/** Rows of both lists, those of the second in the place of rows of the same name. */
const joined = <R extends object>(before: readonly R[], own: readonly R[], nameOf: (row: R) => unknown): R[] => {
  const [old, fresh] = [before, own].map((rows) => new Map(rows.map((row) => [JSON.stringify(nameOf(row)), row])));
  return [...new Map([...old, ...fresh]).values()];
};

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

const experiment: Experiment = async ({ data, seeds = 3, quick = false, only, say }) => {
  const has = (part: string): boolean => only === undefined || only === part;
  // All mechanisms together take a while: `--only kept-aim` and `--only errors-aim` are of one.
  const [part, ...rest] = only?.split('-') ?? [];
  const one = rest.length === 0 ? undefined : rest.join('-');
  const count = quick ? 1 : seeds;
  const kept = has('kept') || part === 'kept' ? await keptPart(quick ? 20_000 : 1_000_000, one, say) : [];
  const errors = has('errors') || part === 'errors' ? await errorPart(count, quick, one, say) : [];
  const aim = has('loans') ? await loansPart(dataFolder(data), count, quick, say) : undefined;
  return {
    figures: { seeds: count, quick, kept, errors, loans: aim },
    added: (before) => {
      const old = before as { readonly kept: typeof kept; readonly errors: typeof errors; readonly loans: typeof aim };
      return {
        ...before,
        kept: joined(old.kept, kept, ({ mechanism, settings }) => [mechanism, settings]),
        errors: joined(old.errors, errors, ({ table, mechanism }) => [table, mechanism]),
        loans: aim ?? old.loans,
      };
    },
    text: [
      'Rows that break a constraint, of so many rows of each mechanism:',
      ...kept.map(
        ({ mechanism, settings, rows, broken }) =>
          `  ${`${mechanism} ${JSON.stringify(settings)}`.padEnd(60)} ${broken} of ${rows}`,
      ),
      `Mean total variation over pairs at epsilon 1, mean and standard deviation of ${count} seeds (four times as many on the made-up table), and seconds of processor time:`,
      ...errors.map(
        (row) =>
          `  ${row.table.padEnd(14)} ${row.mechanism.padEnd(18)} with ${showSpread(row.with)} (${row.seconds.with.toFixed(1)} s), without ${showSpread(row.without)} (${row.seconds.without.toFixed(1)} s)`,
      ),
      'AIM on loans at epsilon 1, without and with sub_grade -> grade:',
      ...(aim?.rows ?? []).map(
        (row) =>
          `  ${row.way.padEnd(8)} mean variation ${showSpread(row.variation)}, largest error ${showSpread(row.largest)}, grades that contradict ${percent(row.contradictions.mean)}, ${row.seconds.mean.toFixed(1)} s`,
      ),
    ].join('\n'),
  };
};

export default experiment;
