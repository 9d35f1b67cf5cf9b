import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, type Figure, type KeptFigures, smaller } from './figures.js';
import { factorPlot } from './forecast/factor-plot.js';
import { factorsOf, figureName, worstOf } from './forecast/factors.js';
import type { ForecastShape } from './forecast/shape.js';
import { forecastShapes } from './forecast/shapes.js';
import { runCli } from './runs/run-cli.js';

/** What a dry run foretells. */
interface Foretold {
  readonly forecast: { readonly seconds: number; readonly processor: number; readonly memory: number };
}

const wordsOf = ({ words, rows }: ForecastShape, threads: number): string[] => [
  ...['release', ...words, '--expect-rows', String(rows), '--threads', String(threads)],
];

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const plotFile = path.join(root, 'docs', 'images', 'forecast-factors.svg');
const keptFile = path.join(root, 'bench', 'results', 'forecast.json');

const measure = async (shape: ForecastShape, threads: number, folder: string) => {
  const dry = await runCli([...wordsOf(shape, threads), '--dry-run', '--json'], { folder });
  if (dry.code !== 0) throw new Error(`bench forecast: ${shape.name}: ${dry.said}`);
  const { forecast } = JSON.parse(dry.output) as Foretold;
  const out = ['-o', 'out', '--ledger', 'kept.ledger.jsonl', '--unsafe-seed', '1', '--seed', '1'];
  const made = await runCli([...wordsOf(shape, threads), ...out], { folder });
  for (const name of ['out', 'kept.ledger.jsonl']) rmSync(path.join(folder, name), { recursive: true, force: true });
  if (made.code !== 0 || made.watched === undefined)
    throw new Error(`bench forecast: ${shape.name} ended with ${made.code}: ${made.said}`);
  return { forecast, made: made.watched };
};

/** What `--only` asks for: shapes with these words in their name, and after a semicolon the number of threads. */
const chosen = (only = ''): { readonly shapes: readonly ForecastShape[]; readonly threads: readonly number[] } => {
  const [words, threads = ''] = only.split(';').map((part) => part.trim());
  const shapes = forecastShapes.filter(({ name }) => name.includes(words));
  if (shapes.length === 0) throw new Error(`bench forecast: no shape has ${words} in its name`);
  if (!['', '1', '2'].includes(threads)) throw new Error(`bench forecast: 1 or 2 threads, got ${threads}`);
  return { shapes, threads: threads === '' ? [1, 2] : [Number(threads)] };
};

/** Draws the factors of figures that are kept, and gives them back as they are. */
const drawKept = (say: (line: string) => void): readonly Figure[] => {
  const { figures } = JSON.parse(readFileSync(keptFile, 'utf8')) as KeptFigures;
  const factors = factorsOf(figures);
  mkdirSync(path.dirname(plotFile), { recursive: true });
  writeFileSync(plotFile, factorPlot(factors));
  say(worstOf(factors));
  return figures;
};

/**
 * What releases take beside what their dry runs foretold, for shapes of table, mechanism and budget on one thread and on two, each in a process of
 * its own: time by the clock (processor time too, which a busy machine leaves as it is) and peak memory. The ratio is what was forecast over what
 * was taken. `--only "aim;1"` takes shapes whose name has these words, on one thread; with `--keep --add` such parts are kept together, and
 * `--only plot` draws the factors of what is kept to docs/images/forecast-factors.svg.
 */
const bench: Bench = async ({ say, only }) => {
  if (only === 'plot') return [...drawKept(say)];
  const { shapes, threads } = chosen(only);
  const figures: Figure[] = [];
  for (const shape of shapes) {
    const folder = mkdtempSync(path.join(tmpdir(), 'surmise-forecast-'));
    try {
      shape.write(folder);
      for (const count of threads) {
        const { forecast, made } = await measure(shape, count, folder);
        const own = [
          smaller(figureName(shape.name, count, 'time'), made.seconds, forecast.seconds, 's'),
          smaller(figureName(shape.name, count, 'processor time'), made.processor, forecast.processor, 's'),
          smaller(figureName(shape.name, count, 'peak memory'), made.bytes / 1e6, forecast.memory / 1e6, 'MB'),
        ];
        figures.push(...own);
        say(
          `${shape.name}, ${count}: ${own.map(({ ours, peer, unit, ratio }) => `${ours.toFixed(1)} of ${peer!.toFixed(1)} ${unit} (${(1 / ratio!).toFixed(2)})`).join(', ')}`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  say(worstOf(factorsOf(figures)));
  return figures;
};

export default bench;
