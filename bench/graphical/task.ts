import { readFileSync, writeFileSync } from 'node:fs';
import type { Domain } from '../../src/domain/domain.js';
import { domainOf } from '../../src/domain/domain-of.js';

/** Tables over some attributes each, row-major: noisy counts to fit, or log potentials of a model. */
export interface GraphicalTask {
  readonly domain: Domain;
  readonly total: number;
  /** Standard deviation of the noise; 0 for potentials. */
  readonly stddev: number;
  readonly tables: readonly { readonly attributes: readonly string[]; readonly values: Float64Array }[];
}

/** Writes a task for both sides: `BASE.json`, and its numbers as little-endian doubles in `BASE.f64`. Returns the former's path. */
export const writeTask = (base: string, { domain, total, stddev, tables }: GraphicalTask): string => {
  let offset = 0;
  const listed = tables.map(({ attributes, values }) => {
    offset += values.length;
    return { attributes, offset: offset - values.length, length: values.length };
  });
  const all = new Float64Array(offset);
  listed.forEach((table, i) => {
    all.set(tables[i].values, table.offset);
  });
  writeFileSync(`${base}.f64`, new Uint8Array(all.buffer));
  const names = domain.attributes.map(({ name }) => name);
  const sizes = domain.attributes.map(({ size }) => size);
  writeFileSync(`${base}.json`, JSON.stringify({ names, sizes, total, stddev, tables: listed }));
  return `${base}.json`;
};

export const readTask = (file: string): GraphicalTask => {
  const { names, sizes, total, stddev, tables } = JSON.parse(readFileSync(file, 'utf8')) as {
    names: string[];
    sizes: number[];
    total: number;
    stddev: number;
    tables: { attributes: string[]; offset: number; length: number }[];
  };
  const bytes = readFileSync(file.replace(/json$/, 'f64'));
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return {
    domain: domainOf(names.map((name, i) => ({ type: 'integer', name, min: 0, max: sizes[i] - 1 }))),
    total,
    stddev,
    tables: tables.map(({ attributes, offset, length }) => ({
      attributes,
      values: all.slice(offset, offset + length),
    })),
  };
};
