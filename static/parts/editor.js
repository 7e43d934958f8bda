import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completeFromList, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { NUMPY_NAMES } from "./numpy_names.js";

/** @typedef {import("@codemirror/lint").Diagnostic} Mark @typedef {{line: number, column: number | null, message: string}} Failure */

const MOST_SYNTAX_MARKS = 5;

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size, 0.875rem)", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.5" },
  ".cm-content": { padding: "0.6rem 0", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-soft)", border: "none", paddingLeft: "0.25rem" },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--accent-wash), transparent 55%)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--warn-wash)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-wash)", outline: "1px solid var(--warn)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-wash)", outline: "1px solid var(--accent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunken)", border: "1px solid var(--line)", color: "var(--ink-soft)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)", color: "var(--ink)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--surface)", border: "1px solid var(--line-strong)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--fail)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string), tags.docString], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--fail)" },
]);

/** @type {import("@codemirror/state").StateEffectType<Failure | null>} */
const setFailure = StateEffect.define();

/** Where the judge saw the program fail; gone with the next change of the text. */
const failureField = StateField.define({
  create: () => /** @type {Failure | null} */ (null),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFailure)) return effect.value;
    return transaction.docChanged ? null : value;
  },
});

/** Marks what Python's grammar cannot read, and the line that failed. @param {EditorView} view @returns {Mark[]} */
function marks(view) {
  const { doc } = view.state;
  /** @type {Mark[]} */
  const found = [];
  syntaxTree(view.state).iterate({
    enter(node) {
      if (!node.type.isError || found.length >= MOST_SYNTAX_MARKS) return;
      const line = doc.lineAt(node.from);
      const from = Math.min(node.from, Math.max(line.from, line.to - 1));
      found.push({ from, to: Math.max(node.to, from + 1) > doc.length ? doc.length : Math.max(node.to, from + 1), severity: "error", message: "Python cannot read this." });
    },
  });
  const failure = view.state.field(failureField);
  if (failure && failure.line >= 1 && failure.line <= doc.lines) {
    const line = doc.line(failure.line);
    const indent = line.text.length - line.text.trimStart().length;
    const from = failure.column ? Math.min(line.from + failure.column - 1, line.to) : line.from + indent;
    found.push({ from, to: line.to, severity: "error", message: failure.message });
  }
  return found;
}

const numpyNames = completeFromList(NUMPY_NAMES.map((label) => ({ label, type: "function" })));

/** Completes `np.` and `numpy.`; names of the program itself come from the language. @type {import("@codemirror/autocomplete").CompletionSource} */
function completeNumpy(context) {
  const before = context.matchBefore(/\b(?:np|numpy)\.\w*/);
  if (!before) return null;
  const dot = before.text.indexOf(".") + 1;
  const result = numpyNames(context);
  return result instanceof Promise || !result ? result : { ...result, from: before.from + dot, filter: true };
}

/**
 * The editor in the place of the form's text area.
 *
 * @param {object} options
 * @param {HTMLElement} options.parent @param {string} options.text @param {string} options.label
 * @param {string} options.nonce @param {string} options.id of the text area, to which links lead
 * @param {(text: string) => void} options.changed
 * @param {(line: number, column: number) => void} options.moved
 * @param {() => void} options.run @param {() => void} options.submit
 */
export function createEditor({ parent, text, label, nonce, id, changed, moved, run, submit }) {
  const acts = keymap.of([
    { key: "Mod-Shift-Enter", preventDefault: true, run: () => (submit(), true) },
    { key: "Mod-Enter", preventDefault: true, run: () => (run(), true) },
    { key: "Tab", run: acceptCompletion },
  ]);
  const watch = EditorView.updateListener.of((update) => {
    if (update.docChanged) changed(update.state.doc.toString());
    if (update.docChanged || update.selectionSet) {
      const { head } = update.state.selection.main;
      const line = update.state.doc.lineAt(head);
      moved(line.number, head - line.from + 1);
    }
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        acts,
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        indentOnInput(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        python(),
        pythonLanguage.data.of({ autocomplete: completeNumpy }),
        failureField,
        linter(marks, { delay: 500, needsRefresh: (update) => update.transactions.some((t) => t.effects.some((e) => e.is(setFailure))) }),
        // Escape, then Tab, leaves the editor: CodeMirror listens for exactly that.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        syntaxHighlighting(colours),
        look,
        watch,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ id, tabindex: "0", "aria-label": label, "aria-describedby": "editor-help" }),
      ],
    }),
  });

  return {
    view,
    text: () => view.state.doc.toString(),
    /** Replace everything, as a change that can be undone. @param {string} replacement */
    replace(replacement) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: replacement } });
    },
    /** @param {Failure | null} failure */
    fail(failure) {
      view.dispatch({ effects: setFailure.of(failure) });
      forceLinting(view);
    },
    /** Put the cursor there and show it. @param {number} number @param {number | null} [column] */
    goTo(number, column) {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      const at = Math.min(line.from + Math.max((column ?? 1) - 1, 0), line.to);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
