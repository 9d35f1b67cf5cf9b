/** What a cell may be called in a constraint: its label, a number or truth value that reads so, or null for the cell of empty values. */
export type CellName = string | number | boolean | null;

/** A combination that must not be. */
export interface Forbidden {
  /** A condition in the words of SQL: no row may make it true. */
  readonly forbid: string;
}

/** What must be, such as an order between columns or a sum. */
export interface Required {
  /** A condition in the words of SQL: no row may make it false. As with CHECK, a row of which it is unknown passes. */
  readonly require: string;
}

/** A column that is empty exactly where a condition is true. */
export interface EmptyWhere {
  readonly empty: string;
  readonly where: string;
}

/** A column that others determine. */
export interface Determined {
  /** The column, or columns, that determine ... */
  readonly from: string | readonly string[];
  /** ... this one. */
  readonly to: string;
  /** What each cell gives; for several columns a list of rows, their cells first. */
  readonly map: Readonly<Record<string, CellName>> | readonly (readonly CellName[])[];
  /** What the map does not list may go with anything; without it, every value must be listed. */
  readonly unlisted?: 'free' | undefined;
}

/** Combinations of cells that do not occur, one by one. */
export interface StructuralZeros {
  readonly of: readonly string[];
  readonly zeros: readonly (readonly CellName[])[];
}

/** Public knowledge about what rows can be: said without looking at private rows, and kept by every row that is released. */
export type ConstraintSpec = (Forbidden | Required | EmptyWhere | Determined | StructuralZeros) & {
  readonly description?: string | undefined;
};

/** A constraint in one line. */
export const constraintText = (spec: ConstraintSpec): string => {
  if ('forbid' in spec) return `never ${spec.forbid}`;
  if ('require' in spec) return spec.require;
  if ('empty' in spec) return `${spec.empty} is empty exactly where ${spec.where}`;
  if ('zeros' in spec) return `${spec.zeros.length} combinations of ${spec.of.join(', ')} do not occur`;
  const arrow = `${[spec.from].flat().join(', ')} -> ${spec.to}`;
  return spec.unlisted === undefined ? arrow : `${arrow}, where it is listed`;
};
