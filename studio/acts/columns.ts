import type { AttributeSpec } from '../../src/index.js';
import type { App } from '../app.js';
import { Refusal } from '../core/channel.js';
import { asksColumns, type EditedColumn, schemaOf } from '../state.js';

let looks = 0;

/** Looks at the declaration as it is now. */
export const lookAtColumns = async (app: App): Promise<void> => {
  const turn = ++looks;
  const { draft } = app.state;
  try {
    const schema = schemaOf(draft);
    const shown = await app.core.columns({ schema, outside: draft.outside, asks: asksColumns(draft) });
    if (turn === looks) app.set({ shown });
  } catch (error) {
    if (turn === looks && error instanceof Refusal) app.set({ shown: { columns: [], problems: [error.message] } });
  }
};

const changeColumns = (app: App, change: (column: EditedColumn) => EditedColumn): void => {
  app.draft({ columns: app.state.draft.columns.map(change) });
  app.set({ plan: undefined, planAsking: undefined, rehearsal: [] });
  void lookAtColumns(app);
};

/** Changes a column and looks at it again. */
export const changeColumn = (app: App, name: string, change: Partial<EditedColumn>): void =>
  changeColumns(app, (column) => (column.name === name ? { ...column, ...change } : column));

export const changeSpec = (app: App, name: string, spec: AttributeSpec | undefined): void =>
  changeColumn(app, name, { spec });

/** Has the private table asked for all columns that nobody has described. */
export const askForRest = (app: App): void =>
  changeColumns(app, (column) => (column.isKept && column.spec === undefined ? { ...column, asks: true } : column));

/** Says whether a column describes households, or persons. */
export const changeLevel = (app: App, name: string, ofHome: boolean): void => {
  const { base } = app.state.draft;
  if (base.twoLevel === undefined) return;
  const others = base.twoLevel.household.filter((one) => one !== name);
  const household = ofHome ? [...others, name] : others;
  app.draft({ base: { ...base, twoLevel: { ...base.twoLevel, household } } });
  app.set({ plan: undefined });
  void lookAtColumns(app);
};
