import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor that the thread had meanwhile. */
  readonly tdur?: number | undefined;
  readonly args?: { readonly name?: string | undefined } | undefined;
}

/**
 * Does `work` and tells the longest task of the page's own thread meanwhile, in milliseconds of processor, which a busy machine does not lengthen: a page hears
 * nothing before a task ends. Also how many tasks there were.
 */
export const longestTask = async (
  page: Page,
  work: () => Promise<void>,
): Promise<{ readonly milliseconds: number; readonly tasks: number }> => {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as { traceEvents: TraceEvent[] };
  const ofPages = new Set(
    traceEvents
      .filter(({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && ofPages.has(`${pid}/${tid}`),
  );
  return { milliseconds: Math.max(0, ...tasks.map(({ tdur }) => tdur! / 1000)), tasks: tasks.length };
};
