import { html, nothing, type TemplateResult } from 'lit-html';
import type { AttributeSpec, CategorySpec, DateSpec, NumericSpec } from '../../src/index.js';
import { changeColumn, changeLevel, changeSpec } from '../acts/columns.js';
import type { App } from '../app.js';
import { type EditedColumn, mayAsk } from '../state.js';

type Type = AttributeSpec['type'];

/** A declaration to begin with, when a person says what type a column has. */
const begun = (name: string, type: Type, old: AttributeSpec | undefined): AttributeSpec => {
  const common = {
    name,
    ...(old?.null === undefined ? {} : { null: old.null }),
    ...(old?.description === undefined ? {} : { description: old.description }),
  };
  switch (type) {
    case 'boolean':
      return { ...common, type };
    case 'category':
      return { ...common, type, values: [], other: 'other' };
    case 'date':
      return { ...common, type, by: 'year', min: '2000-01-01', max: '2029-12-31' };
    default: {
      const range = old !== undefined && (old.type === 'integer' || old.type === 'number') ? old : undefined;
      return {
        ...common,
        type,
        min: range?.min ?? range?.edges?.[0] ?? 0,
        max: range?.max ?? range?.edges?.at(-1) ?? 100,
        bins: 20,
      };
    }
  }
};

const textOf = (event: Event): string => (event.target as HTMLInputElement).value;
const numberOf = (event: Event): number => Number(textOf(event).trim().replace(',', '.'));

/** The fields of one column, changed in place. */
export const columnEditor = (app: App, { name, spec, asks = false }: EditedColumn): TemplateResult => {
  const { columns } = app.words;
  const { base, homes, publicHomes } = app.state.draft;
  const change = (next: AttributeSpec): void => changeSpec(app, name, next);
  const types: readonly Type[] = ['category', 'integer', 'number', 'date', 'boolean'];
  return html`<div class="fields">
    <label
      >${columns.type}
      <select aria-label=${columns.typeOf(name)} @change=${(event: Event) => change(begun(name, textOf(event) as Type, spec))}>
        ${spec === undefined ? html`<option value="" selected disabled>${columns.undeclared}</option>` : nothing}
        ${types.map((type) => html`<option value=${type} ?selected=${spec?.type === type}>${columns.types[type]}</option>`)}
      </select>
    </label>
    ${spec === undefined ? nothing : fieldsOf(app, spec, change, asks)}
    ${
      spec === undefined
        ? nothing
        : html`<label class="check"
            ><input
              type="checkbox"
              .checked=${spec.null === true}
              @change=${(event: Event) => {
                const { null: _, ...rest } = spec;
                change((event.target as HTMLInputElement).checked ? { ...rest, null: true } : (rest as AttributeSpec));
              }}
            />
            ${columns.empty}</label
          >`
    }
    ${
      mayAsk(app.state.draft) && spec?.type !== 'boolean'
        ? html`<label class="check"
              ><input
                type="checkbox"
                data-asks
                .checked=${asks}
                @change=${(event: Event) => changeColumn(app, name, { asks: (event.target as HTMLInputElement).checked })}
              />
              ${columns.ask}</label
            >
            <p class="about">${columns.askAbout}</p>`
        : nothing
    }
    ${
      base.twoLevel !== undefined && homes === undefined && publicHomes === undefined
        ? html`<label class="check"
            ><input
              type="checkbox"
              .checked=${base.twoLevel.household.includes(name)}
              @change=${(event: Event) => changeLevel(app, name, (event.target as HTMLInputElement).checked)}
            />
            ${columns.describesHome}</label
          >`
        : nothing
    }
  </div>`;
};

const fieldsOf = (app: App, spec: AttributeSpec, change: (next: AttributeSpec) => void, asks: boolean): unknown => {
  switch (spec.type) {
    case 'boolean':
      return nothing;
    case 'category':
      // What is asked for cannot be listed.
      return asks ? nothing : categoryFields(app, spec, change);
    case 'date':
      return dateFields(app, spec, change);
    default:
      return numericFields(app, spec, change);
  }
};

const categoryFields = (
  { words: { columns } }: App,
  spec: CategorySpec,
  change: (next: AttributeSpec) => void,
): TemplateResult => html`
  <label class="tall"
    >${columns.values}
    <textarea
      rows=${Math.min(10, Math.max(4, spec.values.length + 1))}
      .value=${spec.values.join('\n')}
      @change=${(event: Event) =>
        change({
          ...spec,
          values: textOf(event)
            .split('\n')
            .map((value) => value.trim())
            .filter((value) => value !== ''),
        })}
    ></textarea>
  </label>
  <label
    >${columns.other}
    <input
      .value=${spec.other ?? ''}
      @change=${(event: Event) => {
        const { other: _, ...rest } = spec;
        const other = textOf(event).trim();
        change(other === '' ? rest : { ...rest, other });
      }}
    />
  </label>
  <label class="check"
    ><input
      type="checkbox"
      .checked=${spec.ordered === true}
      @change=${(event: Event) => {
        const { ordered: _, ...rest } = spec;
        change((event.target as HTMLInputElement).checked ? { ...rest, ordered: true } : rest);
      }}
    />
    ${columns.ordered}</label
  >
`;

const numericFields = (
  { words: { columns } }: App,
  spec: NumericSpec,
  change: (next: AttributeSpec) => void,
): unknown => {
  if (spec.edges !== undefined)
    return html`<label class="tall"
      >${columns.edges}
      <textarea
        rows="3"
        .value=${spec.edges.join('; ')}
        @change=${(event: Event) => {
          const edges = textOf(event)
            .split(/[;\s]+/)
            .filter((part) => part !== '')
            .map(Number);
          change({ ...spec, edges });
        }}
      ></textarea>
    </label>`;
  return html`<label>${columns.min} <input inputmode="decimal" .value=${String(spec.min ?? '')} @change=${(event: Event) => change({ ...spec, min: numberOf(event) })} /></label>
    <label>${columns.max} <input inputmode="decimal" .value=${String(spec.max ?? '')} @change=${(event: Event) => change({ ...spec, max: numberOf(event) })} /></label>
    <label
      >${columns.bins}
      <input
        inputmode="numeric"
        placeholder=${spec.type === 'integer' ? columns.eachInteger : ''}
        .value=${spec.bins === undefined ? '' : String(spec.bins)}
        @change=${(event: Event) => {
          const { bins: _, ...rest } = spec;
          change(textOf(event).trim() === '' ? rest : { ...rest, bins: numberOf(event) });
        }}
      />
    </label>`;
};

const dateFields = (
  { words: { columns } }: App,
  spec: DateSpec,
  change: (next: AttributeSpec) => void,
): TemplateResult => html`
  <label>${columns.min} <input type="date" .value=${spec.min} @change=${(event: Event) => change({ ...spec, min: textOf(event) })} /></label>
  <label>${columns.max} <input type="date" .value=${spec.max} @change=${(event: Event) => change({ ...spec, max: textOf(event) })} /></label>
  <label
    >${columns.by}
    <select @change=${(event: Event) => change({ ...spec, by: textOf(event) as DateSpec['by'] })}>
      ${(['year', 'quarter', 'month', 'week', 'day'] as const).map((by) => html`<option value=${by} ?selected=${spec.by === by}>${columns.periods[by]}</option>`)}
    </select>
  </label>
`;
