import type { Domain } from '../domain.js';
import { InputError } from '../input-error.js';
import { type Axis, axisOf } from '../sql/axis.js';
import { type Box, truthIn } from './box.js';
import { boxMaker } from './box-maker.js';
import type { ConstraintSpec } from './constraint.js';
import { type Formula, placesIn, readFormula } from './formula.js';
import { checkCells } from './rules.js';

/** What part of each combination of cells of a few columns meets a condition: 0, 1, or in between where it cuts through a bin. */
export interface CellWeights {
  /** Places in the domain, ascending. */
  readonly attributes: readonly number[];
  /** Row-major in the order of `attributes`. */
  readonly weights: Float64Array;
}

/** A condition on rows, by cells. */
export interface RowCondition {
  /** Its parts, all of which a row must meet: small tables where it is a conjunction. */
  readonly factors: readonly CellWeights[];
  /** What values within cells have to keep besides, where cells do not decide. */
  readonly within: readonly ConstraintSpec[];
}

/** Reads a condition on rows in the words of SQL. A bin that it cuts through counts by its part, as if values spread evenly in it; `subject` begins a refusal. */
export const rowCondition = (domain: Domain, text: string, subject: string): RowCondition => {
  const axes: (Axis | undefined)[] = domain.attributes.map(() => undefined);
  const axisAt = (place: number): Axis => {
    axes[place] ??= axisOf(domain.attributes[place]);
    return axes[place];
  };
  const formula = readFormula(text, domain, axisAt, subject);
  for (const at of placesIn(formula)) axisAt(at);
  const boxOf = boxMaker(axes);
  let isOpen = false;
  const factors = conjuncts(formula).map((part): CellWeights => {
    const attributes = placesIn(part);
    const columns = attributes.map((at) => domain.attributes[at]);
    checkCells(columns, subject);
    const sizes = columns.map(({ size }) => size);
    const weights = new Float64Array(sizes.reduce((product, size) => product * size, 1));
    const codes = new Uint32Array(sizes.length);
    for (let cell = 0; cell < weights.length; cell++) {
      const box = boxOf(attributes, codes);
      const truth = truthIn(part, box);
      if (truth === 'open') {
        isOpen = true;
        weights[cell] = partOf(part, box, attributes, axes, subject);
      } else weights[cell] = truth === true ? 1 : 0;
      for (let axis = sizes.length - 1; axis >= 0 && ++codes[axis] === sizes[axis]; axis--) codes[axis] = 0;
    }
    return { attributes, weights };
  });
  return { factors, within: isOpen ? [{ require: text }] : [] };
};

const conjuncts = (formula: Formula): Formula[] =>
  formula.kind === 'and' ? formula.parts.flatMap(conjuncts) : [formula];

/** The part of a bin in which a condition on its column alone is true. */
const partOf = (
  formula: Formula,
  box: Box,
  [attribute, ...others]: readonly number[],
  axes: readonly (Axis | undefined)[],
  subject: string,
): number => {
  const { continuous, attribute: column } = axes[attribute]!;
  const [from, to] = [box.low[attribute], box.high[attribute] + (continuous ? 0 : 1)];
  const cuts = cutsIn(formula).filter((cut) => cut > from && cut < to);
  const ends = [...new Set([from, ...cuts, to])].sort((a, b) => a - b);
  let inside = 0;
  for (let i = 0; i + 1 < ends.length; i++) {
    const low = box.low.with(attribute, ends[i]);
    const high = box.high.with(attribute, continuous ? (ends[i] + ends[i + 1]) / 2 : ends[i + 1] - 1);
    const truth = truthIn(formula, { low, high, off: box.off });
    if (truth === 'open' || others.length > 0)
      throw new InputError(
        `${subject}: a condition on several columns at once must be decided by their cells, and it cuts through bins of ${JSON.stringify(column.name)}; compare with the ends of bins`,
      );
    if (truth === true) inside += ends[i + 1] - ends[i];
  }
  return inside / (to - from);
};

const cutsIn = (formula: Formula): number[] => {
  if (formula.kind === 'range') return formula.ranges.flat().filter(Number.isFinite);
  if (formula.kind === 'not') return cutsIn(formula.of);
  return formula.kind === 'linear' ? [] : formula.parts.flatMap(cutsIn);
};
