import { render } from 'lit-html';
import { makeApp, showStep, stepInAddress } from './app.js';
import { connect } from './core/channel.js';
import type { StudioJobs } from './core/jobs.js';
import workerAddress from './core/worker.ts?worker&url';
import { page } from './screens/page.js';
import { isOpen, type Step, steps } from './state.js';
import { arrive, restore } from './visit.js';

/** A worker that is begun by a text of this page has the page's policy: it may connect to nothing either, whatever the host of the files says. */
const startCore = (): Worker => {
  const address = new URL(workerAddress, import.meta.url).href;
  const text = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(text), { type: 'module' });
};

const root = document.getElementById('studio')!;
let isDrawing = false;
const app = makeApp(
  connect<StudioJobs>(startCore()),
  (own) => {
    if (isDrawing) return;
    isDrawing = true;
    // Changes that come together are drawn together.
    queueMicrotask(() => {
      isDrawing = false;
      render(page(own), root);
    });
  },
  arrive,
);

addEventListener('popstate', () => {
  const step = stepInAddress() as Step;
  // While a release is made one stays beside it, as with the steps above.
  if (app.state.run !== undefined) history.pushState(null, '', `#${app.state.step}`);
  else if (steps.includes(step) && isOpen(app.state, step)) app.go(step);
  // Where one cannot go now, the address says again where one is.
  else history.replaceState(null, '', `#${app.state.step}`);
});
addEventListener('resize', showStep);
// A file that misses its place must not replace the page.
for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());

// What could not be restored is told on the first screen.
await restore(app).catch((error: unknown) => app.set({ trouble: app.sentenceOf(error) }));
root.dataset.ready = 'true';
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('./offline.js').catch(() => undefined);
