/** A release that is forecast and then made. */
export interface ForecastShape {
  readonly name: string;
  /** Private rows, or households: what the forecast is told to expect. */
  readonly rows: number;
  readonly write: (folder: string) => void;
  /** What follows `surmise release`, but for where things go. */
  readonly words: readonly string[];
}

/** How a release is told what to do, but for where things go. */
export interface Told {
  readonly rows: number;
  readonly publicRows?: number;
  readonly epsilon?: number;
  readonly set?: readonly string[];
  readonly more?: readonly string[];
}

/** A release of NAME.csv, by NAME.json, beside NAME-public.csv where it has rows. */
export const shapeOf = (
  mechanism: string,
  table: string,
  { rows, publicRows = 0, epsilon = 1, set = [], more = [] }: Told,
  write: ForecastShape['write'],
): ForecastShape => ({
  name: `${mechanism}, ${table}, ${rows} rows${publicRows === 0 ? '' : ` beside ${publicRows}`}, epsilon ${epsilon}`,
  rows,
  write,
  words: [
    ...[`${table}.csv`, '--schema', `${table}.json`, '--mechanism', mechanism, '--epsilon', String(epsilon)],
    ...['--delta', '1e-9', '--outside', 'clip'],
    ...(publicRows === 0 ? [] : ['--public', `${table}-public.csv`]),
    ...set.flatMap((one) => ['--set', one]),
    ...more,
  ],
});
