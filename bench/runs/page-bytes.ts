import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** Resident memory of one process, where the system tells. */
const residentBytes = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** The peak, so far, of the memory of a browser's pages: of those processes of this browser that run pages and their workers. */
export const watchPageBytes = async (browser: Browser): Promise<{ peak(): number; stop(): void }> => {
  const session = await browser.newBrowserCDPSession();
  let peak = 0;
  const look = async (): Promise<void> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    peak = Math.max(
      peak,
      pages.reduce((sum, { id }) => sum + residentBytes(id), 0),
    );
  };
  const sampling = setInterval(() => void look().catch(() => undefined), 250);
  return { peak: () => peak, stop: () => clearInterval(sampling) };
};
