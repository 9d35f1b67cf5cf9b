import { cellLabels, nullCell, valueCells } from '../../domain/attribute/cells.js';
import { cellAt, codesAt } from '../../domain/cell-index.js';
import type { CellName, Determined } from '../../domain/constraints/constraint.js';
import { constraintsOf } from '../../domain/constraints/constraints-of.js';
import { type AskedPair, columnsOfPair } from '../../domain/discover/asked-pair.js';
import { type Domain, indexOf } from '../../domain/domain.js';
import { plural } from '../../domain/plural.js';
import type { NoisyTogether } from '../../privacy/discovery/discovery-door.js';
import { isMostly, isTolerable, marginFor, type OffMap } from '../../privacy/discovery/plan-map.js';

/** A map as it was learned, with a word about it; no constraint where no entry is safe. */
export interface LearnedMap {
  readonly constraint?: Determined | undefined;
  readonly note: string;
}

interface Entry extends OffMap {
  readonly parent: number;
  readonly child: number;
}

/** So many values are named in a note. */
const named = 8;

/**
 * The map that noisy counts of combinations tell, of single values alone: for each combination of the determining values the cell with the largest count, kept where
 * that is safe (`plan-map.ts`) and where the constraints of the domain allow it. All entries together must be safe as well: those with the most elsewhere go first. What is
 * not kept stays free. A function of noisy counts and of public things.
 */
export const mapFrom = (domain: Domain, pair: AskedPair, { counts, noise }: NoisyTogether): LearnedMap => {
  const { from, to } = pair;
  const sizes = from.map(({ size }) => size);
  const isSingle = (parent: number): boolean =>
    codesAt(parent, sizes).every((code, i) => code < valueCells(from[i].spec));
  const parents = Array.from({ length: counts.length / to.size }, (_, parent) => parent).filter(isSingle);
  const margin = marginFor(noise, parents.length * to.size);
  const may = allowedBy(domain, pair);
  const entries = parents.flatMap((parent): Entry[] => {
    const own = counts.subarray(parent * to.size, (parent + 1) * to.size);
    const child = own.reduce((best, count, cell) => (count > own[best] ? cell : best), 0);
    const rows = own.reduce((sum, count) => sum + count, 0);
    const entry = { parent, child, rows, off: rows - own[child], cells: to.size - 1 };
    const isAhead = own.every((count, cell) => cell === child || own[child] - count >= margin);
    return isAhead && own[child] >= margin && may(parent, child) && isMostly(noise, entry) && isTolerable(noise, entry)
      ? [entry]
      : [];
  });
  const kept = new Set(entries);
  const least = entries.toSorted((a, b) => b.off / b.rows - a.off / a.rows);
  while (kept.size > 0 && !isTolerable(noise, together([...kept]))) kept.delete(least.shift()!);
  return told(
    pair,
    parents,
    entries.filter((entry) => kept.has(entry)),
  );
};

const together = (entries: readonly OffMap[]): OffMap => {
  const sum = (key: keyof OffMap): number => entries.reduce((total, entry) => total + entry[key], 0);
  return { off: sum('off'), rows: sum('rows'), cells: sum('cells') };
};

/** Whether the constraints of a domain that are about these columns alone allow a combination. */
const allowedBy = (domain: Domain, pair: AskedPair): ((parent: number, child: number) => boolean) => {
  const columns = columnsOfPair(pair);
  const places = columns.map(({ name }) => indexOf(domain, name));
  const { factors } = constraintsOf(domain) ?? { factors: [] };
  const own = factors.filter(({ attributes }) => attributes.every((at) => places.includes(at)));
  const sizes = pair.from.map(({ size }) => size);
  return (parent, child) => {
    const codes = [...codesAt(parent, sizes), child];
    return own.every(
      ({ attributes, allowed }) =>
        allowed[
          cellAt(
            attributes.map((at) => codes[places.indexOf(at)]),
            attributes.map((at) => domain.attributes[at].size),
          )
        ] === 1,
    );
  };
};

const told = ({ from, to }: AskedPair, parents: readonly number[], kept: readonly Entry[]): LearnedMap => {
  const sizes = from.map(({ size }) => size);
  const labels = from.map(cellLabels);
  const children: CellName[] = cellLabels(to);
  if (nullCell(to.spec) >= 0) children[nullCell(to.spec)] = null;
  const labelsOf = (parent: number): string[] => codesAt(parent, sizes).map((code, i) => labels[i][code]);
  const has = new Set(kept.map(({ parent }) => parent));
  const free = parents.filter((parent) => !has.has(parent)).map((parent) => labelsOf(parent).join(', '));
  if (kept.length === 0)
    return { note: 'not learned: of no value it is safe to say what it gives; write the map down if it is known' };
  const some =
    free.length <= named ? free.join('; ') : `${free.slice(0, named).join('; ')} and ${free.length - named} more`;
  const note = `learned with noise, for ${kept.length} of ${plural(parents.length, from.length === 1 ? 'value' : 'combination')}${free.length === 0 ? '' : `; not safe to say of, and free: ${some}`}`;
  return {
    constraint: {
      from: from.length === 1 ? from[0].name : from.map(({ name }) => name),
      to: to.name,
      map: kept.map(({ parent, child }) => [...labelsOf(parent), children[child]]),
      unlisted: 'free',
    },
    note,
  };
};
