import { cellAt, codesAt } from '../cell-index.js';
import type { Domain } from '../domain.js';
import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import { type Axis, axisOf } from '../sql/axis.js';
import { type Box, truthIn } from './box.js';
import { boxMaker } from './box-maker.js';
import type { CellFactor } from './cell-factor.js';
import { boxFiller } from './fill.js';
import type { Formula } from './formula.js';
import { type MendStep, mendingSteps } from './mending.js';
import { checkCells, type Rule, readRules } from './rules.js';

/** Columns whose values are drawn together, since their cells alone do not decide. */
export interface ValueGroup {
  readonly attributes: readonly number[];
  readonly violation: Formula;
}

/** The constraints of a domain, made out. */
export interface Constraints {
  readonly rules: readonly Rule[];
  readonly factors: readonly CellFactor[];
  readonly groups: readonly ValueGroup[];
  /** How a row that breaks one becomes one that breaks none, column after column. */
  readonly mending: readonly MendStep[];
  readonly axes: readonly (Axis | undefined)[];
  /** The box of cells; columns without constraints are left at nothing. */
  readonly boxOf: (attributes: readonly number[], codes: ArrayLike<number>) => Box;
}

const made = new WeakMap<Domain, Constraints | undefined>();
/** Domains that are equal share what was made out of one of them: they are copied often. */
const recent = new Map<string, Constraints | undefined>();
const mostRecent = 8;

/** What the constraints of a domain amount to; undefined where it has none. Those that cannot be kept are refused, with their place in the schema. */
export const constraintsOf = (domain: Domain): Constraints | undefined => {
  if (domain.constraints === undefined || domain.constraints.length === 0) return undefined;
  if (made.has(domain)) return made.get(domain);
  const key = JSON.stringify(domain);
  const found = recent.get(key) ?? makeOut(domain);
  recent.delete(key);
  recent.set(key, found);
  if (recent.size > mostRecent) recent.delete(recent.keys().next().value!);
  made.set(domain, found);
  return found;
};

const makeOut = (domain: Domain): Constraints => {
  const axes: (Axis | undefined)[] = domain.attributes.map(() => undefined);
  const axisAt = (place: number): Axis => {
    axes[place] ??= axisOf(domain.attributes[place]);
    return axes[place];
  };
  const rules = readRules(domain, axisAt);
  for (const { attributes } of rules) for (const at of attributes) axisAt(at);
  checkAll(domain, rules);
  const boxOf = boxMaker(axes);
  const isWhole = (at: number): boolean => !axes[at]!.continuous;
  const parts = rules.map((rule) => {
    const { attributes, violation } = rule;
    if (attributes.length === 0)
      throw new InputError(`${rule.place}: must speak of columns, got ${rule.text}; name at least one`);
    if (violation === undefined) return { attributes, allowed: rule.allowed!, open: [] as number[], rules: [rule] };
    checkCells(
      attributes.map((at) => domain.attributes[at]),
      rule.place,
    );
    return { attributes, ...tableOf(violation, attributes), rules: [rule] };
  });

  /** The cells that may be, and the columns that a cell does not say all of. */
  function tableOf(violation: Formula, attributes: readonly number[]): { allowed: Uint8Array; open: number[] } {
    const sizes = attributes.map((at) => domain.attributes[at].size);
    const allowed = new Uint8Array(sizes.reduce((product, size) => product * size, 1));
    const codes = new Uint32Array(sizes.length);
    const fill = boxFiller(violation, isWhole);
    let isOpen = false;
    for (let cell = 0; cell < allowed.length; cell++) {
      const box = boxOf(attributes, codes);
      const truth = truthIn(violation, box);
      if (truth === 'open') {
        isOpen = true;
        allowed[cell] = fill(box) === undefined ? 0 : 1;
      } else allowed[cell] = truth === true ? 0 : 1;
      for (let axis = sizes.length - 1; axis >= 0 && ++codes[axis] === sizes[axis]; axis--) codes[axis] = 0;
    }
    const isSingle = (at: number): boolean => {
      const { edges, continuous } = axes[at]!;
      return !continuous && edges.every((edge, i) => i === 0 || edge - edges[i - 1] === 1);
    };
    return { allowed, open: isOpen ? attributes.filter((at) => !isSingle(at)) : [] };
  }

  const factors: CellFactor[] = parts.filter(({ open }) => open.length === 0);
  const groups: ValueGroup[] = [];
  for (const group of connected(parts.filter(({ open }) => open.length > 0))) {
    const own = group.flatMap(({ rules: [rule] }) => rule);
    const attributes = [...new Set(group.flatMap((part) => part.attributes))].sort((a, b) => a - b);
    const violation: Formula = { kind: 'or', parts: own.map((rule) => rule.violation!) };
    checkLevels(
      domain,
      attributes,
      group.flatMap(({ open }) => open),
      own,
    );
    groups.push({ attributes, violation });
    if (group.length === 1) {
      factors.push(group[0]);
      continue;
    }
    checkCells(
      attributes.map((at) => domain.attributes[at]),
      `${own[0].place} and ${own.length - 1} more that share columns with it within bins`,
    );
    const { allowed } = tableOf(violation, attributes);
    // Where each by itself says as much as all together, small tables do.
    if (allowed.every((one, cell) => one === 1 || !agree(domain, attributes, cell, group))) factors.push(...group);
    else factors.push({ attributes, allowed, rules: own });
  }
  const together = merged(factors);
  return { rules, factors: together, groups, mending: mendingSteps(domain, together), axes, boxOf };
};

/** Refuses more than can be gone through in all, so that no file makes its reader work without end. */
const checkAll = (domain: Domain, rules: readonly Rule[]): void => {
  const cells = rules.reduce(
    (sum, { attributes }) => sum + attributes.reduce((product, at) => product * domain.attributes[at].size, 1),
    0,
  );
  const most = 4 * limits.constraintCells;
  if (cells > most && rules.length > 1)
    throw new InputError(
      `schema: constraints: must have at most ${most} combinations of cells together, got ${cells}; use coarser bins, or fewer constraints`,
    );
};

/** One factor for each set of columns; none that allows everything. */
const merged = (factors: readonly CellFactor[]): CellFactor[] => {
  const found = new Map<string, CellFactor>();
  for (const factor of factors) {
    const key = factor.attributes.join();
    const { attributes, allowed, rules } = found.get(key) ?? { ...factor, rules: [] };
    found.set(key, {
      attributes,
      allowed: allowed.map((one, cell) => one & factor.allowed[cell]),
      rules: [...rules, ...factor.rules],
    });
  }
  return [...found.values()].filter(({ allowed }) => allowed.includes(0));
};

/** Whether every one of some factors allows a combination of all their columns. */
const agree = (
  domain: Domain,
  attributes: readonly number[],
  cell: number,
  factors: readonly CellFactor[],
): boolean => {
  const codes = codesAt(
    cell,
    attributes.map((at) => domain.attributes[at].size),
  );
  return factors.every(({ attributes: own, allowed }) => {
    const sizes = own.map((at) => domain.attributes[at].size);
    return (
      allowed[
        cellAt(
          own.map((at) => codes[attributes.indexOf(at)]),
          sizes,
        )
      ] === 1
    );
  });
};

/** Lists of those that share, directly or through others, a column that is open in both. */
const connected = <P extends { readonly open: readonly number[] }>(parts: readonly P[]): P[][] => {
  const lists: P[][] = [];
  for (const part of parts) {
    const touching = lists.filter((list) => list.some(({ open }) => open.some((at) => part.open.includes(at))));
    const joined = [...touching.flat(), part];
    for (const list of touching) lists.splice(lists.indexOf(list), 1);
    lists.push(joined);
  }
  return lists;
};

/** Values of households are drawn once, and those of their persons apart from them. */
const checkLevels = (
  domain: Domain,
  attributes: readonly number[],
  open: readonly number[],
  rules: readonly Rule[],
): void => {
  if (domain.households === undefined || open.length === 0) return;
  const shared = new Set(domain.households.attributes);
  const levels = new Set(attributes.map((at) => shared.has(domain.attributes[at].name)));
  if (levels.size > 1)
    throw new InputError(
      `${rules[0].place}: a constraint between columns of households and of persons must be decided by their cells, and ${rules[0].text} cuts through bins; put edges where it cuts`,
    );
};
