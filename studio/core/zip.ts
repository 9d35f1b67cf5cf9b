import { InputError } from '../../src/index.js';

/** The files of an archive, by name. */
export type ZipFiles = Readonly<Record<string, Uint8Array>>;

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

const crc32 = (bytes: Uint8Array): number => {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = table[(c ^ bytes[i]) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

const through = async (bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> => {
  const body = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
};

const little = (...fields: readonly (readonly [bytes: number, value: number])[]): Uint8Array => {
  const out = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) for (let i = 0; i < bytes; i++) out[at++] = Math.floor(value / 256 ** i) & 0xff;
  return out;
};

/** A fixed day, 1 January 1980: equal files give equal archives. */
const day = 0x21;

/** An archive of the files (ZIP, deflated), all in a folder of the given name. */
export const zipped = async (files: ZipFiles, folder: string): Promise<Blob> => {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const label = new TextEncoder().encode(`${folder}/${name}`);
    const deflated = await through(bytes, new CompressionStream('deflate-raw'));
    const shared = [
      [2, 0x0800],
      [2, 8],
      [2, 0],
      [2, day],
      [4, crc32(bytes)],
      [4, deflated.length],
      [4, bytes.length],
      [2, label.length],
      [2, 0],
    ] as const;
    const head = little([4, 0x04034b50], [2, 20], ...shared);
    parts.push(head, label, deflated);
    directory.push(
      little([4, 0x02014b50], [2, 20], [2, 20], ...shared, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      label,
    );
    offset += head.length + label.length + deflated.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = Object.keys(files).length;
  const end = little([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end] as BlobPart[], { type: 'application/zip' });
};

const damaged = (): InputError => new InputError('archive: must be a whole ZIP file, and it is not; make it again');

/** Bytes that a release may come to, all files together: it may be anybody's. */
export const mostBytes = 2 ** 30;

/** The files of an archive, without their folders. What is not a sound archive of a sane size is an `InputError`. */
export const unzipped = async (blob: Blob): Promise<ZipFiles> => {
  if (blob.size > mostBytes) throw new InputError(`archive: must have at most ${mostBytes} bytes, got ${blob.size}`);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const files: Record<string, Uint8Array> = Object.create(null) as Record<string, Uint8Array>;
  let total = 0;
  try {
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
    if (end < 0) throw damaged();
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    for (let i = 0; i < count; i++) {
      if (view.getUint32(at, true) !== 0x02014b50) throw damaged();
      const method = view.getUint16(at + 10, true);
      const crc = view.getUint32(at + 16, true);
      const packed = view.getUint32(at + 20, true);
      const size = view.getUint32(at + 24, true);
      const [label, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
      const start = view.getUint32(at + 42, true);
      const path = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 46, at + 46 + label));
      at += 46 + label + extra + comment;
      const name = path.split('/').at(-1)!;
      if (name === '' || name.startsWith('.') || path.startsWith('__MACOSX/')) continue;
      total += size;
      if (total > mostBytes) throw new InputError(`archive: its files must have at most ${mostBytes} bytes, got more`);
      const body = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      const own = bytes.subarray(body, body + packed);
      const whole = method === 0 ? own.slice() : method === 8 ? await inflated(own, size) : undefined;
      if (whole === undefined || whole.length !== size || crc32(whole) !== crc) throw damaged();
      if (name in files)
        throw new InputError(`archive: must hold one release, got two files named ${JSON.stringify(name)}`);
      files[name] = whole;
    }
  } catch (error) {
    throw error instanceof InputError ? error : damaged();
  }
  return { ...files };
};

/** Inflates to the size that was announced, and stops where there is more. */
const inflated = async (bytes: Uint8Array, size: number): Promise<Uint8Array> => {
  const out = new Uint8Array(size);
  let at = 0;
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (at + part.value.length > size) {
      await reader.cancel();
      throw damaged();
    }
    out.set(part.value, at);
    at += part.value.length;
  }
  return out.subarray(0, at);
};
