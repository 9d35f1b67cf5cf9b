import { constraintsAmong } from '../../domain/constraints/constraints-among.js';
import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { rowsAt } from '../../domain/resample.js';
import type { Running } from '../../domain/running.js';
import type { Table } from '../../domain/table.js';
import type { Model } from '../../model/model.js';
import { distinctRows } from '../../model/support/distinct-rows.js';
import { drifted } from '../../model/support/drifted.js';
import { joinedTable } from '../../model/support/joined.js';
import { reweighted, type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { noiseKinds } from '../../privacy/noise/noise-kinds.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { residualSizes } from '../../query/residual.js';
import { combinations } from '../../query/workload/combinations.js';
import type { Random } from '../../random/random.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { graphicalPrior } from '../graphical/prior/prior.js';
import { estimateReweighted } from '../reweight/reweight.js';
import { cliqueFinder } from './model-cliques.js';

/*
 * One part of the public table plays the public table and predicts another part, which plays the private one, drifted a little and measured with
 * the release's own noise. On few attributes, so that it takes no longer than a fit. A simulation: nothing private is near but noise scales and a
 * noisy number of records, and noise needs not be exact.
 */

/** Attributes that a rehearsal has at most: their pairs are 28, and their triples, by which it is judged, 56. */
export const mostAttributes = 8;
/** Rows of either part, and rows drawn beside them. */
export const mostPartRows = 8000;
export const rehearsalDraws = 8000;
/** Part of the rows that plays the public table; the others play the private one. */
const publicPart = 2 / 3;
/** Cells of a triple that is judged. */
const mostJudgedCells = 5000;
/** Steps of a fit at most, and perturbed fits that judge where it stops: few, since errors are summed over several. */
const iterations = 100;
const probes = 2;

/** Sums over all judged cells, each weighted, from which the mixture of least error before any fit follows. */
export interface StaticErrors {
  /** Of (public - truth)(drawn - public) and (drawn - public)^2. */
  readonly product: number;
  readonly spread: number;
}

/** Rows of a model of a size, beside the part that plays the public table. */
export interface RehearsedRows {
  /** Before any fit. */
  readonly errors: StaticErrors;
  /** Squared error, cells weighted, of a fit that starts with this part of its weight on drawn rows. */
  fitted(lambda: number): Promise<number>;
}

/** One split of the public table into parts. */
export interface Stage {
  /** Records that play the public table. */
  readonly records: number;
  /** Draws rows from a model of cliques of this size: a part of as many as a rehearsal has. */
  draw(cliqueCells: number, part: number): RehearsedRows;
}

/** Splits a public table at random: `records` are those of the private table, about; models have cliques of at most `mostCliqueCells`. */
export const openStage = (
  table: Table,
  measurements: readonly Measurement[],
  records: number,
  random: Random,
  { mostCliqueCells, ...running }: Running & { readonly mostCliqueCells: number },
): Stage => {
  const order = shuffle(
    Array.from({ length: table.length }, (_, row) => row),
    random,
  );
  const first = Math.min(mostPartRows, Math.floor(publicPart * table.length));
  const whole = rowsAt(table, order.slice(0, first));
  const names = someAttributes(table.domain, measurements, random);
  const a = onlyOf(whole, names);
  const b = onlyOf(rowsAt(table, order.slice(first, first + mostPartRows)), names);
  const truth = supportModel(drifted(b, records, random), records);
  const measured = measurements
    .filter(({ query }) => attributesOf(query).every((name) => names.includes(name)))
    .map((measurement) => measuredOn(truth, measurement, random));
  const judged = judgedSets(a.domain);
  const exact = judged.map((set) => truth.marginal(set).map((count) => count / records));
  const seed = random.uint32();
  const own = supportOf(whole);
  const cliques = cliqueFinder(own, mostCliqueCells);
  /** What an error in each cell counts, by the first model that is drawn from: the same for all, or they could not be compared. */
  let worth: readonly Float64Array[] | undefined;
  return {
    records: first,
    draw: (cliqueCells, part) => {
      const { model } = graphicalPrior(table.domain, own, { cliques: cliques(cliqueCells), records: first });
      const d = onlyOf(model.sample(Math.ceil(part * rehearsalDraws), random), names);
      const [weights, others] = [a, d].map((which) => sharesIn([a, d], which));
      const rows = distinctRows(joinedTable([a, d]));
      const mixed = (lambda: number): Support =>
        reweighted(
          { ...rows, domain: a.domain, weights },
          weights.map((weight, row) => (1 - lambda) * weight + lambda * others[row]),
        );
      const [mine, theirs] = [0, 1].map((lambda) => supportModel(mixed(lambda), 1));
      // Errors count by the root of what a cell holds: near the scale of total variation, whose terms are roots of squared errors, and yet without bias.
      worth ??= judged.map((set) => theirs.marginal(set).map((share) => 1 / Math.sqrt(share + 1 / first)));
      const weighed = worth;
      const shares = judged.map((set) => ({ a: mine.marginal(set), d: theirs.marginal(set) }));
      return {
        errors: {
          product: summed(
            weighed,
            (t, cell) => (shares[t].a[cell] - exact[t][cell]) * (shares[t].d[cell] - shares[t].a[cell]),
          ),
          spread: summed(weighed, (t, cell) => (shares[t].d[cell] - shares[t].a[cell]) ** 2),
        },
        fitted: async (lambda) => {
          // Public rows alone are fewer rows.
          const start = lambda === 0 ? supportOf(a) : mixed(lambda);
          const { support } =
            measured.length === 0
              ? { support: start }
              : await estimateReweighted(start, measured, {
                  random: seeded(seed),
                  threads: 1,
                  iterations,
                  probes,
                  signal: running.signal,
                });
          const model = supportModel(support, 1);
          const found = judged.map((set) => model.marginal(set));
          return summed(weighed, (t, cell) => (found[t][cell] - exact[t][cell]) ** 2);
        },
      };
    },
  };
};

/** A sum over all cells of all judged marginals of what each is worth times a value. */
const summed = (worth: readonly Float64Array[], value: (t: number, cell: number) => number): number =>
  worth.reduce(
    (sum, own, t) => sum + own.reduce((all, weight, cell) => all + weight * value(t, cell), 0) / worth.length,
    0,
  );

/** The weight of each distinct row of some tables in one of them, in proportion. */
const sharesIn = (tables: readonly Table[], one: Table): Float64Array => {
  const each = tables.flatMap((table) =>
    Array.from({ length: table.length }, () => (table === one ? 1 / one.length : 0)),
  );
  return distinctRows(joinedTable(tables), each).counts;
};

/** Attributes of measurements that are taken at random, as long as they are few; all of them where they are few. */
const someAttributes = (domain: Domain, measurements: readonly Measurement[], random: Random): string[] => {
  const all = domain.attributes.map(({ name }) => name);
  if (all.length <= mostAttributes) return all;
  const taken = new Set<string>();
  for (const { query } of shuffle([...measurements], random)) {
    const more = attributesOf(query).filter((name) => !taken.has(name));
    if (taken.size + more.length <= mostAttributes) for (const name of more) taken.add(name);
  }
  return taken.size === 0 ? all.slice(0, mostAttributes) : all.filter((name) => taken.has(name));
};

/** The columns of some attributes. */
const onlyOf = ({ domain, columns, length }: Table, names: readonly string[]): Table => {
  const kept = names.map((name) => indexOf(domain, name));
  const constraints = constraintsAmong(domain, names);
  return {
    domain: {
      ...domain,
      attributes: kept.map((index) => domain.attributes[index]),
      constraints: constraints.length === 0 ? undefined : constraints,
    },
    columns: kept.map((index) => columns[index]),
    length,
  };
};

/** Sets of three attributes, or of all where there are fewer, whose cells are not too many; single attributes where all such are too large. */
const judgedSets = (domain: Domain): string[][] => {
  const names = domain.attributes.map(({ name }) => name);
  for (const size of [3, 2, 1]) {
    const sets = [...combinations(names.length, Math.min(size, names.length))].map((set) => set.map((i) => names[i]));
    const kept = sets.filter((set) => cellsOf(domain, set) <= mostJudgedCells);
    if (kept.length > 0) return kept;
  }
  return names.map((name) => [name]);
};

/** A measurement of the same query with the same noise. */
const measuredOn = (truth: Model, { query, noise }: Measurement, random: Random): Measurement => {
  const right = truth.answer(query);
  if (noise.kind === 'none') return { query, noise, values: right };
  const { simulate } = noiseKinds[noise.kind];
  const drawn = right.map(() => noise.scale * simulate(random));
  // Of the noise in a residual's cells what leaves is its own residual.
  const kept = residualSizes(query, truth.domain) === undefined ? drawn : answerFrom(query, truth.domain, drawn);
  return { query, noise, values: right.map((answer, i) => answer + kept[i]) };
};
