import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Runs a program beside the built package, whose threads are files of it; what it prints, as JSON. */
const within = async (text: string): Promise<unknown> => {
  const before = `
    const { nodeFitters } = await import('./dist/adapters/node-fitters.js');
    const { carryOut } = await import('./dist/src/estimate/graphical/carry-out.js');
    const { domainOf, marginal } = await import('./dist/src/index.js');
    const sizes = [30, 40, 50, 3];
    const domain = domainOf(sizes.map((size, i) => ({ name: 'abcd'[i], type: 'integer', min: 1, max: size })));
    const measured = (i, j) => ({
      query: marginal('abcd'[i], 'abcd'[j]),
      values: Float64Array.from({ length: sizes[i] * sizes[j] }, (_, cell) => 20 + ((cell * 7919) % 101) / 5),
      noise: { kind: 'gaussian', scale: 5 },
    });
    const jobOf = (iterations) => ({
      domain,
      measurements: [measured(0, 1), measured(1, 2), measured(0, 2), measured(2, 3)],
      options: { until: 'converged', iterations, even: true, quick: true },
    });
    const print = (value) => process.stdout.write(JSON.stringify(value));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', before + text], { cwd: root });
  return JSON.parse(stdout);
};

describe('threads of Node that fit', () => {
  it('find what the calling thread finds, to the bit, however many ask at a time, and let the process end', async () => {
    const found = await within(`
      const fitters = nodeFitters(2);
      const jobs = [3, 5, 7, 9, 11].map(jobOf);
      const [there, here] = [await Promise.all(jobs.map((job) => fitters.fit(job, {}))), []];
      for (const job of jobs) here.push(await carryOut(job, {}));
      const same = (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
      print(there.map((one, k) => one.beliefs.every((table, i) => same(table, here[k].beliefs[i])) &&
        one.factors.every(({ potential }, i) => same(potential, here[k].factors[i].potential)) && one.trace.length));
    `);
    expect(found).toEqual([4, 6, 8, 10, 12]);
  });

  it('end within a second of the signal, in the middle of a fit', async () => {
    const found = await within(`
      const fitters = nodeFitters(1);
      const controller = new AbortController();
      const fit = fitters.fit({ ...jobOf(100000), options: { ...jobOf(100000).options, tolerance: 0 } }, controller);
      let told;
      setTimeout(() => { told = performance.now(); controller.abort(new Error('enough')); }, 500);
      const why = await fit.catch((error) => error.message);
      print([why, performance.now() - told < 1000]);
    `);
    expect(found).toEqual(['enough', true]);
  });

  it('leave a fit to the calling thread where they have ended', async () => {
    const found = await within(`
      const fitters = nodeFitters(1);
      fitters.close();
      print((await fitters.fit(jobOf(3), {})).trace.length);
    `);
    expect(found).toBe(4);
  });

  it('tell why a fit cannot be made, as the calling thread would', async () => {
    const found = await within(`
      const fitters = nodeFitters(1);
      const job = jobOf(3);
      print(await fitters.fit({ ...job, options: { ...job.options, memory: 1000 } }, {}).catch((error) => error.message));
      fitters.close();
    `);
    expect(found).toMatch(/graphical model: must fit in/);
  });
});
