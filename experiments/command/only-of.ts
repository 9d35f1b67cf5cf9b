import { InputError } from '../../src/domain/input-error.js';

/** What `--only` asks for, checked against the parts that an experiment has; nothing where all are asked for. */
export const onlyOf = <Part extends string>(only: string | undefined, parts: readonly Part[]): Part | undefined => {
  const part = parts.find((one) => one === only);
  if (only !== undefined && part === undefined)
    throw new InputError(`--only: must be ${parts.join(' or ')}, got ${only}; leave it out for all of them`);
  return part;
};
