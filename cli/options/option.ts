import type { Kind } from './kinds.js';

/** An option as some commands take it. The same name may stand in the table again where other commands mean something else by it. */
export interface Option<Command extends string = string> {
  readonly name: string;
  /** One letter. */
  readonly short?: string | undefined;
  readonly kind: Kind<unknown>;
  /** Its placeholder in the help text, where the kind's own says too little. */
  readonly value?: string | undefined;
  readonly commands: readonly Command[];
  /** One sentence without a full stop. That it may be repeated, and what it is unless told, is added to it. */
  readonly help: string;
  /** Its name in a configuration file and in a bundle, which may hold it then. */
  readonly key?: string | undefined;
  /** What it is unless told, as one would type it. */
  readonly otherwise?: string | undefined;
  /** It must be given: the sentence that says so. */
  readonly required?: string | undefined;
  /** May be given several times; its value is then a list. */
  readonly many?: true | undefined;
  /** Options of a configuration file that are put aside when this one is typed, since they cannot stand together. */
  readonly rivals?: readonly string[] | undefined;
}

/** Words for options, by name; a flag is `true` or `false`. */
export type Given = Readonly<Record<string, readonly string[]>>;

type KindOf<O extends Option> = O['kind'] extends Kind<infer T> ? T : never;

/** What a command gets of an option: always a list, always a value, or perhaps nothing. */
type ValueOf<O extends Option> = O extends { many: true }
  ? readonly KindOf<O>[]
  : O extends { otherwise: string } | { required: string } | { kind: Kind<boolean> }
    ? KindOf<O>
    : KindOf<O> | undefined;

/** The values of a command's options, by name, of a table of options. */
export type ValuesOf<O extends Option, Command> = {
  readonly [One in O as Command extends One['commands'][number] ? One['name'] : never]: ValueOf<One>;
};
