import { csvText } from './csv-text.js';
import { demoCountry, flatDemo } from './demo-country.js';

/** Which year of the fictional country, and how large. */
export interface DemoCsvOptions {
  /** The table has whole households with at least this many persons together. */
  readonly rows: number;
  readonly seed: number;
  readonly year: number;
}

/** Households made at a time: a few milliseconds of work, so that whoever takes the parts can stop between them. */
const slice = 1000;

/** The flat table of the fictional country's persons in a year, as parts of a CSV text with the number of persons in each. */
export function* demoCsv({
  rows,
  seed,
  year,
}: DemoCsvOptions): Generator<{ readonly text: string; readonly rows: number }> {
  let done = 0;
  for (let first = 0; done < rows; first += slice) {
    const made = flatDemo(demoCountry({ seed, year, first, households: slice }));
    const end = endOfHousehold(made.household_id, rows - done);
    const kept = Object.entries(made).map(([name, column]) => [name, column.slice(0, end)]);
    yield { text: csvText(Object.fromEntries(kept), { header: first === 0 }), rows: end };
    done += end;
  }
}

/** The number of rows to keep for at least `wanted` of them and no household cut in two. */
const endOfHousehold = (households: readonly unknown[], wanted: number): number => {
  let end = Math.min(wanted, households.length);
  while (end < households.length && households[end] === households[end - 1]) end++;
  return end;
};
