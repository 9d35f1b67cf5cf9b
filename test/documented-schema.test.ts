import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AttributeSpec } from '../src/domain/attribute/attribute.js';
import { domainOf } from '../src/domain/domain-of.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';

const page = readFileSync(new URL('../docs/domain.md', import.meta.url), 'utf8');

test('every attribute that the documentation shows is accepted', () => {
  const shown = page.split('\n').filter((line) => /^ {4}\{ "name"/.test(line));
  expect(shown.length).toBeGreaterThanOrEqual(7);
  for (const line of shown) expect(domainOf([JSON.parse(line) as AttributeSpec]).attributes[0].size).toBeGreaterThan(1);
});

test('the schema file that the documentation shows is accepted', () => {
  const block = /\n( {4}\{\n[\s\S]*?\n {4}\}\n)/.exec(page);
  const domain = domainFromSchema(parseSchema(JSON.parse(block![1])));
  expect(domain.attributes.map(({ size }) => size)).toEqual([20, 3, 6]);
});
