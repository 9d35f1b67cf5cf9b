import { cellLabels, type HouseholdTable, householdSupportModel, householdWorkload } from '../../src/advanced.js';
import { type HouseholdModel, holding, type Query } from '../../src/index.js';
import type { Io } from '../command.js';
import { bar, bold, percent, table } from '../terminal/print.js';

/** How far a release and the public tables are from the fictional truth, in shares of households or of persons. */
export interface HomesComparison {
  /** Mean and largest error of an answer over all pairs of attributes. */
  readonly households: HomesErrors;
  readonly persons: HomesErrors;
  readonly shown: readonly { readonly title: string; readonly cells: readonly HomesCell[] }[];
}

interface HomesErrors {
  readonly public: Errors;
  readonly released: Errors;
}

interface Errors {
  readonly mean: number;
  readonly largest: number;
}

interface HomesCell {
  readonly label: string;
  readonly public: number;
  readonly released: number;
  readonly true: number;
}

const modelOf = (table: HouseholdTable): HouseholdModel => {
  const households = table.offsets.length - 1;
  return householdSupportModel({ table, weights: new Float64Array(households).fill(1 / households) }, households);
};

const sharesOf = (model: HouseholdModel, query: Query): Float64Array =>
  model.answer(query).map((answer) => answer / (query.kind === 'holding' ? model.householdTotal : model.total));

const errorsOf = (model: HouseholdModel, truth: HouseholdModel, queries: readonly Query[]): Errors => {
  const errors = queries.flatMap((query) => {
    const right = sharesOf(truth, query);
    return Array.from(sharesOf(model, query), (share, cell) => Math.abs(share - right[cell]));
  });
  return { mean: errors.reduce((sum, error) => sum + error, 0) / errors.length, largest: Math.max(...errors) };
};

/**
 * Compares a release of the *fictional* households, and the public ones as they are, with the private ones. A laboratory act: on real tables its
 * result would be private. That is why no command offers it but the demo.
 */
export const compareHomes = (
  open: HouseholdTable,
  secret: HouseholdTable,
  released: HouseholdModel,
): HomesComparison => {
  const { domain } = secret;
  const [before, truth] = [modelOf(open), modelOf(secret)];
  const queries = householdWorkload(domain, { attributes: 2 }).queries.map(({ query }) => query);
  const errors = (kind: Query['kind']): HomesErrors => {
    const own = queries.filter((query) => query.kind === kind);
    return { public: errorsOf(before, truth, own), released: errorsOf(released, truth, own) };
  };
  const shown = [
    { title: 'persons in a household', name: domain.households!.size! },
    { title: 'somebody of age', name: 'age' },
  ].map(({ title, name }) => {
    const labels = cellLabels(domain.attributes.find((attribute) => attribute.name === name)!);
    const [was, became, is] = [before, released, truth].map((model) => sharesOf(model, holding(name)));
    return {
      title,
      cells: labels.map((label, cell) => ({ label, public: was[cell], released: became[cell], true: is[cell] })),
    };
  });
  return { households: errors('holding'), persons: errors('marginal'), shown };
};

/** The comparison for a person. */
export const homesText = (
  { households, persons, shown }: HomesComparison,
  years: { readonly public: number; readonly private: number },
  io: Io,
): string => {
  const parts = shown.map(({ title, cells }) => {
    const most = Math.max(...cells.map((cell) => Math.max(cell.public, cell.released, cell.true)));
    const drawn = (share: number) => `${percent(share).padStart(6)} ${bar(share / most, 10, io.unicode)}`;
    const headings = [`of households: ${title}`, `public ${years.public}`, 'released', `truth ${years.private}`];
    return table(
      headings.map((heading) => ({ title: heading })),
      cells.map((cell) => [cell.label, drawn(cell.public), drawn(cell.released), drawn(cell.true)]),
      io,
    );
  });
  const told = (what: string, { public: before, released }: HomesErrors): string =>
    `an answer about ${what} is off by ${percent(released.mean)} on average and ${percent(released.largest)} at most (the public tables as they are: ${percent(before.mean)} and ${percent(before.largest)})`;
  return `${parts.join('\n')}
${bold('Over all pairs of attributes:', io)} ${told('households', households)};
${told('persons', persons)}.
`;
};
