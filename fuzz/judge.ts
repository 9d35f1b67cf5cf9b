import { InputError } from '../src/domain/input-error.js';
import { BrokenLaw, type Target } from './target.js';

/** An execution may take this much processor time, in milliseconds. */
const mostMilliseconds = 2000;
/** ... and this many bytes beside the input: a small file has no right to more (docs/bundle.md, "Hostile files"). */
const mostBytes = 600 * 2 ** 20;
/** A refusal is a sentence, not a copy of the input. */
const longestMessage = 4000;

/** What became of an input. */
export interface Verdict {
  readonly outcome: 'taken' | 'refused' | 'finding';
  /** What is wrong, short and the same for the same fault. */
  readonly fault?: string;
  readonly detail?: string;
  readonly milliseconds: number;
}

const framesOf = (error: Error): string =>
  (error.stack ?? '')
    .split('\n')
    .flatMap((line) => /.*\/((?:src|adapters|cli)\/[\w./-]+?)(?:\.[jt]s)?:\d+/.exec(line)?.[1] ?? [])
    .slice(0, 2)
    .join(' < ');

/** Runs one input and holds what happens against what the product promises: no error but an `InputError`, no secret, no hang, no flood. */
export const judge = async (target: Target, bytes: Uint8Array, patience = mostMilliseconds): Promise<Verdict> => {
  const before = process.cpuUsage();
  const buffers = process.memoryUsage().arrayBuffers;
  const peak = process.resourceUsage().maxRSS;
  let shown = '';
  let outcome: Verdict['outcome'] = 'taken';
  let fault: string | undefined;
  let detail: string | undefined;
  try {
    shown = await target.run(bytes);
  } catch (error) {
    if (error instanceof InputError) {
      outcome = 'refused';
      shown = error.message;
      if (shown.length > longestMessage) fault = `a message of more than ${longestMessage} letters`;
    } else {
      const known = error instanceof Error ? error : new Error(String(error));
      fault = error instanceof BrokenLaw ? known.message : `${known.name} in ${framesOf(known)}`;
      detail = known.stack ?? known.message;
    }
  }
  const used = process.cpuUsage(before);
  const milliseconds = (used.user + used.system) / 1000;
  const grown = Math.max(process.memoryUsage().arrayBuffers - buffers, 1024 * (process.resourceUsage().maxRSS - peak));
  const secret = target.secrets?.find((text) => shown.includes(text));
  if (secret !== undefined) fault = 'a private value is told';
  else if (fault === undefined && grown > mostBytes) fault = `more than ${mostBytes / 2 ** 20} MiB`;
  else if (fault === undefined && milliseconds > patience) fault = `more than ${patience} ms`;
  if (fault === undefined) return { outcome, milliseconds };
  return { outcome: 'finding', fault, detail: detail ?? shown.slice(0, 2000), milliseconds };
};
