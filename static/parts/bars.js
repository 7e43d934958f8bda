import { element } from "./facts.js";
import { keep, kept } from "./kept.js";

const SIZES = [0.75, 0.8125, 0.875, 0.9375, 1, 1.125, 1.25, 1.5];
const MODIFIER = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** @param {string} className @param {string} words @param {() => void} act @param {string} [title] */
function button(className, words, act, title) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.textContent = words;
  if (title) {
    made.title = title;
    made.setAttribute("aria-label", title);
  }
  made.addEventListener("click", act);
  return made;
}

/** @param {string} className */
function slot(className) {
  const made = document.createElement("span");
  made.className = className;
  return made;
}

/**
 * The bar above the editor: language, saved state, size of letters, Reset; the place stands below it.
 * @param {{runtime: string, reset: () => void, undo: () => void}} acts
 */
export function editorBar({ runtime, reset, undo }) {
  const bar = element("editor-bar");
  const language = slot("language");
  language.textContent = runtime;
  const place = slot("place");
  const saved = slot("saved");
  const help = slot("visually-hidden");
  help.id = "editor-help";
  help.textContent = "Tab indents. Press Escape, then Tab, to leave the editor.";
  const editor = element("working");
  /** @param {number} step */
  const resize = (step) => {
    const at = SIZES.indexOf(kept("size", SIZES[2]));
    const size = SIZES[Math.min(Math.max((at < 0 ? 2 : at) + step, 0), SIZES.length - 1)];
    keep("size", size);
    editor.style.setProperty("--code-size", `${size}rem`);
  };
  resize(0);
  const smaller = button("button plain", "A−", () => resize(-1), "Smaller letters");
  const larger = button("button plain", "A+", () => resize(1), "Larger letters");
  const undoReset = button("button plain", "Undo reset", () => {
    undo();
    undoReset.hidden = true;
  });
  undoReset.hidden = true;
  const dialog = confirmation("Reset to the starter?", "Your program is replaced by the starter. You can undo it.", "Reset", () => {
    reset();
    undoReset.hidden = false;
  });
  const ask = button("button plain", "Reset", () => dialog.showModal());
  bar.replaceChildren(language, saved, slot("spacer"), smaller, larger, undoReset, ask, help, dialog);
  element("actions").prepend(place);
  return {
    /** @param {number} line @param {number} column */
    moved: (line, column) => (place.textContent = `line ${line}, column ${column}`),
    /** @param {string} words */
    saved: (words) => (saved.textContent = words),
    edited: () => (undoReset.hidden = true),
  };
}

/** @param {string} title @param {string} words @param {string} yes @param {() => void} confirmed */
function confirmation(title, words, yes, confirmed) {
  const dialog = document.createElement("dialog");
  dialog.className = "ask";
  const heading = document.createElement("h2");
  heading.id = "ask-title";
  heading.textContent = title;
  dialog.setAttribute("aria-labelledby", heading.id);
  const text = document.createElement("p");
  text.textContent = words;
  const buttons = slot("ask-buttons");
  const close = () => dialog.close();
  const act = button("button main", yes, () => {
    close();
    confirmed();
  });
  buttons.append(button("button", "Keep mine", close), act);
  dialog.append(heading, text, buttons);
  return dialog;
}

/** The bar under the editor, with the shortcuts beside what they do. @param {{run: () => void, submit: () => void}} acts */
export function actionBar({ run, submit }) {
  const bar = element("actions");
  const place = /** @type {HTMLElement} */ (bar.querySelector(".place"));
  const help = slot("editor-help-shown");
  help.textContent = "Esc, then Tab leaves";
  help.setAttribute("aria-hidden", "true");
  const runButton = button("button", "Run samples", run);
  const submitButton = button("button main", "Submit", submit);
  runButton.append(keys("Enter"));
  submitButton.append(keys("Shift", "Enter"));
  runButton.id = "run";
  submitButton.id = "submit";
  bar.replaceChildren(place, help, slot("spacer"), runButton, submitButton);
  return { runButton, submitButton };
}

/** @param {string[]} names */
function keys(...names) {
  const made = document.createElement("kbd");
  const shown = names.map((name) => ({ Enter: "↵", Shift: "⇧" })[name] ?? name);
  made.textContent = [MODIFIER, ...shown].join(" ");
  made.setAttribute("aria-hidden", "true");
  return made;
}
