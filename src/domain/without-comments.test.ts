import { describe, expect, it } from 'vitest';
import { withoutComments } from './without-comments.js';

describe('JSON without its comments', () => {
  it('has every other sign in its place, and texts as they are', () => {
    const text = '{ // a "name"\n  "a//b": "/* \\" */", /* two\nlines */ "c": 1 } // end';
    const plain = withoutComments(text);
    expect(plain.length).toBe(text.length);
    expect(plain.split('\n').length).toBe(3);
    expect(JSON.parse(plain)).toEqual({ 'a//b': '/* " */', c: 1 });
  });

  it('leaves a comment without an end, which is no JSON', () => {
    expect(() => JSON.parse(withoutComments('{} /* no end'))).toThrow(SyntaxError);
    expect(withoutComments('"open // text')).toBe('"open // text');
  });
});
