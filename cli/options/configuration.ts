import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { configurationEntries } from '../../src/bundle/configuration.js';
import { bundleFormat, manifestName } from '../../src/bundle/manifest.js';
import { readManifest } from '../../src/bundle/manifest-text.js';
import { InputError } from '../../src/domain/input-error.js';
import { parseJson as parseText } from '../../src/domain/parse-json.js';
import { parseShape } from '../../src/domain/schema/parse-shape.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import type { Workload } from '../../src/query/workload/workload.js';

/** The file that is read without being named, when it is in the working directory. */
const configurationName = 'surmise.config.json';

const text = v.pipe(v.string(), v.nonEmpty());
const fileShape = v.strictObject({
  $schema: v.exactOptional(text),
  private: v.exactOptional(text),
  schema: v.exactOptional(text),
  exclude: v.exactOptional(v.array(text)),
  ledger: v.exactOptional(text),
  out: v.exactOptional(text),
  expectRows: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  ...configurationEntries,
});

/** Option values as the command line has them: texts, flags and lists. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface GivenConfiguration {
  /** The file as a person would name it. */
  readonly file: string;
  readonly private?: string | undefined;
  /** Values by the names of options. */
  readonly values: OptionValues;
  /** The schema of the release that is to be made again. */
  readonly schema?: Schema | undefined;
  /** What that release was to answer well. */
  readonly workload?: Workload | undefined;
}

/**
 * Options from a configuration file, or from the bundle of an earlier release. Without a name, `surmise.config.json` of the
 * working directory, if there is one. Names of files in a configuration are relative to it; a bundle holds names without
 * places, which are looked for in the working directory.
 */
export const readConfiguration = async (named: string | undefined): Promise<GivenConfiguration | undefined> => {
  const there = await stat(named ?? configurationName).catch(() => undefined);
  if (there === undefined && named === undefined) return undefined;
  if (there === undefined)
    throw new InputError(`${named}: must be a configuration file or a release that exists; check the path`);
  const file = there.isDirectory() ? path.join(named ?? configurationName, manifestName) : (named ?? configurationName);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'ENOENT'
        ? `${named}: must be a configuration file or the directory of a release, got neither; check the path`
        : `${file}: must be readable, got ${error.code}; check its permissions`,
    );
  });
  const json = parseJson(bytes, file);
  if ((json as { format?: unknown | undefined } | null)?.format === bundleFormat) return fromBundle(bytes, file);
  const given = parseShape(fileShape, json, file);
  const place = (name: string | undefined) => (name === undefined ? undefined : path.join(path.dirname(file), name));
  const values = valuesOf(given);
  const placed: Record<string, string> = {};
  for (const key of ['public', 'schema', 'ledger', 'out'] as const) {
    const found = path.isAbsolute(given[key] ?? '') ? given[key] : place(given[key]);
    if (found !== undefined) placed[key] = found;
  }
  const own = given.private === undefined || path.isAbsolute(given.private) ? given.private : place(given.private);
  return { file, values: { ...values, ...placed }, private: own };
};

const parseJson = (bytes: Uint8Array, file: string): unknown => {
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: must be JSON in UTF-8; correct it, or see docs/release.md for an example`);
  }
};

const fromBundle = (bytes: Uint8Array, file: string): GivenConfiguration => {
  const { manifest, intact } = readManifest(bytes);
  if (!intact) throw new InputError(`${file}: must be as surmise wrote it, got a changed file; see surmise verify`);
  if (manifest.configuration === undefined)
    throw new InputError(`${file}: must say how its release was made, got one of a program; give the options anew`);
  const { why: _, workload, ...configuration } = manifest.configuration;
  return { file, values: valuesOf(configuration), schema: manifest.schema, workload };
};

/** Names in a configuration are those of the options without dashes: `unitId` for `--unit-id`. */
const optionName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const valuesOf = (given: Readonly<Record<string, unknown>>): OptionValues =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => key !== '$schema' && key !== 'private')
      .map(([key, value]): [string, string | boolean | string[]] => {
        if (key === 'set')
          return [key, Object.entries(value as Record<string, unknown>).map(([name, set]) => `${name}=${set}`)];
        if (Array.isArray(value)) return [key, value.map(String)];
        return [optionName(key), typeof value === 'boolean' ? value : String(value)];
      }),
  );

/** Options that cannot stand together: what the command line says of one puts the other of the file aside. */
const rivals: Readonly<Record<string, readonly string[]>> = {
  delta: ['pure'],
  pure: ['delta'],
  schema: ['exclude'],
  exclude: ['schema'],
  mechanism: ['set'],
};

/** What is in effect: the command line wins over the file, option by option; of `--set` and the file's `set`, name by name. */
export const effectiveValues = <V extends OptionValues>(
  typed: V,
  { values }: Pick<GivenConfiguration, 'values'>,
): V => {
  const kept = Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.keys(typed).some((own) => rivals[own]?.includes(name))),
  );
  const set = [...((kept.set as string[] | undefined) ?? []), ...((typed.set as string[] | undefined) ?? [])];
  return { ...kept, ...typed, ...(set.length === 0 ? {} : { set }) };
};
