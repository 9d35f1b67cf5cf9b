import type { App } from '../app.js';
import { Stopped } from '../core/channel.js';
import { hasAll, isOpen, toldOf } from '../state.js';

/** Budgets at which a rehearsal runs. */
const rehearsed = ['0.1', '0.3', '1', '3', '10'];

let plans = 0;
let planning: AbortController | undefined;

/** Plans anew once the person has paused: a dry run of public facts. */
export const planSoon = async (app: App, delay = 150): Promise<void> => {
  const turn = ++plans;
  planning?.abort();
  if (!isOpen(app.state, 'budget')) return;
  await new Promise((resolve) => setTimeout(resolve, delay));
  if (turn !== plans) return;
  const { draft } = app.state;
  if (draft.publics.length > 0 && !hasAll(app.state)) return;
  planning = new AbortController();
  app.set({ isPlanning: true });
  const told = toldOf(draft);
  try {
    if (told.draft === undefined) {
      const plan = await app.core.plan({ told }, { signal: planning.signal });
      if (turn === plans) app.set({ plan, planAsking: undefined, planTrouble: undefined });
    } else {
      const planAsking = await app.core.planAsking({ told });
      if (turn === plans) app.set({ plan: undefined, planAsking, planTrouble: undefined });
    }
  } catch (error) {
    if (turn === plans && !(error instanceof Stopped))
      app.set({
        plan: undefined,
        planAsking: undefined,
        planTrouble: app.sentenceOf(error),
      });
  } finally {
    if (turn === plans) app.set({ isPlanning: false });
  }
};

export const rehearse = (app: App): Promise<void> =>
  app
    .busily(app.words.budget.rehearse, async (running) => {
      app.set({ rehearsal: [] });
      const told = toldOf(app.state.draft);
      for (const epsilon of rehearsed) {
        const found = await app.core.rehearse({ told, epsilon }, running);
        app.set({ rehearsal: [...app.state.rehearsal, { epsilon: Number(epsilon), ...found }] });
      }
    })
    .then(() => undefined);
