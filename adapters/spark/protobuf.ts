/*
 * The few messages of Spark Connect that are needed, on the wire: fields by their numbers (spark/connect/base.proto and relations.proto, which only
 * ever add fields). Of protobuf, that is varints and texts or messages with a length.
 */

/** A field of a message that is sent: its number, and a number, a text or a message. */
export type Field = readonly [number: number, value: number | string | Uint8Array];

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
};

export const message = (...fields: readonly Field[]): Uint8Array =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [Buffer.from([...varint(number * 8), ...varint(value)])];
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
      return [Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes];
    }),
  );

/** The fields of a message that was received which have a length, by number; all others are passed over. */
export const fieldsOf = (bytes: Uint8Array): Map<number, Uint8Array> => {
  const found = new Map<number, Uint8Array>();
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (at >= bytes.length) throw new Error('Spark Connect: a message ends too early');
      const byte = bytes[at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = read();
    const [number, kind] = [Math.floor(key / 8), key % 8];
    if (kind === 0) read();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = read();
      if (at + length > bytes.length) throw new Error('Spark Connect: a field ends after its message');
      found.set(number, bytes.subarray(at, at + length));
      at += length;
    } else throw new Error('Spark Connect: a field of an unknown kind');
  }
  return found;
};
