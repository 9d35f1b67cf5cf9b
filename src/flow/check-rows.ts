import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { bytesText } from '../domain/limits.js';
import { rowBytes } from '../domain/table.js';

/** The largest table of synthetic codes that is drawn, in bytes. */
const mostCodes = 2 ** 32;

/** How many synthetic rows can be drawn at the most. */
export const mostRows = (domain: Domain): number => Math.floor(mostCodes / Math.max(1, bytesOf(domain)));

/** Bytes of the codes of a row, or of a household with as many persons as it may have. */
const bytesOf = (domain: Domain): number => rowBytes(domain) * (domain.households?.maxSize ?? 1);

/** Refuses more synthetic rows than a release or an estimate draws: by their codes, which a written file is larger than. */
export const checkRows = (rows: number, domain: Domain): void => {
  const bytes = rows * bytesOf(domain);
  if (!(bytes <= mostCodes))
    throw new InputError(
      `rows: their codes must fit in ${bytesText(mostCodes)}, got a need of ${bytesText(bytes)} for ${rows} ${domain.households === undefined ? 'rows' : 'households'}; ask for fewer rows`,
    );
};
