// Keeps the studio's own files, so that it opens without a network, and answers for them with the headers that a plain host of files does not send: those that
// forbid every connection, and those that let its threads share memory. Nothing else goes through here.
const version = __VERSION__;
const files = __FILES__;
const name = `surmise-studio-${version}`;

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const answer = async (request) => {
  const cache = await caches.open(name);
  const found = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
  if (found.type === 'opaqueredirect' || found.status === 0) return found;
  const headers = new Headers(found.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
};

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const other of await caches.keys())
        if (other.startsWith('surmise-studio-') && other !== name) await caches.delete(other);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === self.location.origin)
    event.respondWith(answer(request));
});
