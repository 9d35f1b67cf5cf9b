import { inflateRawSync } from 'node:zlib';

/** What a zip file holds, by name. */
export interface ZipEntry {
  /** Bytes when it is unpacked, as the file says. */
  readonly size: number;
  /** Unpacks it; throws where it is damaged. */
  read(): Buffer;
}

const endMark = 0x06054b50;
const centralMark = 0x02014b50;
const localMark = 0x04034b50;
const endSize = 22;
const mostComment = 0xffff;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const crcOf = (bytes: Buffer): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
};

/** Where the end of the central directory begins. */
const endOf = (zip: Buffer): number => {
  for (let at = zip.length - endSize; at >= Math.max(0, zip.length - endSize - mostComment); at--)
    if (zip.readUInt32LE(at) === endMark) return at;
  throw new Error('zip: has no end');
};

/** The entries of a zip file (APPNOTE 6.3: stored or deflated, no parts, no encryption). Throws for anything else. */
export const zipEntries = (zip: Buffer): ReadonlyMap<string, ZipEntry> => {
  const end = endOf(zip);
  const entries = new Map<string, ZipEntry>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== centralMark) throw new Error('zip: its directory is damaged');
    const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
    const crc = zip.readUInt32LE(at + 16);
    const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const offset = zip.readUInt32LE(at + 42);
    entries.set(zip.toString('utf8', at + 46, at + 46 + name).replace(/^\//, ''), {
      size,
      read: () => {
        if ((flags & 1) !== 0 || (method !== 0 && method !== 8) || zip.readUInt32LE(offset) !== localMark)
          throw new Error('zip: an entry cannot be read');
        const from = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
        const raw = zip.subarray(from, from + packed);
        const bytes = method === 0 ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(1, size) });
        if (bytes.length !== size || crcOf(bytes) !== crc) throw new Error('zip: an entry is damaged');
        return bytes;
      },
    });
    at += 46 + name + extra + comment;
  }
  return entries;
};
