import { type Budget, type BudgetRequest, budgetOf, InputError, type Schema, type Unit } from '../../src/index.js';

interface BudgetValues {
  readonly epsilon?: string | undefined;
  readonly delta?: string | undefined;
  readonly pure: boolean;
}

/** The budget a person asked for: Gaussian noise at delta 1e-9 unless told. One that makes no sense is told at once. */
export const budgetRequest = ({ epsilon, delta, pure }: BudgetValues): BudgetRequest => {
  if (epsilon === undefined)
    throw new InputError('option --epsilon: must say what may be spent, got none; see surmise budget --help');
  const zero = delta !== undefined && /^0*(\.0*)?$/.test(delta) && delta !== '' && delta !== '.';
  if (pure && delta !== undefined && !zero)
    throw new InputError(`option --pure: has no delta, got --delta ${delta}; leave one of them out`);
  const request = pure || zero ? { epsilon } : { epsilon, delta: delta ?? '1e-9' };
  budgetOf(request);
  return request;
};

/** The budget that is stated outright: in epsilon, which means what it means to a release, or in rho. */
export const statedBudget = ({ rho, ...values }: BudgetValues & { readonly rho: string | undefined }): Budget => {
  if (rho === undefined) return budgetOf(budgetRequest(values));
  const { epsilon, delta, pure } = values;
  if (pure) throw new InputError('option --pure: is for --epsilon, got it with --rho; leave one of them out');
  return budgetOf({ rho, epsilon, delta } as BudgetRequest);
};

/** A new total of a ledger, stated as it was opened: its delta need not be said again, and may be written otherwise. */
export const raisedBudget = (values: Parameters<typeof statedBudget>[0], own: Budget): Budget => {
  const { epsilon, rho, pure } = values;
  const isSaid = values.delta !== undefined || pure;
  if (epsilon !== undefined && !isSaid && own.currency === 'zcdp' && own.delta === undefined)
    throw new InputError('option --epsilon: the ledger was opened in rho and has no delta; state its total with --rho');
  const delta = !isSaid || Number(values.delta) === Number(own.delta) ? own.delta : values.delta;
  const isPure = own.currency === 'pure' && rho === undefined && !isSaid;
  if (own.currency === 'gdp' && rho === undefined && !pure)
    return budgetOf({ ...budgetRequest({ ...values, delta }), accounting: 'gdp' } as BudgetRequest);
  return statedBudget({ ...values, delta, pure: pure || isPure });
};

const ROW: Unit = { kind: 'row', maxRecords: 1 };

/** The unit that the options name, or undefined where the schema decides. */
export const unitFrom = (values: {
  readonly 'unit-id': string | undefined;
  readonly 'max-records': number | undefined;
}): Unit | undefined => {
  const { 'unit-id': column, 'max-records': maxRecords } = values;
  if ((column === undefined) !== (maxRecords === undefined))
    throw new InputError(
      `option --${column === undefined ? 'unit-id' : 'max-records'}: must be given with --${column === undefined ? 'max-records' : 'unit-id'}, got none; name the id column and the most rows an id may keep`,
    );
  return column === undefined || maxRecords === undefined ? undefined : { kind: 'id', column, maxRecords };
};

/** The unit that the options name of a schema's households, or as `unitFrom` has it. */
export const unitFor = (
  values: Parameters<typeof unitFrom>[0] & { readonly unit: 'row' | 'household' | 'person' | undefined },
  { twoLevel }: Pick<Schema, 'twoLevel'>,
): Unit | undefined => {
  const id = unitFrom(values);
  if (values.unit === undefined) return id;
  if (id !== undefined)
    throw new InputError('option --unit: must stand without --unit-id, got both; leave one of them out');
  if (values.unit === 'row' && twoLevel === undefined) return ROW;
  if (values.unit === 'row')
    throw new InputError(
      'option --unit: must be household or person for a schema with twoLevel, got row; name one of them, or take twoLevel out',
    );
  if (twoLevel === undefined)
    throw new InputError(
      `option --unit: ${values.unit} is for a schema with twoLevel, got one without; leave it out, or say in the schema what households are`,
    );
  return homeUnit(values.unit, twoLevel.key, twoLevel.maxSize);
};

/** The unit of a ledger, which knows no schema: for households, their key and how many persons one has at the most. */
export const statedUnit = (
  values: Parameters<typeof unitFrom>[0] & {
    readonly unit: 'row' | 'household' | 'person' | undefined;
    readonly key: string | undefined;
    readonly 'max-size': number | undefined;
  },
): Unit | undefined => {
  const { unit, key, 'max-size': maxSize } = values;
  const id = unitFrom(values);
  const stray =
    unit === 'household' ? undefined : key !== undefined ? 'key' : maxSize !== undefined ? 'max-size' : undefined;
  if (stray !== undefined)
    throw new InputError(`option --${stray}: is for --unit household, got it without; add it or leave it out`);
  if (unit === undefined) return id;
  if (id !== undefined)
    throw new InputError('option --unit: must stand without --unit-id, got both; leave one of them out');
  if (unit === 'row') return ROW;
  if (unit === 'household' && (key === undefined || maxSize === undefined))
    throw new InputError(
      'option --unit: household needs --key COLUMN and --max-size N, as the schema has them, got none; add them',
    );
  return homeUnit(unit, key ?? '', maxSize ?? 1);
};

const homeUnit = (kind: 'household' | 'person', column: string, maxRecords: number): Unit =>
  kind === 'person' ? { kind, maxRecords: 1 } : { kind, column, maxRecords };

/** Only CSV files are opened in spreadsheets. */
export const checkSpreadsheet = ({
  spreadsheet,
  format,
}: {
  readonly spreadsheet: boolean;
  readonly format: string;
}) => {
  if (spreadsheet && format !== 'csv')
    throw new InputError('option --spreadsheet: is for csv, got --format parquet; leave one of them out');
};
