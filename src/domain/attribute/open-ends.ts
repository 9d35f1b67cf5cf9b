import type { OpenEnds } from './attribute.js';

/** A declaration that may have open ends. */
interface Endable {
  readonly open?: OpenEnds | undefined;
}

/** Whether an attribute has a cell for what lies below its first bin, ... */
export const isOpenBelow = ({ open }: Endable): boolean => open === 'below' || open === 'both';

/** ... and for what lies above its last one. */
export const isOpenAbove = ({ open }: Endable): boolean => open === 'above' || open === 'both';

/** How many cells stand before the first bin: its place among the value cells. */
export const cellsBelow = (spec: Endable): number => (isOpenBelow(spec) ? 1 : 0);

/** Number of cells at open ends. */
export const openCount = (spec: Endable): number => cellsBelow(spec) + (isOpenAbove(spec) ? 1 : 0);

/** Edges of bins with the open ends beside them, which reach to infinity. */
export const withOpenEdges = (spec: Endable, edges: Float64Array): Float64Array =>
  Float64Array.from([...(isOpenBelow(spec) ? [-Infinity] : []), ...edges, ...(isOpenAbove(spec) ? [Infinity] : [])]);

/** What is called by two names at open ends and has names of its own between. */
export const withOpenLabels = (spec: Endable, labels: readonly string[], below: string, above: string): string[] => [
  ...(isOpenBelow(spec) ? [below] : []),
  ...labels,
  ...(isOpenAbove(spec) ? [above] : []),
];

/** The declaration without open ends. */
export const closed = <S extends Endable>(spec: S): S => {
  if (spec.open === undefined) return spec;
  const { open: _, ...rest } = spec;
  return rest as S;
};

/** Open ends in words that go on from those of the bins. */
export const openText = (spec: Endable): string =>
  spec.open === undefined ? '' : `, open ${spec.open === 'both' ? 'at both ends' : spec.open}`;
