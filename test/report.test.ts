import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBundle } from '../src/bundle/open-bundle.js';
import { supportModel } from '../src/model/support/support-model.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { exactPrimitives } from '../src/privacy/primitives.js';
import { makeReport, type ReportSource } from '../src/report/make-report.js';
import { recording, replaying } from './support/replay.js';
import { groupedBundle, hostile, wideBundle } from './support/report-bundles.js';
import { prior, rows, smallRelease } from './support/small-release.js';

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'surmise-report-'));
let browser: Browser | undefined;

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const wide = wideBundle(36);
const grouped = groupedBundle();

describe('the report', () => {
  it('is equal for equal bundles, in one process and whatever was drawn before', async () => {
    const { files } = await smallRelease();
    const first = await makeReport(openBundle(files));
    await makeReport(grouped.bundle, { public: grouped.table });
    expect(await makeReport(openBundle(files))).toBe(first);
  });

  it('does not depend on the private table but through what the primitives gave back', async () => {
    const tape = recording(exactPrimitives(seededEntropy(9)));
    const one = await smallRelease({ primitives: tape.primitives });
    const other = await smallRelease({ primitives: replaying(tape.outputs), table: [...rows, [1, 0, 120]] });
    expect(await makeReport(openBundle(other.files))).toBe(await makeReport(openBundle(one.files)));
  });

  it('says that a release with seeded noise protects nobody', async () => {
    const { files } = await smallRelease();
    const bundle = openBundle(files);
    expect(await makeReport(bundle)).toContain('protects nobody');
    const { privacy } = bundle.manifest;
    const sound = {
      ...bundle,
      manifest: { ...bundle.manifest, privacy: { ...privacy, seeded: false, text: 'sound' } },
    };
    expect(await makeReport(sound)).not.toContain('protects nobody');
  });

  it('refuses a public table over another domain, and stops when it is told to', async () => {
    const { files } = await smallRelease();
    await expect(makeReport(openBundle(files), { public: wide.table })).rejects.toThrow(
      /public table: must be over the domain/,
    );
    await expect(makeReport(wide.bundle, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  it('shows bounds from replicates where nothing was measured, and none without them', async () => {
    const few = wideBundle(4);
    const bare: ReportSource = { ...few.bundle, measurements: [] };
    const shifted = (factor: number) => supportModel(few.model.support, few.model.total * factor);
    const replicates = {
      models: [shifted(1.02), shifted(0.97), shifted(1.01)],
      truths: [few.model, few.model, few.model],
      seed: 1,
      clump: 1,
      inflation: 1,
    };
    expect(await makeReport(bare)).not.toContain('95% bounds ');
    expect(await makeReport({ ...bare, replicates })).toContain('95% bounds ');
  });

  it('takes a model without a single record', async () => {
    const { files } = await smallRelease({
      make: async (session) => ({
        model: supportModel(prior, 0),
        measurements: [await session.total(1)],
        notes: {},
      }),
    });
    expect(await makeReport(openBundle(files))).toContain('about 0 records');
  });

  it('is below 3 MB for 36 attributes', async () => {
    const text = await makeReport(wide.bundle, { public: wide.table });
    expect(new TextEncoder().encode(text).length).toBeLessThan(3e6);
  });
});

it('draws no further plot once the signal aborts', async () => {
  const controller = new AbortController();
  const { length } = wide.bundle.model.domain.attributes;
  let drawn = 0;
  const made = makeReport(wide.bundle, {
    signal: controller.signal,
    onProgress: ({ done }) => {
      drawn = done;
      if (done === 2) controller.abort(new Error('enough'));
    },
  });
  await expect(made).rejects.toThrow('enough');
  expect([drawn, length]).toEqual([2, 36]);
});

describe('the layers', () => {
  /** What running code of these files loads, near and far: imports of types are gone by then. */
  const loaded = (files: readonly string[]): Set<string> => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(path.join(root, file), 'utf8').replace(/^(?:import|export) type [^;]*;/gm, '');
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles)
        if (fileName.startsWith('.')) visit(path.join(path.dirname(file), fileName).replace(/\.js$/, '.ts'));
    };
    files.forEach(visit);
    return seen;
  };
  const readers =
    /^src\/(source\/|privacy\/(session|open-session|door|exact-answers|partition|primitives|account)\b)|^adapters\//;

  it('keep everything that can read a private row out of the reach of the report', () => {
    const report = readdirSync(path.join(root, 'src/report')).filter((name) => /(?<!\.test)\.ts$/.test(name));
    const reached = [...loaded(report.map((name) => `src/report/${name}`))];
    expect(reached.length).toBeGreaterThan(report.length);
    expect(reached.filter((file) => readers.test(file))).toEqual([]);
  });

  it('would catch one', () => {
    expect([...loaded(['adapters/release-files.ts'])].filter((file) => readers.test(file))).toContain(
      'src/privacy/session/open-session.ts',
    );
  });
});

describe('hostile names', () => {
  it('stay text wherever they come from', async () => {
    const { bundle, table } = hostile();
    const text = await makeReport(bundle, { public: table });
    // Every tag of the page is one that the report writes itself.
    const tags = new Set([...text.matchAll(/<\/?([a-z][\w-]*)/gi)].map(([, tag]) => tag.toLowerCase()));
    const own =
      'html head meta title style body header p h1 small dl div dt dd nav ol li a main section h2 h3 ul table caption thead tbody tr th td details summary figure svg g path line text span i code pre footer';
    expect([...tags].filter((tag) => !own.split(' ').includes(tag))).toEqual([]);
    expect(text).toContain('&lt;script&gt;');
  });
});

describe('in Chromium', () => {
  beforeAll(async () => {
    browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
  });

  it.each([
    ['many attributes', () => wide, 36 + 3],
    ['groups', () => grouped, 4 + 3 + 2],
    ['hostile names', hostile, 4 + 3],
  ] as const)('a report of %s is drawn whole, asks for nothing, and fits a phone', async (name, make, plots) => {
    const { bundle, table } = make();
    const file = path.join(folder, `${name.replaceAll(' ', '-')}.html`);
    writeFileSync(file, await makeReport(bundle, { public: table }));
    const page = await browser!.newPage({ viewport: { width: 1280, height: 800 } });
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('dialog', (dialog) => troubles.push(dialog.message()));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);

    const figures = (await page.evaluate(`[...document.querySelectorAll('figure')].map((figure) => {
      const marks = [...figure.querySelectorAll('svg .role-mark path, svg .role-mark text')].filter((mark) => {
        const { width, height } = mark.getBoundingClientRect();
        return width > 0 || height > 0;
      });
      return {
        id: figure.id,
        marks: marks.length,
        fill: marks.length === 0 ? '' : getComputedStyle(marks[0]).fill,
        label: figure.querySelector('svg')?.getAttribute('aria-label'),
      };
    })`)) as { id: string; marks: number; fill: string; label?: string }[];
    expect(figures).toHaveLength(plots);
    for (const figure of figures) {
      expect(figure.marks, figure.id).toBeGreaterThan(1);
      // A colour that the page does not define would be black.
      expect(figure.fill, figure.id).toMatch(/^rgb\((?!0, 0, 0\))/);
      expect(figure.label, figure.id).toBeTruthy();
    }
    for (const [width, media, colorScheme] of [
      [1280, 'screen', 'light'],
      [390, 'screen', 'dark'],
      [700, 'print', 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ media, colorScheme });
      const { content, window, ink, paper } = (await page.evaluate(`(() => {
        const light = (rgb) => rgb.match(/[\\d.]+/g).map(Number).reduce((a, b) => a + b, 0);
        const { color, backgroundColor } = getComputedStyle(document.body);
        const { scrollWidth } = document.documentElement;
        return { content: scrollWidth, window: innerWidth, ink: light(color), paper: light(backgroundColor) };
      })()`)) as Record<'content' | 'window' | 'ink' | 'paper', number>;
      expect(content, media).toBeLessThanOrEqual(window);
      // Ink and paper are far apart, and paper is light on paper even for those who like dark screens.
      expect(Math.abs(ink - paper)).toBeGreaterThan(400);
      expect(paper > ink).toBe(media === 'print' || colorScheme === 'light');
    }
    // No element has a handler, and no reference leads anywhere but to a place on the page.
    const ways = await page.evaluate(`[...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes]
        .filter(({ name, value }) => /^on|^style$/.test(name) ? !/^background:var/.test(value) : /href|src/.test(name) && !value.startsWith('#'))
        .map(({ name, value }) => name + '=' + value))`);
    expect(ways).toEqual([]);
    expect(troubles).toEqual([]);
    expect(requests).toEqual([pathToFileURL(file).href]);
  });
});
