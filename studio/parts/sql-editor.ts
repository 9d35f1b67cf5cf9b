import { acceptCompletion, autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Asked, keywords, offersAt } from './sql-completion.js';

/** What the field shows. */
export interface ShownSql {
  readonly sql: string;
  readonly asked: Asked;
  /** What the field is called by those who do not see it. */
  readonly label: string;
  /** Where the statement was found wrong: a line and a column, from 1 on. */
  readonly fault: { readonly line: number; readonly column: number } | undefined;
}

/** What the person does to it. */
export interface SqlActs {
  onChange(sql: string): void;
  onAsk(sql: string): void;
}

/** A field for SQL that stands in a host. */
export interface SqlEditor {
  show(shown: ShownSql): void;
}

const written = keywords.flatMap((word) => word.replace(/[^A-Z ]/g, '').split(' ')).filter((word) => word !== '');
const parts = new MatchDecorator({
  regexp: new RegExp(`'(?:[^']|'')*'?|"(?:[^"]|"")*"?|\\b(?:${written.join('|')})\\b|\\b\\d+(?:\\.\\d+)?\\b`, 'gi'),
  decoration: ([text]) =>
    Decoration.mark({
      class: text.startsWith("'")
        ? 'cm-text'
        : text.startsWith('"')
          ? 'cm-name'
          : /^\d/.test(text)
            ? 'cm-number'
            : 'cm-word',
    }),
});
const highlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = parts.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = parts.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const setFault = StateEffect.define<{ readonly from: number; readonly to: number } | undefined>();
/** The word that was found wrong; it is forgotten when the statement changes. */
const faultField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { docChanged, effects }) => {
    for (const effect of effects)
      if (effect.is(setFault))
        return effect.value === undefined
          ? Decoration.none
          : Decoration.set([Decoration.mark({ class: 'cm-fault' }).range(effect.value.from, effect.value.to)]);
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const kinds = { column: 'variable', value: 'text', keyword: 'keyword' } as const;

const look = EditorView.theme({
  '&': {
    border: '1px solid var(--field-line)',
    borderRadius: '7px',
    background: 'var(--field)',
    color: 'var(--ink)',
    fontSize: '0.9rem',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--code)', lineHeight: '1.6' },
  '.cm-content': { minHeight: '4.8rem', padding: '0.5rem 0.3rem', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--heat-1) !important' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-word': { color: 'var(--link)', fontWeight: '600' },
  '.cm-text': { color: 'var(--public)' },
  '.cm-number': { color: 'var(--private)' },
  '.cm-fault': { textDecoration: 'underline wavy var(--warn) 1.5px', textUnderlineOffset: '3px' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '7px',
    background: 'var(--paper)',
    color: 'var(--ink)',
    boxShadow: '0 6px 24px rgb(0 0 0 / 14%)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--code)', fontSize: '0.85rem', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.8rem', lineHeight: '1.4' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--link)',
    color: 'var(--on-link)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
});

/** The columns and values of the release, and the words of the language, where each may stand. */
const completing = (asked: () => Asked): Extension =>
  autocompletion({
    icons: false,
    override: [
      (context: CompletionContext) => {
        const { from, words } = offersAt(context.state.doc.sliceString(0, context.pos), asked());
        // Nothing is offered unasked where no word was begun.
        if (words.length === 0 || (from === context.pos && !context.explicit)) return null;
        return {
          from,
          options: words.map(({ word, kind }) => ({ label: word, type: kinds[kind], apply: completed(word, kind) })),
          filter: false,
        };
      },
    ],
  });

/** Puts a word in its place; after one of the language another one follows. */
const completed =
  (word: string, kind: keyof typeof kinds) =>
  (view: EditorView, _: unknown, from: number, to: number): void => {
    const isFollowed = kind !== 'keyword' || word.endsWith('(') || view.state.doc.sliceString(to, to + 1) === ' ';
    const insert = isFollowed ? word : `${word} `;
    view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
  };

/**
 * A field for SQL in the host's own shadow, where its styles are sheets and no text of the page: the page's policy allows nothing else. Tab goes on to the next
 * field, as everywhere; while words are offered it takes one.
 */
export const sqlEditor = (host: HTMLElement, { onChange, onAsk }: SqlActs, first: ShownSql): SqlEditor => {
  let shown: ShownSql = first;
  const root = host.attachShadow({ mode: 'open' });
  const naming = new Compartment();
  const named = ({ label, fault }: ShownSql): Extension =>
    EditorView.contentAttributes.of({
      id: 'sql',
      'aria-label': label,
      ...(fault === undefined ? {} : { 'aria-invalid': 'true' }),
    });
  const run = (view: EditorView): boolean => {
    onAsk(view.state.doc.toString());
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: first.sql,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run },
            { key: 'Ctrl-Enter', run },
            { key: 'Tab', run: acceptCompletion },
          ]),
        ),
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        placeholder('SELECT … FROM data'),
        highlighting,
        faultField,
        completing(() => shown.asked),
        naming.of(named(first)),
        look,
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((one) => one.isUserEvent('shown'))) onChange(state.doc.toString());
        }),
      ],
    }),
  });
  const faultIn = ({ fault }: ShownSql): { readonly from: number; readonly to: number } | undefined => {
    const { doc } = view.state;
    if (fault === undefined || doc.length === 0 || fault.line > doc.lines) return undefined;
    const line = doc.line(fault.line);
    const from = Math.min(line.from + fault.column - 1, Math.max(line.from, line.to - 1));
    const [word] = /^[\p{L}\p{N}_]*/u.exec(doc.sliceString(from, line.to))!;
    return { from, to: Math.min(doc.length, from + Math.max(1, word.length)) };
  };
  return {
    show: (next) => {
      const before = shown;
      shown = next;
      if (next.sql !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next.sql }, userEvent: 'shown' });
      if (next.fault !== before.fault || next.label !== before.label)
        view.dispatch({ effects: [naming.reconfigure(named(next)), setFault.of(faultIn(next))] });
    },
  };
};
