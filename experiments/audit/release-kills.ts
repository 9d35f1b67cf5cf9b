import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDirectory } from '../../adapters/bundle-directory.js';
import { fileStore } from '../../adapters/ledger/file-ledger.js';
import { verifyBundle } from '../../src/bundle/verify-bundle.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { type KilledRelease, killedFiles, killedReleases } from './killed-releases.js';

/** The outcome of many kills of releases. Any fault is a defect. */
export interface ReleaseKillResult {
  readonly kills: number;
  /** Of these by Ctrl-C; the others by a signal that nobody can catch. */
  readonly interrupts: number;
  readonly releases: number;
  /** Acts that a kill came upon between their beginning and their end: paid for, and lost alone. */
  readonly lost: number;
  /** Releases whose last act was lost, which can only be given up. */
  readonly givenUp: number;
  readonly faults: readonly string[];
}

/** How a run of the command line ended. */
interface Ended {
  readonly code: number | NodeJS.Signals | null;
  readonly said: string;
}

/** What a release that nobody interrupts comes to, and how long it takes from its first act on. */
interface Reference {
  readonly spent: bigint;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly milliseconds: number;
}

const out = 'out';
const ledgerName = 'kept.ledger.jsonl';
const unfinished = `${out}.unfinished`;
const compared = ['measurements.bin', 'model.bin', 'replicates.bin', 'synthetic.csv', 'persons.csv', 'households.csv'];
/** What is said where all that was left of the budget was lost with the last act. */
const lastLost = /got all of it lost to an interruption/;
/** Of two releases one is killed once more while it goes on. */
const again = 2;

const isThere = (folder: string): boolean => existsSync(path.join(folder, unfinished, 'journal.jsonl'));

/** Runs the command line once; `whenBegun` is called with it once its journal is there. */
const run = (
  cli: string,
  folder: string,
  words: readonly string[],
  whenBegun: (child: ChildProcess) => void = () => {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let begun = false;
    const look = setInterval(() => {
      if (begun || !isThere(folder)) return;
      begun = true;
      whenBegun(child);
    }, 1);
    child.stdout.on('data', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(look);
      resolve({ code: code ?? signal, said });
    });
  });

const wordsOf = ({ words }: KilledRelease): string[] => [
  ...['release', ...words, '--epsilon', '3', '-o', out, '--ledger', ledgerName],
  // Seeded noise goes on where it was: what is released must then be, to the byte, what nobody interrupted.
  ...['--seed', '5', '--unsafe-seed', '9'],
];

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'surmise-release-kills-'));
  try {
    for (const [name, text] of Object.entries(killedFiles())) await writeFile(path.join(folder, name), text);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const filesOf = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const files = new Map<string, Buffer>();
  for (const name of compared) {
    const file = path.join(folder, out, name);
    if (existsSync(file)) files.set(name, await readFile(file));
  }
  return files;
};

const referenceOf = (cli: string, release: KilledRelease): Promise<Reference> =>
  inFolder(async (folder) => {
    let begun = 0;
    const { code, said } = await run(cli, folder, wordsOf(release), () => {
      begun = performance.now();
    });
    if (code !== 0) throw new Error(`audit: ${release.name} cannot be released (${code}): ${said}`);
    const milliseconds = performance.now() - begun;
    const { status } = await inspectLedger(fileStore(path.join(folder, ledgerName)));
    return { spent: status.spent, files: await filesOf(folder), milliseconds };
  });

/** Acts of groups in a journal that were begun and never done: paid for and lost alone. A bundle tells the charges of groups together, and so not these. */
const lostInGroups = async (folder: string): Promise<number> => {
  const text = await readFile(path.join(folder, unfinished, 'journal.jsonl'), 'utf8').catch(() => '');
  // The last line may be torn.
  const entries = text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as { kind?: string; at?: unknown }];
    } catch {
      return [];
    }
  });
  const ofGroups = entries.filter(({ at }) => typeof at === 'object');
  const count = (kind: string): number => ofGroups.filter((entry) => entry.kind === kind).length;
  return count('begin') - count('done');
};

/** What is wrong with a release that was interrupted and went on to its end, and how many of its acts were lost, `inGroups` of them in groups. */
export const judgeRelease = async (
  folder: string,
  reference: Pick<Reference, 'spent' | 'files'>,
  inGroups = 0,
): Promise<{ readonly faults: readonly string[]; readonly lost: number }> => {
  const ledger = await inspectLedger(fileStore(path.join(folder, ledgerName)));
  const { faults: found, manifest } = await verifyBundle(await bundleDirectory(path.join(folder, out)), ledger);
  const faults = [...found];
  const lost = inGroups + (manifest?.charges.filter((act) => act.lost).length ?? 0);
  const { spent, total } = ledger.status;
  if (ledger.damage !== undefined) faults.push(`the ledger is damaged: ${ledger.damage.why}`);
  if (ledger.open.length > 0 || ledger.runs.length > 0) faults.push('the ledger holds acts or runs that never ended');
  if (spent > total) faults.push(`the ledger has ${spent} spent of ${total}`);
  // What a lost act leaves is divided anew, so the parts are rounded otherwise, within the total.
  if (lost === 0 && spent !== reference.spent)
    faults.push(`the ledger has ${spent} spent where ${reference.spent} were planned`);
  // A kill between the last two files of its folder leaves that folder empty, which is nothing to go on with.
  if (isThere(folder)) faults.push('the journal is still there');
  if (lost > 0) return { faults, lost };
  const files = await filesOf(folder);
  for (const [name, bytes] of reference.files)
    if (!files.get(name)?.equals(bytes)) faults.push(`${name} is not what it is without interruptions`);
  return { faults, lost };
};

interface Tally {
  kills: number;
  interrupts: number;
  releases: number;
  lost: number;
  givenUp: number;
  readonly faults: string[];
}

/** One release, killed once or more at random points, gone on with to its end, and judged. */
const killOne = (
  cli: string,
  release: KilledRelease,
  reference: Reference,
  random: Random,
  tally: Tally,
): Promise<void> =>
  inFolder(async (folder) => {
    const below = (n: number): number => random.uint32() % n;
    const fault = (what: string): void => {
      tally.faults.push(`${release.name}: ${what}`);
    };
    let inGroups = 0;
    for (let kills = 0; ; ) {
      const isGoingOn = isThere(folder);
      // The kill came when all was done.
      if (!isGoingOn && existsSync(path.join(folder, out))) break;
      const words = [...wordsOf(release), ...(isGoingOn ? ['--resume'] : [])];
      const isKilled = kills === 0 || below(again) === 0;
      const signal = below(2) === 0 ? 'SIGKILL' : 'SIGINT';
      const delay = (below(1000) / 1000) * reference.milliseconds;
      const { code, said } = await run(cli, folder, words, (child) => {
        if (isKilled) setTimeout(() => child.kill(signal), delay);
      });
      if (code === 0) break;
      if (code === signal || (signal === 'SIGINT' && code === 130)) {
        if (isKilled) {
          kills++;
          tally.kills++;
          if (signal === 'SIGINT') tally.interrupts++;
          inGroups = Math.max(inGroups, await lostInGroups(folder));
          continue;
        }
      }
      if (isGoingOn && lastLost.test(said)) {
        tally.givenUp++;
        const { status } = await inspectLedger(fileStore(path.join(folder, ledgerName)));
        if (status.spent > status.total) fault('more was spent than there was');
        return;
      }
      fault(`ended with ${code}: ${said.trim()}`);
      return;
    }
    tally.releases++;
    const { faults, lost } = await judgeRelease(folder, reference, inGroups);
    tally.lost += lost;
    for (const what of faults) fault(what);
  });

/**
 * Kills releases of every mechanism at random points, by -9 and by Ctrl-C, goes on with each to its end, and compares it with what the
 * same release comes to without interruptions.
 */
export const releaseKills = async (
  count: number,
  onProgress: (done: number) => void = () => {},
  {
    cli = fileURLToPath(new URL('../../cli/main.js', import.meta.url)),
    width = 2,
    seed = 1,
    only = '',
  }: { cli?: string; width?: number; seed?: number; only?: string } = {},
): Promise<ReleaseKillResult> => {
  const random = seeded(seed);
  const tally: Tally = { kills: 0, interrupts: 0, releases: 0, lost: 0, givenUp: 0, faults: [] };
  const chosen = killedReleases.filter(({ name }) => name.includes(only));
  if (count === 0 || chosen.length === 0) return tally;
  const references = new Map<KilledRelease, Reference>();
  for (const release of chosen) references.set(release, await referenceOf(cli, release));
  let next = 0;
  const lane = async (): Promise<void> => {
    while (tally.kills < count) {
      const release = chosen[next++ % chosen.length];
      await killOne(cli, release, references.get(release)!, random, tally);
      onProgress(tally.kills);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return tally;
};
