import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

export interface FileDigest {
  readonly bytes: number;
  /** SHA-256 of the file as it lies there, compressed or not: 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Size and SHA-256 of a file, read in parts: a table may be larger than memory. */
export const fileDigest = async (file: string): Promise<FileDigest> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { bytes, sha256: hash.digest('hex') };
};

/** Whether a file has these bytes; it is read only when the size is right, and its digest goes nowhere. */
export const hasDigest = async (file: string, { bytes, sha256 }: FileDigest): Promise<boolean> =>
  (await stat(file)).size === bytes && (await fileDigest(file)).sha256 === sha256;
