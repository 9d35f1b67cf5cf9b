import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../cli/options/command-table.js';
import { optionsOf } from '../cli/options/table.js';
import { leastDependence } from '../src/estimate/cliques/clique-workload.js';
import { defaultEpochs } from '../src/estimate/ide/ide.js';
import { defaultIterations } from '../src/estimate/reweight/fit-weights.js';
import { defaultProbes } from '../src/estimate/stopping/risk-probes.js';
import { defaultDraws } from '../src/estimate/widen/widening.js';
import { mostPairCells } from '../src/query/workload/pairs-or-one-ways.js';
import { defaultRounds, measuringPart } from '../src/release/adaptive/shares.js';
import { aimDefaults } from '../src/release/adaptive/workload.js';
import { mostIndependence, mostRegionCells } from '../src/release/grouped/workloads.js';
import { ideMeasures } from '../src/release/ide/workload.js';
import { mechanismNamed } from '../src/release/registry.js';
import { defaultTotalShare } from '../src/release/rounds/private-multiplicative-weights.js';
import { plainDomain } from './support/plain-source.js';
import { runHere } from './support/run-here.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const number = (value: number): string => value.toLocaleString('en-US');
const filesOf = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(folder, file));

describe('item 16: a default has one home', () => {
  it('from which every mechanism of the command line has it', () => {
    expect(mechanismNamed('reweight').defaults).toEqual({
      degree: 3,
      maxCells: mostPairCells,
      iterations: defaultIterations,
      lambda: 'auto',
      draws: defaultDraws,
      probes: defaultProbes,
    });
    expect(mechanismNamed('ide').defaults).toEqual({
      measure: ideMeasures[0],
      maxCells: mostPairCells,
      epochs: defaultEpochs,
    });
    expect(mechanismNamed('pmw-pub').defaults.maxCells).toBe(mostPairCells);
    expect(mechanismNamed('aim').defaults).toEqual(aimDefaults);
  });

  it('and the documents say what the code does', () => {
    const rounds = defaultRounds(plainDomain([2]));
    for (const [file, sentences] of Object.entries({
      'docs/groups.md': [
        `\`dependence\` (${leastDependence} nats)`,
        `\`independence\`, ${mostIndependence} nats`,
        `\`maxCells\` cells (${number(mostRegionCells)})`,
      ],
      'docs/reweighting.md': [`at most ${number(mostPairCells)} cells`, `\`draws\` (${number(defaultDraws)})`],
      'docs/ide.md': [
        `mutual information of ${leastDependence} nats`,
        `more than ${number(mostPairCells)} cells`,
        `all pairs of at most ${number(mostPairCells)} cells`,
        `after \`epochs\` (${defaultEpochs})`,
        ...ideMeasures.map((measure) => `| \`${measure}\``),
      ],
      'docs/aim.md': [
        `sets of ${aimDefaults.degree} attributes (\`degree\`) of at most ${number(aimDefaults.maxCells)} cells`,
        `\`modelMegabytes\` (${aimDefaults.modelMegabytes})`,
        `T = ${rounds} d rounds`,
        `of which ${measuringPart} measures`,
      ],
      'docs/pmw-pub.md': [`${100 * defaultTotalShare}% of the budget`],
    }))
      for (const sentence of sentences)
        expect({ file, sentence, said: read(file).includes(sentence) }).toEqual({ file, sentence, said: true });
  });

  it('and the limit of pairs stands nowhere else in the code', () => {
    const home = path.join('src', 'query', 'pairs-or-one-ways.ts');
    const others = ['src', 'cli', 'adapters', 'experiments']
      .flatMap(filesOf)
      .filter((file) => file !== home && /(maxCells|cliqueCells|pairsOrOneWays)\b.*20_?000/i.test(read(file)));
    expect(others).toEqual([]);
  });

  it('and --help shows the number that a command takes', async () => {
    let seen = 0;
    for (const command of commandNames) {
      const { out } = await runHere(root, command, '--help');
      for (const { name, otherwise } of optionsOf(command)) {
        if (otherwise === undefined || !/^\d+$/.test(otherwise)) continue;
        seen++;
        expect(out.replaceAll(/\n {6,}(?!--)/g, ' '), command).toMatch(new RegExp(`--${name} .*\\(${otherwise}\\)`));
      }
    }
    expect(seen).toBeGreaterThan(5);
  });
});
