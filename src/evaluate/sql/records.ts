import type { Domain } from '../../domain/domain.js';
import type { Axis } from '../../domain/sql/axis.js';
import type { CaseOf, HomeCondition, SqlName, ValueOf } from '../../domain/sql/statement.js';
import { type Box, checkBoxes, intersection, without } from './boxes.js';
import type { CaseKey } from './case-key.js';
import type { Grouping } from './grouping.js';
import type { Selector } from './selection.js';
import { type Part, type Tally, tallyOf } from './tally.js';
import { layoutOf } from './values.js';

/** Makes the tally of what an aggregate is of. */
export type Counter = (of: readonly ValueOf[], filter: HomeCondition | undefined) => Tally;

export interface CounterContext {
  readonly domain: Domain;
  readonly axes: readonly Axis[];
  readonly find: (name: SqlName) => number;
  readonly grouping: Grouping;
  readonly selector: Selector;
}

/** The records of each branch of a CASE, the last that of ELSE: those of which no condition before is true, which is more than that it is false. */
const regionsOf = ({ branches }: CaseOf, { region, all }: Selector): readonly (readonly Box[])[] => {
  let rest: readonly Box[] = [new Map()];
  const regions = branches.map(({ when }) => {
    const own = region(when);
    const taken = intersection(rest, own);
    rest = without(rest, own, all);
    return taken;
  });
  return [...regions, rest];
};

/** The records of each cell of an attribute. */
const cellBoxes = (attribute: number, { pieces }: Selector): readonly Box[] => {
  const bits: bigint[] = [];
  pieces(attribute).forEach(({ cell }, i) => {
    bits[cell] = (bits[cell] ?? 0n) | (1n << BigInt(i));
  });
  return bits.map((own) => new Map([[attribute, own]]));
};

/** Of each group of a CASE the records. */
const labelled = ({ of, labels, branches }: CaseKey, selector: Selector): readonly (readonly Box[])[] => {
  const regions = regionsOf(of, selector);
  const boxes = labels.map((): Box[] => []);
  let made = 0;
  const add = (label: number, more: readonly Box[]): void => {
    boxes[label].push(...more);
    made += more.length;
    checkBoxes(made);
  };
  branches.forEach((branch, i) => {
    if (typeof branch === 'number') add(branch, regions[i]);
    else
      cellBoxes(branch.attribute, selector).forEach((box, cell) => {
        add(branch.labels[cell], intersection(regions[i], [box]));
      });
  });
  return boxes;
};

interface Combination {
  readonly boxes: readonly Box[];
  readonly group: number;
}

/** The selected records by the groups of all CASEs, those that hold anybody. */
const combined = (
  selected: readonly Box[],
  { cases, shape, size }: Grouping,
  selector: Selector,
): readonly Combination[] => {
  let combinations: readonly Combination[] = [{ boxes: selected, group: 0 }];
  let stride = size;
  cases.forEach((key, i) => {
    const parts = labelled(key, selector);
    stride /= shape[i];
    const next: Combination[] = [];
    let made = 0;
    for (const { boxes, group } of combinations)
      parts.forEach((part, label) => {
        const both = intersection(boxes, part);
        made += both.length;
        checkBoxes(made);
        if (both.length > 0) next.push({ boxes: both, group: group + label * stride });
      });
    combinations = next;
  });
  return combinations;
};

/** Tallies of records: boxes of them for each CASE group, narrowed by FILTER and by the branches of arguments. */
export const recordCounter = (
  where: HomeCondition | undefined,
  { domain, axes, find, grouping, selector }: CounterContext,
): Counter => {
  const combinations = combined(selector.region(where), grouping, selector);
  const context = {
    domain,
    selector,
    groups: grouping.attributes,
    empty: (attribute: number) => axes[attribute].null,
  };
  return (of, filter) => {
    const filtered = filter && selector.region(filter);
    const layouts = of.map((argument) => layoutOf(argument, axes, find, selector.pieces));
    let parts: Part[] = combinations.map(({ boxes, group }) => ({
      boxes: filtered === undefined ? boxes : intersection(boxes, filtered),
      firstGroup: group,
      sources: [],
    }));
    layouts.forEach(({ sources }, i) => {
      const argument = of[i];
      const regions = argument.kind === 'case' ? regionsOf(argument, selector) : [undefined];
      parts = parts.flatMap((part) =>
        sources.flatMap((source, branch) => {
          if (source === undefined) return [];
          const region = regions[branch];
          const boxes = region === undefined ? part.boxes : intersection(part.boxes, region);
          return [{ ...part, boxes, sources: [...part.sources, source] }];
        }),
      );
    });
    return tallyOf(
      parts.filter(({ boxes }) => boxes.length > 0),
      layouts.map(({ values }) => values),
      context,
    );
  };
};
