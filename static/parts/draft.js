import { keep, kept, onChangedElsewhere } from "./kept.js";

/** @typedef {{text: string, at: number}} Draft */

const PAUSE_MS = 500;

/**
 * The program of one problem, saved at every pause and taken over from another tab.
 *
 * @param {string} problem @param {string} starter
 * @param {(draft: Draft | null) => void} told after saving, or null where it could not be kept
 */
export function draftOf(problem, starter, told) {
  const name = `draft:${problem}`;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {string | null} */
  let unsaved = null;

  function save() {
    clearTimeout(timer);
    if (unsaved === null) return;
    const draft = { text: unsaved, at: Date.now() };
    unsaved = null;
    told(keep(name, draft) ? draft : null);
  }
  addEventListener("pagehide", save);
  document.addEventListener("visibilitychange", () => document.hidden && save());

  const read = () => kept(name, /** @type {Draft | null} */ (null));
  return {
    first: read()?.text ?? starter,
    at: read()?.at ?? null,
    /** @param {string} text */
    changed(text) {
      unsaved = text;
      clearTimeout(timer);
      timer = setTimeout(save, PAUSE_MS);
    },
    save,
    /** @param {(draft: Draft) => void} taken */
    onElsewhere(taken) {
      onChangedElsewhere(name, () => {
        const draft = read();
        // What is being typed here is newer than what another tab wrote down.
        if (draft && unsaved === null) taken(draft);
      });
    },
  };
}

/** @param {number} at milliseconds since 1970 */
export function clock(at) {
  return new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}
