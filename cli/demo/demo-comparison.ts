import { attributeNamed, attributesOf, cellLabels, cellsOf, supportModel } from '../../src/advanced.js';
import {
  allMarginals,
  type BeyondEnd,
  type Domain,
  type MadeRelease,
  type Model,
  supportOf,
  type Table,
} from '../../src/index.js';
import type { Io } from '../command.js';
import { bar, bold, clip, percent, table } from '../terminal/print.js';

/** How far two distributions are from the fictional truth. Errors are total variation distances, 0 to 1. */
export interface DemoComparison {
  /** Number of pairs of attributes compared. */
  readonly pairs: number;
  readonly publicError: number;
  readonly releasedError: number;
  /** Attributes in which the two years differ most, with the share of every cell. */
  readonly attributes: readonly {
    readonly name: string;
    readonly cells: readonly {
      readonly label: string;
      readonly public: number;
      readonly released: number;
      readonly true: number;
    }[];
  }[];
  /** Open ends beyond which a part of the later year lies, which no public row shows. */
  readonly beyond: readonly (BeyondEnd & { readonly true: number })[];
}

/** A true share beyond an end from which on it is told. */
const leastBeyond = 0.005;
/** Pairs with more cells than this are left out: at that size a table of 20,000 rows has almost nothing in a cell. */
const mostCells = 2000;
/** Attributes shown, and cells that fit beside each other on a screen. */
const shown = 3;
const mostShown = 8;

const shares = (model: Model, attributes: readonly string[]): Float64Array =>
  model.marginal(attributes).map((count) => count / model.total);

const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, share, cell) => sum + Math.abs(share - b[cell]), 0) / 2;

/**
 * Compares a release of the *fictional* private table, and the public table as it is, with that private table. A laboratory act: on a
 * real table its result would be private. That is why no command offers it but the demo.
 */
export const compareDemo = (
  domain: Domain,
  open: Table,
  secret: Table,
  { model: released, beyond }: Pick<MadeRelease, 'model' | 'beyond'>,
): DemoComparison => {
  const before = supportModel(supportOf(open), open.length);
  const truth = supportModel(supportOf(secret), secret.length);
  const pairs = allMarginals(domain, 2, { maxCells: mostCells }).queries.map(({ query }) => attributesOf(query));
  const mean = (model: Model) =>
    pairs.reduce((sum, pair) => sum + distance(shares(model, pair), shares(truth, pair)), 0) / pairs.length;
  const small = domain.attributes.filter(({ name }) => cellsOf(domain, [name]) <= mostShown);
  const drift = (name: string) => distance(shares(before, [name]), shares(truth, [name]));
  const chosen = [...small].sort((a, b) => drift(b.name) - drift(a.name)).slice(0, shown);
  const trueShare = ({ attribute, label }: BeyondEnd): number =>
    shares(truth, [attribute])[cellLabels(attributeNamed(domain, attribute)!).indexOf(label)];
  return {
    pairs: pairs.length,
    publicError: mean(before),
    releasedError: mean(released),
    attributes: chosen.map((attribute) => {
      const [was, became, is] = [before, released, truth].map((model) => shares(model, [attribute.name]));
      const cells = cellLabels(attribute).map((label, cell) => ({
        label,
        public: was[cell],
        released: became[cell],
        true: is[cell],
      }));
      return { name: attribute.name, cells: cells.filter((cell) => cell.public + cell.true + cell.released > 0.001) };
    }),
    beyond: beyond.map((end) => ({ ...end, true: trueShare(end) })).filter((end) => end.true >= leastBeyond),
  };
};

/** The comparison for a person. */
export const comparisonText = (
  { attributes, pairs, publicError, releasedError, beyond }: DemoComparison,
  years: { readonly public: number; readonly private: number },
  io: Io,
): string => {
  const parts = attributes.map(({ name, cells }) => {
    const most = Math.max(...cells.map((cell) => Math.max(cell.public, cell.released, cell.true)));
    const drawn = (share: number) => `${percent(share).padStart(6)} ${bar(share / most, 10, io.unicode)}`;
    const headings = [
      { title: name },
      { title: `public ${years.public}` },
      { title: 'released' },
      { title: `truth ${years.private}` },
    ];
    const rows = cells.map((cell) => [
      clip(cell.label, 20, io.unicode),
      drawn(cell.public),
      drawn(cell.released),
      drawn(cell.true),
    ]);
    return table(headings, rows, io);
  });
  const ends = beyond.map(
    ({ attribute, label, share, bounds, true: truth }) =>
      `${attribute} ${label}: released ${percent(share)}${bounds === undefined ? '' : ` (95%: ${percent(bounds[0])} to ${percent(bounds[1])})`}, truth ${percent(truth)}\n`,
  );
  const told =
    ends.length === 0
      ? ''
      : `\n${bold('Beyond what the public table shows:', io)} the schema ends where the ${years.public} table does, the later year goes on, and the release
tells how much of it:
${ends.join('')}`;
  const factor = publicError / releasedError;
  return `${parts.join('\n')}${told}
${bold('How close:', io)} over ${pairs} pairs of attributes the release is off by ${percent(releasedError)} on average, the public
table as it is by ${percent(publicError)} (total variation distance${factor > 1.05 ? `: ${factor.toFixed(1)} times closer` : ''}).
`;
};
