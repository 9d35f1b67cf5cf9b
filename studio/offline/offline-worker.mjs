import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Puts `offline.js` beside the built files: it knows their names, and changes when one of them does. */
export const offlineWorker = () => ({
  name: 'offline-worker',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const names = Object.keys(bundle).filter((name) => !name.endsWith('.map'));
      const hash = createHash('sha256');
      for (const name of names.sort()) hash.update(name).update(bundle[name].code ?? bundle[name].source);
      const text = readFileSync(fileURLToPath(new URL('./offline.js', import.meta.url)), 'utf8');
      hash.update(text);
      const source = text
        .replace('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replace('__FILES__', JSON.stringify(['./', ...names.filter((name) => name !== 'index.html')]));
      this.emitFile({ type: 'asset', fileName: 'offline.js', source });
    },
  },
});
