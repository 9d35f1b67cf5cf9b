import { type TableFile, tableFile } from '../table/table-file.js';
import { assertPublic, type ReadAsPublic } from './looks-private.js';

/** A table that was looked at and shows no sign of being private: it may be read as public without being looked at again. */
export interface PublicFile extends TableFile {
  readonly isPublic: true;
}

/** Looks at a table that is to be read as public, once. */
export const publicFile = async (file: string | PublicFile, signs: ReadAsPublic = {}): Promise<PublicFile> => {
  if (typeof file !== 'string') return file;
  const found = await tableFile(file);
  await assertPublic(found, signs);
  return { ...found, isPublic: true };
};
