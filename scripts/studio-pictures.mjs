// Makes the pictures of the studio in docs/images: every screen on a desk, on a phone and in the dark, of the demo's release with noise from a seed.
// Needs a build: node scripts/studio-pictures.mjs
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { serveFolder } from '../dist/adapters/serve-folder.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The pixels of a PNG of 8 bits a channel, as Chromium writes it. */
const pixelsOf = (png) => {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const out = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x < channels ? 0 : out[y * line + x - channels];
      const up = y === 0 ? 0 : out[(y - 1) * line + x];
      const corner = x < channels || y === 0 ? 0 : out[(y - 1) * line + x - channels];
      const guess = left + up - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
      const near = a <= b && a <= c ? left : b <= c ? up : corner;
      const added = [0, left, up, (left + up) >> 1, near][filter];
      out[y * line + x] = raw[y * (line + 1) + 1 + x] + added;
    }
  }
  return { width, height, channels, out };
};

const chunk = (name, data) => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** The same picture in its 256 most frequent colours, each other one as the nearest of them: flat pages lose nothing that one sees. */
const small = (png) => {
  const { width, height, channels, out } = pixelsOf(png);
  const counts = new Map();
  const keyAt = (at) => (out[at] << 16) | (out[at + 1] << 8) | out[at + 2];
  for (let at = 0; at < out.length; at += channels) counts.set(keyAt(at), (counts.get(keyAt(at)) ?? 0) + 1);
  const palette = [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 256)
    .map(([key]) => key);
  const distance = (one, other) => {
    const parts = [16, 8, 0].map((shift) => ((one >> shift) & 255) - ((other >> shift) & 255));
    return parts.reduce((sum, part) => sum + part * part, 0);
  };
  const placeOf = new Map(palette.map((key, i) => [key, i]));
  for (const key of counts.keys())
    if (!placeOf.has(key)) {
      let best = 0;
      for (let i = 1; i < palette.length; i++) if (distance(key, palette[i]) < distance(key, palette[best])) best = i;
      placeOf.set(key, best);
    }
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = placeOf.get(keyAt((y * width + x) * channels));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((key) => [key >> 16, (key >> 8) & 255, key & 255]));
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([png.subarray(0, 8), ...parts]);
};

const served = await serveFolder(path.join(root, 'dist', 'studio'));
const args = chromium.args.filter(
  (arg) => !/single-process|no-zygote|disable-web-security|site-isolation|site-per-process|features/.test(arg),
);
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(600_000);

/** On a desk, the first part of the page; on a phone, more of it. */
const shapes = [
  ['', { width: 1280, height: 900 }, 'light'],
  ['-phone', { width: 390, height: 844 }, 'light'],
  ['-dark', { width: 1280, height: 900 }, 'dark'],
];

const picture = async (name) => {
  for (const [suffix, size, colorScheme] of shapes) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('scrollTo(0, 0)');
    await page.waitForTimeout(150);
    writeFileSync(path.join(root, 'docs', 'images', `studio-${name}${suffix}.png`), small(await page.screenshot()));
  }
  await page.setViewportSize(shapes[0][1]);
};

const next = () => page.click('.ways .primary');
await page.goto(served.address);
await page.waitForSelector('[data-ready]', { state: 'attached' });
await picture('tables');
await page.click('#demo');
await page.waitForSelector('.histogram');
await page.waitForSelector('.busy', { state: 'hidden' });
await picture('columns');
await next();
await page.waitForSelector('.tall-box');
await picture('budget');
await page.click('details:has(#seed) summary');
await page.fill('#seed', '1');
await next();
await page.waitForSelector('#typed');
await page.fill('#allowance', '3');
await page.locator('#allowance').blur();
await page.waitForSelector('text=releases add up to less');
await page.fill('#typed', '1');
await picture('release');
await page.click('.danger');
await page.waitForSelector('.card-plot');
await page.waitForSelector('.busy', { state: 'hidden' });
await picture('look');
await next();
await page.selectOption('#ask-what', 'avg:age');
await page.selectOption('#ask-by', 'tenure');
await page.click('.builder .primary');
await page.waitForSelector('.answer');
await picture('ask');
await next();
await page.waitForSelector('#save-all');
await picture('take');
await browser.close();
await served.close();
