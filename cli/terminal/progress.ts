import { durationText } from '../../src/advanced.js';
import type { Progress } from '../../src/index.js';
import { bar } from './print.js';

/** The stream a progress line is drawn on: standard error, so that results can be piped. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly unicode: boolean;
  write(text: string): void;
  /** Milliseconds, from any origin. */
  now(): number;
}

export interface ProgressLine {
  /** Draws how far the work has come; at most ten times a second. */
  readonly show: (progress: Progress) => void;
  /** Wipes the line; call it before anything else is printed. */
  clear(): void;
}

const redraw = 100;

/** One line on a terminal that rewrites itself: stage, bar, rate, time left. In a pipe it stays silent. */
export const progressLine = (screen: Screen): ProgressLine => {
  let stage: string | undefined;
  let start = 0;
  let startDone = 0;
  let drawn = 0;
  let visible = false;
  const clear = () => {
    if (visible) screen.write('\r\x1b[2K');
    visible = false;
  };
  const show = (progress: Progress) => {
    if (!screen.isTerminal) return;
    const now = screen.now();
    if (progress.stage !== stage) {
      stage = progress.stage;
      start = now;
      startDone = progress.done;
      drawn = Number.NEGATIVE_INFINITY;
    }
    const finished = progress.total !== undefined && progress.done >= progress.total;
    if (finished) return clear();
    if (now - drawn < redraw) return;
    drawn = now;
    const line = describe(progress, (now - start) / 1000, progress.done - startDone, screen);
    screen.write(`\r\x1b[2K${line.slice(0, Math.max(1, screen.columns - 1))}`);
    visible = true;
  };
  return { show, clear };
};

/** The text of the line; `seconds` and `advanced` are since the stage began. */
const describe = (progress: Progress, seconds: number, advanced: number, screen: Screen): string => {
  const { stage, done } = progress;
  const isExpected = progress.total === undefined && progress.expected !== undefined;
  const total = progress.total ?? (isExpected ? Math.max(done + 1, progress.expected!) : undefined);
  const rate = seconds > 0 ? advanced / seconds : 0;
  const speed = rate > 0 ? `${short(rate)}/s` : '';
  if (total === undefined || total <= 0) return [stage, short(done), speed].filter(Boolean).join('  ');
  const share = Math.min(1, Math.max(0, done / total));
  const left = rate > 0 ? `${isExpected ? 'about ' : ''}${durationText((total - done) / rate)} left` : '';
  const width = Math.min(30, Math.max(8, screen.columns - stage.length - 36));
  const drawnBar = bar(share, width, screen.unicode);
  return [stage, drawnBar, `${Math.floor(share * 100)}%`.padStart(4), speed, left].filter(Boolean).join('  ');
};

/** A count in at most five characters or so: 999, 1.2k, 34M. */
const short = (value: number): string => {
  const units = ['', 'k', 'M', 'G', 'T'];
  let scaled = value;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  const digits = scaled >= 10 || (unit === 0 && Number.isInteger(scaled)) ? scaled.toFixed(0) : scaled.toFixed(1);
  return `${digits}${units[unit]}`;
};
