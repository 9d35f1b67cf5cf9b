import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { offlineWorker } from './offline/offline-worker.mjs';

const at = (file) => fileURLToPath(new URL(file, import.meta.url));
const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

/** How the studio is built: a folder of files that need nothing else. `highs` is the solver as the build of the package made it. */
export const studioConfig = ({ outDir, highs = at('../dist/src/kernel/highs-browser.js') }) => ({
  root: at('.'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  resolve: { alias: [{ find: '#highs', replacement: highs }] },
  define: { __SOFTWARE__: JSON.stringify(`surmise ${version}`) },
  plugins: [offlineWorker()],
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The solver and the report's drawing program are large, and are loaded when they are asked for.
    chunkSizeWarningLimit: 4000,
    reportCompressedSize: false,
  },
});
