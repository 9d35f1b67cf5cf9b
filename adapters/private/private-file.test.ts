import { describe, expect, it } from 'vitest';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { schema } from '../../test/support/small-release.js';
import { folderWith } from '../../test/support/surmise.js';
import { openPrivateFile } from './private-file.js';

const secret = 'Qzxvillage';

describe('openPrivateFile', () => {
  it.each([
    ['a file without a header, whose first row is taken for one', 't.csv', `2,${secret},17\n1,no,3\n`],
    ['a file without a header and one value twice', 't.csv', `${secret},${secret},17\n1,no,3\n`],
    ['objects with other keys', 't.jsonl', `{"${secret}":1,"a":2}\n`],
    ['a value outside the schema', 't.csv', `a,b,c\n1,${secret},3\n`],
    ['keys that differ in case only', 't.jsonl', `{"a":1,"A":"${secret}","b":"no","c":1}\n`],
  ])('tells nothing of the rows of %s', async (_, name, text) => {
    const folder = await folderWith({ [name]: text });
    const opened = openPrivateFile(`${folder}/${name}`, schema, { random: seededEntropy(1), dataset: 'd', threads: 1 });
    const failure = await opened.then(
      async (source) => {
        await source.close();
        return undefined;
      },
      (error: Error) => error,
    );
    if (failure === undefined) return;
    expect(failure.name).toBe('InputError');
    expect(failure.message).not.toContain(secret);
    expect(failure.message).not.toContain('17');
  });
});
