import type { AttributeSpec } from '../attribute/attribute.js';
import { nullCell, otherCell, valueCells } from '../attribute/cells.js';
import type { OutsideCells } from '../attribute/kinds/kind.js';
import { kindOf } from '../attribute/kinds/kinds.js';
import type { Schema } from './schema.js';

/**
 * What becomes of a value that the schema does not name.
 *
 * - `declared`: it goes to the declared `other`, else to the null cell, else, if it is a number or a date, to the nearest end; where the
 *   attribute has none of these, it stops the run. An end that is declared open is the nearest end.
 * - `other`: the same on a schema that was widened first (`withOutside`), so that every attribute has such a place.
 * - `clip`: the same on the schema as it is, and what then has no place goes to the first cell.
 * - `stop`: it stops the run, `other` or not, beyond the ends too, which are closed (`withOutside`).
 */
export type Outside = (typeof outsideRules)[number];
/** Every such rule. */
export const outsideRules = ['declared', 'other', 'clip', 'stop'] as const;

/** The rules in words, for "values that the schema does not name ...". */
export const outsideText: Readonly<Record<Outside, string>> = {
  declared:
    'went to the declared `other`, the null cell or the nearest end; where an attribute has none of these, they stop a run',
  other: 'went to a cell that every attribute has for them, or to the nearest end',
  clip: 'went to the declared `other`, the null cell, the nearest end or the first cell',
  stop: 'stop a run',
};

/** What an encoder answers for a value that the attribute has no cell for. */
export const UNDECLARED = -1;
/** What an encoder answers for an empty value where the attribute declares no null cell. */
export const EMPTY = -2;
/** What an encoder answers for a number or date beyond the ends where such values stop the run. */
export const BEYOND = -3;

/** Where the values go that an attribute does not name. */
export const outsideCells = (spec: AttributeSpec, outside: Outside): OutsideCells => {
  const other = otherCell(spec);
  const empty = nullCell(spec);
  if (outside === 'stop')
    return { empty: empty < 0 ? EMPTY : empty, unknown: UNDECLARED, below: BEYOND, above: BEYOND };
  const last = outside === 'clip' ? 0 : undefined;
  const unknown = other >= 0 ? other : empty;
  return {
    empty: empty >= 0 ? empty : other >= 0 ? other : (last ?? EMPTY),
    unknown: unknown >= 0 ? unknown : (last ?? UNDECLARED),
    below: 0,
    above: valueCells(spec) - 1,
  };
};

/** The schema that a rule releases by: with `other`, every attribute has a cell for what it does not name; with `stop`, none is open. */
export const withOutside = <S extends Pick<Schema, 'attributes'>>(schema: S, outside: Outside = 'declared'): S => {
  const mapped = (map: (spec: AttributeSpec) => AttributeSpec): S => ({
    ...schema,
    attributes: schema.attributes.map(map),
  });
  if (outside === 'other') return mapped((spec) => kindOf(spec).widen(spec));
  return outside === 'stop' ? mapped((spec) => kindOf(spec).close?.(spec) ?? spec) : schema;
};

/** The attributes on which a single value that they do not name would stop a run. */
export const stoppedBy = (schema: Pick<Schema, 'attributes'>, outside: Outside = 'declared'): string[] =>
  withOutside(schema, outside)
    .attributes.filter((spec) => Object.values(outsideCells(spec, outside)).some((cell) => cell < 0))
    .map(({ name }) => name);
