/** Several files as one input: for each its name, its length and its bytes. Torn ones give what can be read. */
export type Files = Readonly<Record<string, Uint8Array>>;

export const pack = (files: Files): Uint8Array => {
  const parts = Object.entries(files).flatMap(([name, bytes]) => [
    new TextEncoder().encode(`${name} ${bytes.length}\n`),
    bytes,
  ]);
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

export const unpack = (bytes: Uint8Array): Files => {
  const files: Record<string, Uint8Array> = {};
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    const [, name, length] = /^(\S+) (\d+)$/.exec(new TextDecoder().decode(bytes.subarray(at, end))) ?? [];
    if (name === undefined) break;
    files[name] = bytes.slice(end + 1, end + 1 + Number(length));
    at = end + 1 + Number(length);
  }
  return files;
};
