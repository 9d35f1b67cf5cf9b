import type { Draft } from '../src/domain/discover/draft.js';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import type { Table } from '../src/domain/table.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { openDiscovery } from '../src/privacy/discovery/open-discovery.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { discoverSchema } from '../src/release/discover/discover-schema.js';
import { rawMemorySource } from '../src/source/raw-memory-source.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import type { Experiment } from './experiment.js';

/*
 * What a discovery finds of four tables whose columns are taken for raw ones: columns of few values as texts, the others as numbers without a range.
 * It looks at the private truth, as only the laboratory may: how many of the values there are were found, how many rows have one of those,
 * and how much the fullest bin holds of what it would hold if bins were equal.
 */
const tables = ['titanic', 'stroke', 'adult', 'loans'] as const;
const epsilons = [0.1, 0.3, 1];
const shares = [0.05, 0.2];
/** Columns of at most so many values are texts. */
const fewValues = 20;
const delta = 1e-9;

interface Figures {
  /** Parts of the values, and of the rows that have one of those found. */
  readonly values: number;
  readonly rows: number;
  /** The fullest bin of a column of numbers, in parts of its rows, times the number of bins. */
  readonly fullest: number;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

const columnsOf = ({ domain, columns }: Table): Record<string, string[]> =>
  Object.fromEntries(
    domain.attributes.map(({ name, size }, i) => [
      name,
      Array.from(columns[i], (code) => (size <= fewValues ? `v${code}` : String(code))),
    ]),
  );

const draftOf = ({ domain }: Table): Draft =>
  parseDraft({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: domain.attributes.map(({ name, size }) =>
      size <= fewValues ? { name, type: 'category', values: 'discover' } : { name, type: 'integer', edges: 'discover' },
    ),
  });

const judge = (
  table: Table,
  columns: Readonly<Record<string, readonly string[]>>,
  schema: Awaited<ReturnType<typeof discoverSchema>>['schema'],
): Figures => {
  const values: number[] = [];
  const rows: number[] = [];
  const fullest: number[] = [];
  for (const { name, size } of table.domain.attributes) {
    const spec = schema.attributes.find((own) => own.name === name);
    if (size <= fewValues) {
      const known = new Set(spec?.type === 'category' ? spec.values : []);
      const there = new Set(columns[name]);
      values.push([...there].filter((value) => known.has(value)).length / there.size);
      rows.push(columns[name].filter((value) => known.has(value)).length / table.length);
    } else if (spec?.type === 'integer' && spec.edges !== undefined) {
      const { edges } = spec;
      const counts = new Float64Array(edges.length - 1);
      for (const text of columns[name]) {
        const bin = edges.findIndex((edge) => edge > Number(text));
        counts[bin < 0 ? counts.length - 1 : Math.max(0, bin - 1)]++;
      }
      fullest.push((Math.max(...counts) / table.length) * counts.length);
    }
  }
  return { values: mean(values), rows: mean(rows), fullest: mean(fullest) };
};

const experiment: Experiment = async ({ data, seeds = 5, quick, say }) => {
  const folder = dataFolder(data);
  const figures: Record<string, unknown>[] = [];
  for (const name of quick ? tables.slice(0, 1) : tables) {
    const table = loadCodes(folder, `pgm-four/${name}`);
    const columns = columnsOf(table);
    for (const epsilon of quick ? [1] : epsilons)
      for (const share of shares) {
        const found: Figures[] = [];
        for (let seed = 0; seed < seeds; seed++) {
          const budget = { epsilon, delta, thresholds: { numerator: 1, denominator: 10 } };
          const discovery = openDiscovery({
            source: rawMemorySource({ columns, dataset: 'experiment' }),
            budget,
            ledger: await memoryLedger(budgetOf(budget), 'experiment'),
            entropy: seededEntropy(seed),
          });
          const { schema } = await discoverSchema(discovery, draftOf(table), { share }).catch(() => ({
            schema: { attributes: [] } as never,
          }));
          found.push(judge(table, columns, schema));
        }
        const of = (key: keyof Figures): number => Number(mean(found.map((own) => own[key])).toFixed(3));
        figures.push({
          table: name,
          rows: table.length,
          epsilon,
          share,
          values: of('values'),
          covered: of('rows'),
          fullest: of('fullest'),
        });
        say(JSON.stringify(figures[figures.length - 1]));
      }
  }
  const lines = figures.map(
    ({ table, rows, epsilon, share, values, covered, fullest }) =>
      `| ${table} (${rows}) | ${epsilon} | ${share} | ${values} | ${covered} | ${fullest} |`,
  );
  return {
    figures: { seeds, delta, found: figures },
    text: `| table (rows) | epsilon | share | values found | rows with one of them | fullest bin (1 is equal) |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  };
};

export default experiment;
