import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { cases } from './cases.js';
import { type KillResult, ledgerKills } from './ledger-kills.js';
import { auditNeighbours, inOrder } from './neighbours/audit-neighbours.js';
import type { NeighbourTally } from './neighbours/tally.js';
import { type ReleaseKillResult, releaseKills } from './release-kills.js';
import { runCase, type Verdict } from './run-case.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '10000' },
    'release-kills': { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
    add: { type: 'boolean' },
    neighbours: { type: 'boolean' },
    pairs: { type: 'string', default: '200' },
    lanes: { type: 'string', default: '2' },
    help: { type: 'boolean' },
  },
});

const inWorker = (index: number, runs: number): Promise<Verdict> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { index, runs } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

const line = (cells: readonly string[]): string =>
  `${cells[0].padEnd(44)}${cells
    .slice(1)
    .map((cell) => cell.padStart(12))
    .join('')}\n`;

const show = ({ name, measure, claim, bound, planted, passed }: Verdict): void => {
  const verdict = planted ? (passed ? 'caught' : 'MISSED') : passed ? 'holds' : 'VIOLATED';
  process.stdout.write(line([name, measure, claim.toFixed(4), bound.toFixed(4), (bound / claim).toFixed(3), verdict]));
};

/** What a file of an audit holds. */
interface Kept {
  readonly passed: boolean;
  readonly verdicts: readonly Verdict[];
  readonly ledger?: KillResult;
  readonly releases?: ReleaseKillResult;
}

const audit = async (): Promise<void> => {
  const runs = Number(values.runs);
  process.stdout.write(line(['audit', 'measure', 'claim', 'bound', 'ratio', 'verdict']));
  const verdicts: Verdict[] = [];
  const out = values.out ?? 'audit.json';
  const kept = values.add ? (JSON.parse(readFileSync(out, 'utf8')) as Partial<Kept>) : {};
  // A part that is asked for no runs or kills is left out.
  const queue = runs === 0 ? [] : [...cases.keys()].filter((index) => cases[index].name.includes(values.only));
  const lane = async (): Promise<void> => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const verdict = await inWorker(index, runs);
      verdicts[index] = verdict;
      show(verdict);
    }
  };
  await Promise.all([lane(), lane()]);
  const onProgress = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${values.kills} ledger kills`);
  };
  const ledger = Number(values.kills) === 0 ? kept.ledger : await ledgerKills(Number(values.kills), onProgress);
  if (ledger)
    process.stdout.write(
      `\nledger: ${ledger.kills} kills, ${ledger.overspend} overspent, ${ledger.unreadable} unreadable\n`,
    );
  const wanted = Number(values['release-kills']);
  const onKill = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${wanted} kills of releases`);
  };
  const releases = wanted === 0 ? kept.releases : await releaseKills(wanted, onKill, { only: values.only });
  if (releases) {
    process.stdout.write(
      `releases: ${releases.kills} kills, ${releases.interrupts} of them by Ctrl-C, of ${releases.releases} releases that went on to their end ` +
        `and ${releases.givenUp} that could not; ${releases.lost} acts lost, ${releases.faults.length} faults\n`,
    );
    for (const fault of releases.faults) process.stdout.write(`  ${fault}\n`);
  }
  const found = verdicts.filter((verdict) => verdict !== undefined);
  const judged = [
    ...(kept.verdicts ?? []).filter(({ name }) => found.every((verdict) => verdict.name !== name)),
    ...found,
  ];
  const passed =
    judged.every((verdict) => verdict.passed) &&
    (ledger === undefined || (ledger.overspend === 0 && ledger.unreadable === 0)) &&
    (releases === undefined || releases.faults.length === 0);
  writeFileSync(out, `${JSON.stringify({ passed, verdicts: judged, ledger, releases }, null, 2)}\n`);
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}; written to ${out}\n`);
  process.exitCode = passed ? 0 : 1;
};

const showTally = ({ subject, relation, pairs, outputs, differences }: NeighbourTally): void => {
  const verdict = differences.length === 0 ? 'alike' : 'DIFFER';
  process.stdout.write(line([subject, relation, String(pairs), String(outputs), String(differences.length), verdict]));
  for (const { number, where, first, second } of differences.slice(0, 3))
    process.stdout.write(`  pair ${number}, ${where}\n    ${first}\n    ${second}\n`);
};

/** Record and replay on neighbouring tables. */
const neighbours = async (): Promise<void> => {
  process.stdout.write(line(['neighbours', 'relation', 'pairs', 'outputs', 'differences', 'verdict']));
  const onPair = (done: number, total: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} pairs`);
  };
  const pairs = Number(values.pairs);
  const out = values.out ?? 'neighbours.json';
  const kept = values.add ? (JSON.parse(readFileSync(out, 'utf8')) as { tallies: NeighbourTally[] }).tallies : [];
  const found = await auditNeighbours({
    pairs,
    lanes: Number(values.lanes),
    only: values.only,
    onTally: showTally,
    onPair,
  });
  const tallies = inOrder([...kept, ...found]);
  const passed = tallies.every(({ differences }) => differences.length === 0);
  writeFileSync(out, `${JSON.stringify({ passed, tallies }, null, 2)}\n`);
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}; written to ${out}\n`);
  process.exitCode = passed ? 0 : 1;
};

if (!isMainThread) {
  const { index, runs } = workerData as { index: number; runs: number };
  parentPort!.postMessage(await runCase(cases[index], runs));
} else if (values.help) {
  process.stdout.write(
    'npm run audit -- [--runs 1000000] [--kills 10000] [--release-kills 1000] [--only PART-OF-A-NAME] [--out audit.json] [--add]\n' +
      'npm run audit -- --neighbours [--pairs 200] [--lanes 2] [--only PART-OF-A-NAME,...] [--out neighbours.json] [--add]\n' +
      '  --add leaves what the file has of other cases and subjects as it is, to run some of them alone; a number of 0 leaves a part out.\n',
  );
} else if (values.neighbours) await neighbours();
else await audit();
