import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import { serveFolder } from '../../adapters/serve-folder.js';

/** The built studio, served, in a browser of its own. */
export interface OpenedStudio {
  readonly address: string;
  /** Everything that any page asked for: addresses, in order. */
  readonly asked: string[];
  /** What went wrong in the pages and was told to nobody. */
  readonly troubles: string[];
  /** A page that is ready: of a person who was never here, or beside another one, as a second tab. */
  open(beside?: Page): Promise<Page>;
  close(): Promise<void>;
}

export const openStudio = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<OpenedStudio> => {
  const served = await serveFolder(path.resolve(import.meta.dirname, '../../dist/studio'));
  // One process for all, and pages that may read one another, would forbid shared memory.
  const args = chromium.args.filter(
    (arg) => !/single-process|no-zygote|disable-web-security|site-isolation|site-per-process|features/.test(arg),
  );
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
  const asked: string[] = [];
  const troubles: string[] = [];
  const visitor = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US', ...options });
    context.setDefaultTimeout(120_000);
    context.on('request', (request) => void asked.push(request.url()));
    context.on('weberror', (error) => void troubles.push(error.error().message));
    return context;
  };
  return {
    address: served.address,
    asked,
    troubles,
    open: async (beside) => {
      const page = await (beside?.context() ?? (await visitor())).newPage();
      await page.goto(served.address);
      await page.waitForSelector('[data-ready]', { state: 'attached' });
      return page;
    },
    close: async () => {
      await browser.close();
      await served.close();
    },
  };
};
