/**
 * What a file or a statement from outside may make this program hold or do, whatever it declares. Checked before anything is allocated; what the
 * product writes stays within. docs/bundle.md, "Hostile files", lists them for readers.
 */
export const limits = {
  /** Lists and objects within one another in a JSON text. */
  jsonDepth: 100,
  /** Bytes of a JSON file of a bundle or an estimate. */
  jsonBytes: 2 ** 28,
  /** Attributes of a schema: some work grows with their square. */
  attributes: 4096,
  /** Persons of a household: their places are a byte each. */
  persons: 255,
  /** Bins of all attributes of a schema together: their edges are kept as lists. */
  bins: 2 ** 22,
  /** Combinations of cells that one constraint is about, or that mending one column looks at. */
  constraintCells: 2 ** 22,
  /** Cells of an attribute that are named one by one: a text each. */
  labels: 2 ** 22,
  /** Letters of the title of a report. */
  titleLength: 200,
  /** Attributes of a release that has a report: it looks at every pair. */
  reportAttributes: 1000,
  /** Bytes of the header of a binary file, and arrays that it may list. */
  headerBytes: 2 ** 24,
  arrays: 2 ** 16,
  /** Bytes of the clique tables of one graphical model: few bytes of potentials can stand for many. */
  modelBytes: 2 ** 29,
  /** Factors of a graphical model. */
  factors: 2 ** 16,
  /** Replicates beside a model, ... */
  replicates: 1000,
  /** ... bytes of those that are held at a time, ... */
  heldBytes: 2 ** 29,
  /** ... and of all, made one after the other. */
  replicateBytes: 2 ** 33,
  /** Bytes of the codes of a table that is drawn to stand for the private one. */
  redrawnBytes: 2 ** 28,
  /** Words, numbers and signs of a text of SQL, and parentheses within one another in it. */
  sqlTokens: 10_000,
  sqlDepth: 100,
  /** Cells of an attribute that is asked about, and groups of an answer; ... */
  sqlGroups: 2 ** 20,
  /** ... numbers of an answer, groups times columns; ... */
  sqlAnswers: 2 ** 22,
  /** ... cells that the groups of one column are added up from, and that times the products of the conditions. */
  sqlCells: 2 ** 24,
  sqlWork: 2 ** 28,
  /** Products that the conditions of a statement fall into. */
  sqlBoxes: 2000,
  /** Branches of a CASE. */
  sqlBranches: 100,
} as const;

/** A number of bytes for people, such as "512 MiB". */
export const bytesText = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
  return `${unit === 0 || Number.isInteger(bytes) ? bytes : bytes.toPrecision(3)} ${units[unit]}`;
};
