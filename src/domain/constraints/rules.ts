import type { Attribute } from '../attribute/attribute.js';
import { cellLabels, nullCell, otherCell, valueCells } from '../attribute/cells.js';
import { columnEncoder } from '../attribute/column-encoder.js';
import { cellAt, codesAt } from '../cell-index.js';
import { attributeNamed, type Domain, indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import { nearest } from '../nearest.js';
import type { Axis } from '../sql/axis.js';
import type { CellName, ConstraintSpec, Determined, StructuralZeros } from './constraint.js';
import { constraintText } from './constraint.js';
import { type Formula, placesIn, readFormula } from './formula.js';

/** One constraint of a domain, read: what no record may be, by its columns. */
export interface Rule {
  /** Where it stands in the schema, for refusals. */
  readonly place: string;
  readonly text: string;
  /** Places of its columns in the domain, ascending. */
  readonly attributes: readonly number[];
  /** What no record may make true; or, where cells say it all, ... */
  readonly violation?: Formula | undefined;
  /** ... which of their combinations may be, row-major in the order of `attributes`. */
  readonly allowed?: Uint8Array | undefined;
  /** The column that the others determine, whatever they are. */
  readonly determined?: number | undefined;
  /** The same, also where they do not determine it whatever they are: it follows them when a row is mended. */
  readonly follower?: number | undefined;
}

/** Reads the constraints of a domain; one that means nothing is refused with its place. */
export const readRules = (domain: Domain, axisAt: (place: number) => Axis): Rule[] =>
  (domain.constraints ?? []).map((spec, i) => ruleOf(spec, domain, axisAt, `schema: constraints[${i}]`));

const ruleOf = (spec: ConstraintSpec, domain: Domain, axisAt: (place: number) => Axis, place: string): Rule => {
  const told = { place, text: constraintText(spec) };
  const formula = (key: string, text: string): Formula => readFormula(text, domain, axisAt, `${place}.${key}`);
  const ofFormula = (violation: Formula): Rule => ({ ...told, attributes: placesIn(violation), violation });
  if ('forbid' in spec) return ofFormula(formula('forbid', spec.forbid));
  if ('require' in spec) return ofFormula({ kind: 'not', of: formula('require', spec.require) });
  if ('empty' in spec) {
    const column = namedIn(domain, spec.empty, `${place}.empty`);
    if (nullCell(column.spec) < 0)
      throw new InputError(
        `${place}.empty: a column that is empty somewhere needs a cell for it, and ${JSON.stringify(spec.empty)} has none; add \`"null": true\` to it`,
      );
    const where = formula('where', spec.where);
    const attribute = indexOf(domain, spec.empty);
    if (placesIn(where).includes(attribute))
      throw new InputError(
        `${place}.where: must speak of other columns, got ${JSON.stringify(spec.empty)} itself; use \`forbid\``,
      );
    const isEmpty: Formula = { kind: 'range', attribute, ranges: [], other: false, null: true };
    const not = (of: Formula): Formula => ({ kind: 'not', of });
    const and = (...parts: Formula[]): Formula => ({ kind: 'and', parts });
    return ofFormula({ kind: 'or', parts: [and(where, not(isEmpty)), and(not(where), isEmpty)] });
  }
  return 'zeros' in spec ? zerosRule(spec, domain, told) : mapRule(spec, domain, told);
};

const namedIn = (domain: Domain, name: string, place: string): Attribute => {
  const found = attributeNamed(domain, name);
  if (found !== undefined) return found;
  const guess = nearest(
    name,
    domain.attributes.map((attribute) => attribute.name),
  );
  throw new InputError(
    `${place}: must name a column of the schema, got ${JSON.stringify(name)}${guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`}`,
  );
};

/** The columns of a rule that cells are listed for; none twice, and not too many cells to enumerate. */
const columnsIn = (domain: Domain, names: readonly string[], place: string): Attribute[] => {
  const columns = names.map((name) => namedIn(domain, name, place));
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new InputError(`${place}: columns must differ, got ${JSON.stringify(twice)} twice`);
  checkCells(columns, place);
  return columns;
};

/** Refuses what has more combinations than can be gone through. */
export const checkCells = (columns: readonly Attribute[], place: string): void => {
  const cells = columns.reduce((product, { size }) => product * size, 1);
  if (cells > limits.constraintCells)
    throw new InputError(
      `${place}: must have at most ${limits.constraintCells} combinations of cells, got ${cells} of ${columns.map(({ name, size }) => `${name} (${size})`).join(', ')}; use coarser bins, or fewer columns in one constraint`,
    );
};

/** The cell that a name in a constraint means; a number or a date means the cell that holds it. */
const cellNamed = (attribute: Attribute, name: CellName, place: string): number => {
  const { spec } = attribute;
  if (name === null) {
    const empty = nullCell(spec);
    if (empty >= 0) return empty;
  } else {
    const label = cellLabels(attribute).slice(0, valueCells(spec)).indexOf(String(name));
    if (label >= 0) return label;
    const other = otherCell(spec);
    if (other >= 0 && spec.type === 'category' && spec.other === String(name)) return other;
    const cell = columnEncoder(attribute, 'stop')(name);
    if (cell >= 0) return cell;
  }
  const guess = typeof name === 'string' ? nearest(name, cellLabels(attribute)) : undefined;
  const hint =
    guess === undefined
      ? 'write a value of the column, or null for an empty one'
      : `did you mean ${JSON.stringify(guess)}?`;
  throw new InputError(
    `${place}: must be a cell of ${JSON.stringify(attribute.name)}, got ${JSON.stringify(name)}; ${hint}`,
  );
};

/** A table over columns in the order they are written as one over their places in the domain, ascending. */
const inOrder = (
  domain: Domain,
  columns: readonly Attribute[],
  allowed: Uint8Array,
): Pick<Rule, 'attributes' | 'allowed'> => {
  const places = columns.map(({ name }) => indexOf(domain, name));
  const attributes = places.toSorted((a, b) => a - b);
  const sizes = attributes.map((at) => domain.attributes[at].size);
  const own = columns.map(({ size }) => size);
  const ordered = allowed.map((_, cell) => {
    const codes = codesAt(cell, sizes);
    return allowed[
      cellAt(
        places.map((at) => codes[attributes.indexOf(at)]),
        own,
      )
    ];
  });
  return { attributes, allowed: ordered };
};

type Told = Pick<Rule, 'place' | 'text'>;

const zerosRule = ({ of, zeros }: StructuralZeros, domain: Domain, told: Told): Rule => {
  const columns = columnsIn(domain, of, `${told.place}.of`);
  const sizes = columns.map(({ size }) => size);
  const allowed = new Uint8Array(sizes.reduce((product, size) => product * size, 1)).fill(1);
  zeros.forEach((names, i) => {
    const place = `${told.place}.zeros[${i}]`;
    if (names.length !== columns.length)
      throw new InputError(`${place}: must have one cell for each of ${of.join(', ')}, got ${names.length}`);
    allowed[
      cellAt(
        names.map((name, c) => cellNamed(columns[c], name, place)),
        sizes,
      )
    ] = 0;
  });
  return { ...told, ...inOrder(domain, columns, allowed) };
};

const mapRule = ({ from, to, map, unlisted }: Determined, domain: Domain, told: Told): Rule => {
  const names = typeof from === 'string' ? [from] : from;
  const columns = columnsIn(domain, [...names, to], `${told.place}.from`);
  const target = columns[columns.length - 1];
  const parents = columns.slice(0, -1);
  const sizes = columns.map(({ size }) => size);
  const parentSizes = sizes.slice(0, -1);
  const place = `${told.place}.map`;
  const gives = new Map<number, number>();
  const rows = Array.isArray(map) ? map : Object.entries(map);
  for (const row of rows as readonly (readonly CellName[])[]) {
    if (row.length !== columns.length)
      throw new InputError(
        `${place}: must list a cell for each of ${[...names, to].join(', ')}, got ${row.length} in a row`,
      );
    const cells = row.map((name, c) => cellNamed(columns[c], name, place));
    const parent = cellAt(cells.slice(0, -1), parentSizes);
    const before = gives.get(parent);
    if (before !== undefined && before !== cells[cells.length - 1])
      throw new InputError(
        `${place}: must give one cell of ${JSON.stringify(to)} for ${JSON.stringify(row.slice(0, -1))}, got two`,
      );
    gives.set(parent, cells[cells.length - 1]);
  }
  const allowed = new Uint8Array(sizes.reduce((product, size) => product * size, 1));
  const off = fallback(target);
  let isTotal = true;
  for (let parent = 0; parent * target.size < allowed.length; parent++) {
    const codes = codesAt(parent, parentSizes);
    const isValue = codes.every((code, c) => code < valueCells(parents[c].spec));
    // What the map does not list because it is undeclared or empty gives what is undeclared or empty.
    const cell = gives.get(parent) ?? (isValue || unlisted === 'free' ? undefined : off);
    if (cell === undefined && (unlisted === 'free' || !isValue)) {
      allowed.fill(1, parent * target.size, (parent + 1) * target.size);
      isTotal = false;
      continue;
    }
    if (cell === undefined)
      throw new InputError(
        `${place}: must list every value of ${names.join(', ')}, got none for ${codes.map((code, c) => JSON.stringify(cellLabels(parents[c])[code])).join(', ')}; add it, or \`"unlisted": "free"\``,
      );
    allowed[parent * target.size + cell] = 1;
  }
  const follower = indexOf(domain, to);
  return { ...told, ...inOrder(domain, columns, allowed), follower, determined: isTotal ? follower : undefined };
};

/** Where a column is undeclared or empty; undefined where it has no cell for that. */
const fallback = ({ spec }: Attribute): number | undefined => {
  const cell = nullCell(spec) >= 0 ? nullCell(spec) : otherCell(spec);
  return cell < 0 ? undefined : cell;
};
