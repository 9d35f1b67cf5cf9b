import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, type Figure, smaller } from './figures.js';
import { type Factor, factorPlot } from './forecast/factor-plot.js';
import { type ForecastShape, forecastShapes } from './forecast/shapes.js';
import { runCli } from './runs/run-cli.js';

/** What a dry run foretells. */
interface Foretold {
  readonly forecast: { readonly seconds: number; readonly processor: number; readonly memory: number };
}

const wordsOf = ({ words, rows }: ForecastShape, threads: number): string[] => [
  ...['release', ...words, '--expect-rows', String(rows), '--threads', String(threads)],
];

const plotFile = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  ...['..', '..', 'docs', 'images', 'forecast-factors.svg'],
);

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

/**
 * What releases take beside what their dry runs foretold, for shapes of table, mechanism and budget on one thread and on two, each in a process of
 * its own: time by the clock (processor time too, which a busy machine leaves as it is) and peak memory. The ratio is what was forecast over what
 * was taken. Draws the factors to docs/images/forecast-factors.svg where all shapes were run. `--only aim` takes shapes whose name has these words.
 */
const bench: Bench = async ({ say, only }) => {
  const shapes = forecastShapes.filter(({ name }) => only === undefined || name.includes(only));
  if (shapes.length === 0) throw new Error(`bench forecast: no shape has ${only} in its name`);
  const figures: Figure[] = [];
  const factors: Factor[] = [];
  for (const shape of shapes) {
    const folder = mkdtempSync(path.join(tmpdir(), 'surmise-forecast-'));
    try {
      shape.write(folder);
      for (const threads of [1, 2]) {
        const { forecast, made } = await measure(shape, threads, folder);
        const what = `${shape.name}, ${threads === 1 ? 'one thread' : 'two threads'}`;
        const own = [
          smaller(`${what}: time, against its forecast`, made.seconds, forecast.seconds, 's'),
          smaller(`${what}: processor time, against its forecast`, made.processor, forecast.processor, 's'),
          smaller(`${what}: peak memory, against its forecast`, made.bytes / 1e6, forecast.memory / 1e6, 'MB'),
        ];
        figures.push(...own);
        factors.push({
          name: shape.name,
          threads,
          time: made.seconds / forecast.seconds,
          memory: made.bytes / forecast.memory,
        });
        say(
          `${what}: ${own.map(({ ours, peer, unit }) => `${ours.toFixed(1)} of ${peer!.toFixed(1)} ${unit}`).join(', ')}`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const worst = (of: (factor: Factor) => number): number =>
    Math.max(...factors.map((factor) => Math.max(of(factor), 1 / of(factor))));
  const within = factors.filter(({ time }) => time <= 2 && time >= 0.5).length;
  say(
    `time within a factor of two for ${within} of ${factors.length}, worst ${worst(({ time }) => time).toFixed(2)}; memory worst ${worst(({ memory }) => memory).toFixed(2)}`,
  );
  if (only === undefined) {
    mkdirSync(path.dirname(plotFile), { recursive: true });
    writeFileSync(plotFile, factorPlot(factors));
  }
  return figures;
};

export default bench;
