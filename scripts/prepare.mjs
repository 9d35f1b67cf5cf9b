// What npm runs after `npm ci` in a clone, and before it packs. `npx surmise` in a clone runs it too, out of sight: that
// must neither build for a minute nor fail without a word.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (process.env.npm_command !== 'exec') await import('./build.mjs');
else if (!existsSync(fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)))) {
  console.error('surmise: must be built before it runs, got no dist/cli/main.js; run npm run build');
  process.exitCode = 1;
}
