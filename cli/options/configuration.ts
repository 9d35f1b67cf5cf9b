import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { bundleFormat, manifestName, parseShape, readManifest } from '../../src/advanced.js';
import { InputError, type Schema, type Workload } from '../../src/index.js';
import type { Given, Option } from './option.js';

/** The file that is read without being named, when it is in the working directory. */
const configurationName = 'surmise.config.json';

export interface GivenConfiguration {
  /** The file as a person would name it. */
  readonly file: string;
  readonly private?: string | undefined;
  /** Words for options, as one would type them. */
  readonly given: Given;
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
export const readConfiguration = async (
  named: string | undefined,
  options: readonly Option[],
): Promise<GivenConfiguration | undefined> => {
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
  const { jsonFrom } = await import('../../adapters/index.js');
  const json = jsonFrom(bytes, file);
  if ((json as { format?: unknown | undefined } | null)?.format === bundleFormat)
    return fromBundle(bytes, file, options);
  const { private: own, ...values } = parseShape(shapeOf(options), json, file) as Readonly<Record<string, unknown>>;
  const folder = path.dirname(file);
  return {
    file,
    private:
      own === undefined || path.isAbsolute(String(own)) ? (own as string | undefined) : path.join(folder, String(own)),
    given: givenBy(values, options, folder),
  };
};

const anyText = v.pipe(v.string(), v.nonEmpty());

/** What a configuration file may hold: every option with a key; of one that may be given several times, one value or a list. */
const shapeOf = (options: readonly Option[]) => {
  const entries = options.flatMap(({ key, kind, many }) =>
    key === undefined
      ? []
      : [
          [
            key,
            v.exactOptional(many && !kind.fromJson ? v.union([kind.json, v.array(kind.json)]) : kind.json),
          ] as const,
        ],
  );
  return v.strictObject({
    $schema: v.exactOptional(anyText),
    private: v.exactOptional(anyText),
    ...Object.fromEntries(entries),
  });
};

const fromBundle = (bytes: Uint8Array, file: string, options: readonly Option[]): GivenConfiguration => {
  const { manifest, intact } = readManifest(bytes);
  if (!intact) throw new InputError(`${file}: must be as surmise wrote it, got a changed file; see surmise verify`);
  if (manifest.configuration === undefined)
    throw new InputError(`${file}: must say how its release was made, got one of a program; give the options anew`);
  const { workload, ...choices } = manifest.configuration;
  return { file, given: givenBy(choices, options), schema: manifest.schema, workload };
};

/** The words that one would type for what a configuration holds. */
const givenBy = (values: Readonly<Record<string, unknown>>, options: readonly Option[], folder?: string): Given => {
  const words = ({ kind: { fromJson, placed } }: Option, value: unknown): readonly string[] => {
    const plain = fromJson ? fromJson(value as never) : Array.isArray(value) ? value.map(String) : [String(value)];
    return folder === undefined || placed === undefined ? plain : plain.map((word) => placed(word, folder));
  };
  return Object.fromEntries(
    options.flatMap((option) => {
      const value = option.key === undefined ? undefined : values[option.key];
      return value === undefined ? [] : [[option.name, words(option, value)]];
    }),
  );
};

/** What is in effect: the command line wins over the file, option by option; of `--set` and the file's `set`, name by name. */
export const merged = (typed: Given, file: Given, options: readonly Option[]): Given => {
  const rivals = options.flatMap((option) => (Object.hasOwn(typed, option.name) ? (option.rivals ?? []) : []));
  const kept = Object.entries(file).filter(([name]) => !rivals.includes(name));
  const joined = kept.map(([name, words]) => {
    const isRecord = options.some((option) => option.name === name && option.kind.fromJson !== undefined);
    return [name, isRecord ? [...words, ...(typed[name] ?? [])] : (typed[name] ?? words)];
  });
  return { ...typed, ...Object.fromEntries(joined) };
};
