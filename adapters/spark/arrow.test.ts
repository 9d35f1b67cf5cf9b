import { expect, test } from 'vitest';
import { readArrow } from './arrow.js';
import { unframed } from './grpc.js';
import { fieldsOf, message } from './protobuf.js';

/** What Sail 0.7.2 answered to SELECT 1 AS a, CAST(x AS BIGINT) AS b, y AS c of two rows, (7, 'é') and (NULL, NULL). */
const recorded =
  '//////gAAAAQAAAAAAAKAAwACgAJAAQACgAAABAAAAAAAQQACAAIAAAABAAIAAAABAAAAAMAAACAAAAAQAAAAAQAAADY////GAAAAAwAAAAAAAEFEAAAAAAAAAAEAAQABAAAAAEAAABjAAAAEAAUABAADgAPAAQAAAAIABAAAAAQAAAAGAAAAAAAAQIUAAAAxP///0AAAAAAAAABAAAAAAEAAABiAAAAEAAUABAAAAAPAAQAAAAIABAAAAAYAAAAIAAAAAAAAAIcAAAACAAMAAQACwAIAAAAIAAAAAAAAAEAAAAAAQAAAGEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/////4AAAAEAAAAAwAGgAYABcABAAIAAwAAAAgAAAAwAEAAAAAAAAAAAAAAAAAAwQACgAYAAwACAAEAAoAAABMAAAAEAAAAAIAAAAAAAAAAAAAAAMAAAACAAAAAAAAAAAAAAAAAAAAAgAAAAAAAAABAAAAAAAAAAIAAAAAAAAAAQAAAAAAAAAAAAAABwAAAAAAAAAAAAAAAQAAAAAAAABAAAAAAAAAAAgAAAAAAAAAgAAAAAAAAAABAAAAAAAAAMAAAAAAAAAAEAAAAAAAAAAAAQAAAAAAAAEAAAAAAAAAQAEAAAAAAAAMAAAAAAAAAIABAAAAAAAAAgAAAAAAAAD/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADDqQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/////wAAAAA=';

test('an answer of Sail reads as its rows, with nothing where there is nothing', () => {
  const { fields, rows } = readArrow(Buffer.from(recorded, 'base64'));
  expect(fields).toEqual([
    { name: 'a', type: 'int', bits: 32, isSigned: true },
    { name: 'b', type: 'int', bits: 64, isSigned: true },
    { name: 'c', type: 'utf8', bits: 0, isSigned: false },
  ]);
  expect(rows).toEqual([
    [1, 7n, 'é'],
    [1, null, null],
  ]);
});

test('an answer that is cut off is refused or shorter, and never read beyond its end', () => {
  const whole = Buffer.from(recorded, 'base64');
  const before = readArrow(whole).rows.length;
  for (let length = 0; length < whole.length - 8; length += 3) {
    try {
      expect(readArrow(Uint8Array.from(whole.subarray(0, length))).rows.length).toBeLessThanOrEqual(before);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }
});

test('messages keep their fields, whatever their lengths, and fields of other kinds are passed over', () => {
  const long = 'x'.repeat(70_000);
  const found = fieldsOf(message([1, 'a'], [2, 300], [3, message([10, long])], [200, 'é']));
  expect([...found.keys()]).toEqual([1, 3, 200]);
  expect(Buffer.from(fieldsOf(found.get(3)!).get(10)!).toString()).toBe(long);
  expect(Buffer.from(found.get(200)!).toString()).toBe('é');
  expect(() => fieldsOf(message([1, 'abc']).subarray(0, 3))).toThrow(/ends after/);
});

test('messages of a stream are the same however it is cut into pieces', () => {
  const sent = ['', 'a', 'x'.repeat(1000), 'last'];
  const stream = Buffer.concat(
    sent.map((text) => {
      const frame = Buffer.alloc(5 + text.length);
      frame.writeUInt32BE(text.length, 1);
      frame.write(text, 5);
      return frame;
    }),
  );
  for (const size of [1, 2, 5, 6, 7, 300, stream.length]) {
    const heard: string[] = [];
    const take = unframed((one) => heard.push(Buffer.from(one).toString()));
    for (let at = 0; at < stream.length; at += size) take(stream.subarray(at, at + size));
    expect(heard).toEqual(sent);
  }
});
