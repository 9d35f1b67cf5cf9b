import type { Attribute } from '../../domain/attribute/attribute.js';
import { checkNamed } from '../../domain/attribute/cells.js';
import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import { indexOf } from '../../domain/domain.js';
import type { Table } from '../../domain/table.js';
import { type BoundsSource, boundsOf } from '../../evaluate/bounds.js';
import type { Query } from '../../query/query.js';
import { type Bar, foldCells } from './fold-cells.js';

/** A share of the records that the release gives a bar, with what is known about it. */
export interface BarShare extends Bar {
  readonly released: number;
  /** Share of the public table; absent without one. */
  readonly prior?: number | undefined;
  /** Where it lies on the attribute's line, from <= x < to; absent for what is no stretch of it. */
  readonly span?: readonly [from: number, to: number] | undefined;
  /** 95% bounds of the private share, from noise alone; absent where none are known. */
  readonly bounds?: readonly [low: number, high: number] | undefined;
}

/** How an attribute is distributed, in the release and in the public table. */
export interface OneWay {
  readonly attribute: Attribute;
  readonly bars: readonly BarShare[];
  readonly ordered: boolean;
  readonly folded: boolean;
  /** Whether the marginal of this attribute alone was measured. */
  readonly measured: boolean;
  /** Total variation distance between release and public table over all cells, 0 to 1; absent without a public table. */
  readonly distance?: number | undefined;
}

/** Counts of one attribute in a table. */
const countsOf = ({ columns, domain }: Table, name: string): Float64Array => {
  const index = indexOf(domain, name);
  const counts = new Float64Array(domain.attributes[index].size);
  for (const code of columns[index]) counts[code]++;
  return counts;
};

/** The distribution of an attribute. Made from the model, measurements with their noise, and public data. */
export const oneWay = (source: BoundsSource, attribute: Attribute, table?: Table): OneWay => {
  const { model, measurements } = source;
  checkNamed(attribute);
  const { name, size } = attribute;
  const shares = model.marginal([name]).map((records) => (model.total > 0 ? records / model.total : 0));
  const prior = table && table.length > 0 ? countsOf(table, name).map((rows) => rows / table.length) : undefined;
  const largest = prior === undefined ? shares : shares.map((share, cell) => Math.max(share, prior[cell]));
  const { bars, ordered, folded } = foldCells(attribute, largest);
  const groups = new Array<number>(size).fill(0);
  bars.forEach(({ cells }, bar) => {
    for (const cell of cells) groups[cell] = bar;
  });
  const query: Query = {
    kind: 'factored',
    factors: [{ attribute: name, block: { kind: 'regroup', groups, size: bars.length } }],
  };
  const { low, high } = boundsOf(source, query);
  const edges = ordered ? kindOf(attribute.spec).line.edges(attribute.spec) : undefined;
  const sum = (of: Float64Array, cells: readonly number[]): number => cells.reduce((all, cell) => all + of[cell], 0);
  const inShares = (records: number): number => Math.min(1, Math.max(0, records / model.total));
  return {
    attribute,
    ordered,
    folded,
    measured: measurements.some(
      ({ query: own }) => own.kind === 'marginal' && own.attributes.length === 1 && own.attributes[0] === name,
    ),
    bars: bars.map((bar, i) => ({
      ...bar,
      released: sum(shares, bar.cells),
      // Cells of a bar are neighbours where they have an order.
      span:
        edges && !bar.aside ? ([edges[bar.cells[0]], edges[bar.cells[bar.cells.length - 1] + 1]] as const) : undefined,
      prior: prior && sum(prior, bar.cells),
      ...(Number.isFinite(low[i]) && Number.isFinite(high[i]) && model.total > 0
        ? { bounds: [inShares(low[i]), inShares(high[i])] as const }
        : {}),
    })),
    distance: prior && shares.reduce((all, share, cell) => all + Math.abs(share - prior[cell]), 0) / 2,
  };
};
