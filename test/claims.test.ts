import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Figure, KeptFigures } from '../bench/figures.js';
import type { Reweighting } from '../experiments/quoted/tables.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).map((file) => `docs/${file}`)].filter((file) =>
  file.endsWith('.md'),
);
const benches = readdirSync(path.join(root, 'bench', 'results'));
const kept = (name: string): KeptFigures => JSON.parse(read(`bench/results/${name}.json`)) as KeptFigures;
/** Whether a document says it, as a value that shows which one when it does not. */
const said = (file: string, text: string) => ({ file, text, said: read(file).includes(text) });
const saying = (file: string, ...texts: string[]): void => {
  for (const text of texts) expect(said(file, text)).toEqual({ file, text, said: true });
};

describe('item 15: figures of benchmarks', () => {
  it('are kept with their command and machine, and without a path or the name of a host', () => {
    expect(benches.length).toBeGreaterThan(4);
    for (const file of benches) {
      const text = read(`bench/results/${file}`);
      const { name, command, kept: when, machine, figures } = JSON.parse(text) as KeptFigures;
      expect(file).toMatch(new RegExp(`^${name}(-\\w+)?\\.json$`));
      expect(command).toMatch(new RegExp(`^npm run bench -- ${name}\\b`));
      expect(when).toMatch(/^\d{4}-\d\d-\d\d$|^from the (run|three runs) told in docs\/[\w-]+\.md$/);
      expect(Object.keys(machine).sort()).toEqual(['cores', 'load', 'node', 'processor']);
      expect(figures.length).toBeGreaterThan(0);
      expect(text).not.toMatch(/"[^"]*\/(home|root|tmp|work|Users)\//);
      if (hostname().length > 3) expect(text).not.toContain(hostname());
    }
  });

  it('of engines are those in the table of docs/engines.md, and nothing else is in it', () => {
    const { figures } = kept('engines');
    const short = (value: number): string =>
      value >= 10 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2);
    const counts = figures.filter(({ what }) => what.includes(': counts'));
    for (const { ours, peer } of counts)
      saying('docs/engines.md', `| ${short(ours)} | ${short(peer ?? 0)} | ${(ours / (peer ?? 0)).toFixed(2)} |`);
    expect(read('docs/engines.md').match(/^\| \w+ \| 10\^/gm)?.length).toBe(counts.length);
  });

  it('are those that README and docs quote', () => {
    const [noise, ide, count, pmw, pgm] = ['noise', 'ide', 'count', 'pmw-pub', 'pgm'].map((name) => kept(name).figures);
    const draws = noise.filter(({ unit }) => unit === 'draws/s');
    const millions = draws.map(({ ours }) => Math.round(ours / 1e6));
    const ratios = draws.map(({ ratio }) => Math.round(ratio ?? 0));
    saying(
      'docs/noise.md',
      `${Math.min(...millions)} to ${Math.max(...millions)} million draws a second`,
      `${Math.min(...ratios)} to ${Math.max(...ratios)} times OpenDP's`,
      ...noise.slice(-2).flatMap(({ ours }) => [`in ${ours.toFixed(1)} `]),
      ...noise.slice(-2).flatMap(({ ratio }) => [`(${Math.round(ratio ?? 0)} times`]),
    );
    const [one] = ide;
    saying(
      'docs/ide.md',
      `${one.ours.toFixed(2)} against ${one.peer?.toFixed(2)} ns`,
      `${Math.round(one.ratio ?? 0)} times faster`,
    );
    const [two, single, numpy] = count;
    saying(
      'docs/kernels.md',
      `${two.ours.toFixed(2)} s on two threads and ${single.ours.toFixed(2)} s on one`,
      `${numpy.peer?.toFixed(1)} s by NumPy`,
      `(${Math.round(numpy.ratio ?? 0)} times our one thread)`,
      `mbi's \`project\` (${Math.round(single.ratio ?? 0)} times)`,
    );
    const row = (what: string): Figure => {
      const found = pmw.find((figure) => figure.what.startsWith(what));
      if (found === undefined) throw new Error(`bench pmw-pub has no figure ${what}`);
      return found;
    };
    for (const what of [
      'update, replay and answers, one thread, against full',
      'update, replay and answers, two threads',
      'whole round, one thread, against full',
    ]) {
      const { ours, peer, ratio } = row(what);
      saying('docs/pmw-pub.md', `| ${ours.toFixed(1)} | ${Math.round(peer ?? 0)} | ${Math.round(ratio ?? 0)} times |`);
    }
    const [compiled, warm] = pgm.map(({ ratio }) => Math.floor(ratio ?? 0));
    saying('README.md', `fit ${warm} times faster than mbi, its compiling not counted (${compiled} times with it)`);
    for (const { ours, peer, ratio } of kept('gem').figures.filter((figure) => typeof figure.peer === 'number')) {
      const shown = (value: number): string =>
        value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
      saying('docs/gem.md', `| ${shown(ours)} | ${shown(peer ?? 0)} | ${(ratio ?? 0).toFixed(2)} |`);
    }
    expect(two.ours).toBeLessThan(0.5);
  });

  it('of killed releases are those that docs quote', () => {
    const { releases } = JSON.parse(read('experiments/results/audit.json'));
    expect(releases).toMatchObject({ givenUp: 0, faults: [] });
    const { kills, interrupts, releases: ended, lost } = releases;
    saying(
      'docs/results.md',
      `Releases: ${kills.toLocaleString('en')} kills, ${interrupts} of them by Ctrl-C, at random points of ${ended} releases`,
      `${lost} acts were lost`,
    );
  });

  it('of the studio beside the command line are those that its page quotes', () => {
    const { figures } = kept('studio');
    for (const name of ['Massachusetts', 'a million rows of 20 columns']) {
      const of = (what: string) => figures.find((figure) => figure.what === `${name}: ${what}`)!;
      const [time, memory] = [of('the page beside the command line'), of('memory of the page beside the command line')];
      const silence = of('longest time the page heard no event, beside its bound').ours;
      saying(
        'docs/studio.md',
        `took ${time.ours.toPrecision(3)} s in the page and ${time.peer!.toPrecision(3)} s by the command line, with ${Math.round(memory.ours)} and ${Math.round(memory.peer!)} MB, and the page heard events at least every ${Math.round(silence)} ms`,
      );
    }
  });

  it('of wide tables and of obedience are those that docs quote', () => {
    const wide = kept('wide').figures;
    for (const { what, ours } of wide.filter((figure) => figure.what.endsWith(': a release, against ours before'))) {
      const name = what.slice(0, what.indexOf(':'));
      const of = (end: string): number =>
        wide.find((figure) => figure.what === `${name}: ${end}, against ours before`)!.ours;
      const error = of("mean error of the model's pairs").toPrecision(3);
      saying(
        'docs/aim.md',
        `| ${name} | ${Math.round(ours)} | ${Math.round(of('its processor time'))} | ${Math.round(of('peak memory'))} | ${error} |`,
      );
    }
    const ended = kept('obedience').figures.filter(({ what }) => what.endsWith('until it has ended, worst'));
    expect(ended.length).toBeGreaterThan(15);
    const slowest = Math.max(...ended.map(({ ours }) => ours));
    saying('docs/cli.md', `the slowest of ${ended.length} kinds of work ended after ${Math.round(slowest)} ms`);
  });
});

describe('item 14: what is said of validated reweighting', () => {
  const { rows } = JSON.parse(read('experiments/results/reweight.json')) as Reweighting;
  /** Its mean error over that of another: the least and the largest ratio of the rows. */
  const range = (name: (row: Reweighting['rows'][number]) => string, of = rows): string => {
    const ratios = of.map((row) => row.mean.validated.mean / row.mean[name(row)].mean);
    return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  };
  const large = rows.filter(({ setting }) => setting !== 'massachusetts');
  const small = rows.filter(({ setting }) => setting === 'massachusetts');
  const ahead = rows.filter(({ best, mean }) => mean.validated.mean < mean[`IDE, ${best}`].mean);

  it('beside IDE, at the default and at its best of four selections, and beside PMW-Pub is what was measured', () => {
    const pmwPub = [range(() => 'PMW-Pub', large), range(() => 'PMW-Pub', small)] as const;
    const cliques = range(() => 'IDE, cliques');
    const best = range(({ best: measure }) => `IDE, ${measure}`, ahead);
    expect(rows.length - ahead.length).toBe(1);
    saying(
      'README.md',
      `${pmwPub[0]} of PMW-Pub's mean error`,
      `${pmwPub[1]} where it is small`,
      `it has ${cliques} (`,
    );
    saying('README.md', 'ahead once in 15');
    saying('docs/reweighting.md', `${pmwPub[0]} of PMW-Pub's`, pmwPub[1], `${cliques} of that of IDE`, best);
    saying('docs/ide.md', `${cliques} of the mean error of IDE's default`, `comes nearer (${best})`);
    saying('docs/results.md', `has ${pmwPub[0]} of PMW-Pub's mean error`, `has ${best} in 14 of 15 rows`);
    for (const { mean } of rows) expect(mean.validated.mean).toBeLessThan(1.02 * mean['oracle stop'].mean);
  });
});

describe('item 17: what is said of others', () => {
  it('names dpsynth where it is, and says what the peers have', () => {
    const readme = read('README.md');
    expect(readme).toContain('https://github.com/google/dpsynth');
    for (const wrong of ['google-research/dpsynth', 'machine-checked', 'PrivBayes', 'All of them are Python'])
      expect(readme).not.toContain(wrong);
    saying('README.md', 'OpenDP is Rust', 'microsoft/synthetic-data-showcase', 'dscc-admin-ch/lomas');
  });

  it('never says that nobody else has something', () => {
    for (const file of documents) {
      const found = read(file).match(
        /[^.\n]*\b(nobody else (has|does|offers|can)|no other (library|tool|software|package)|no library|no tool|every peer|all (the )?peers|unlike (all|any) other)\b[^.\n]*/gi,
      );
      expect({ file, found }).toEqual({ file, found: null });
    }
  });
});
