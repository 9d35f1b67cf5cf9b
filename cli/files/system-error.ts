import { InputError } from '../../src/index.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'must exist, got no such file or directory; check the path',
  EACCES: 'must be open to you, got permission denied; choose another place or change its permissions',
  EPERM: 'must be open to you, got permission denied; choose another place or change its permissions',
  EROFS: 'must be writable, got a read-only file system; choose another place',
  EISDIR: 'must be a file, got a directory; name a file in it',
  ENOTDIR: 'must lie in a directory, got a file on the way; check the path',
  ENAMETOOLONG: 'must have a shorter name; choose another one',
  ENOSPC: 'must fit on the disk, got a full disk; free some space and run it again',
  EDQUOT: 'must fit on the disk, got a full quota; free some space and run it again',
  EMFILE: 'must be opened, got too many open files; raise the limit (ulimit -n)',
};

/** What the operating system refused, in words: `rule, got; next step`. Undefined for any other error. */
const systemReason = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === undefined ? undefined : reasons[code];
};

/** The whole sentence, with the path that the system named. System errors name paths, never contents. */
export const systemSentence = (error: unknown): string | undefined => {
  const reason = systemReason(error);
  return reason && `${(error as NodeJS.ErrnoException).path ?? 'file'}: ${reason}`;
};

/** For `catch`: what the system refused is said with the name the person gave; any other error goes on. */
export const asNamed =
  (name: string) =>
  (error: unknown): never => {
    const reason = systemReason(error);
    throw reason === undefined ? error : new InputError(`${name}: ${reason}`);
  };
