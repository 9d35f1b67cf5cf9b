import { describe, expect, it } from 'vitest';
import { lineOf, schemaFaults } from './schema-faults.js';

const text = `{
  "surmise": 2,
  "origin": { "kind": "declared" },
  "tabel": {},
  "table": { "decimal": ",",
             "thousands": "," },
  "attributes": [
    { "name": "a \\"[{", "type": "integer", "min": 0, "max": 9 },
    { "name": "b", "type": "category",
      "values": ["x", "y"] }
  ],
  "constraints": [
    { "forbid": "b = 'x'" },
    { "forbid": "c = 1" },
    { "forbid": "b <" }
  ]
}`;

describe('what is wrong with a schema', () => {
  it('is told all at once, each part with its line', () => {
    const faults = schemaFaults(JSON.parse(text), text);
    expect(faults.map(({ line }) => line)).toEqual([2, 4, 5, 14, 15]);
    expect(faults[1].text).toMatch(/unknown key "tabel"; did you mean "table"/);
    expect(faults[2].text).toMatch(/`thousands` and `decimal` must differ/);
  });

  it('waits with parts that speak of attributes until these are right', () => {
    const wrong = text.replace('"max": 9', '"max": -1').replace('"type": "category"', '"type": "kategory"');
    expect(schemaFaults(JSON.parse(wrong), wrong).map(({ line }) => line)).toEqual([2, 4, 5, 8, 9]);
  });

  it('is found on the line where it begins, whatever stands before it', () => {
    expect(lineOf(text, ['attributes', 1, 'values'])).toBe(10);
    expect(lineOf(text, ['attributes', 0, 'max'])).toBe(8);
    expect(lineOf(text, ['nowhere'])).toBe(1);
  });

  it('that is no object or has no attributes is for the one sentence', () => {
    for (const json of [null, [], { surmise: 1 }, { attributes: {} }]) expect(schemaFaults(json, '')).toEqual([]);
  });
});
