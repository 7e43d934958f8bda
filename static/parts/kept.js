/**
 * What this browser keeps: drafts, opened hints, attempts, solved problems, choices.
 * Storage may be full, forbidden or from an older version: then nothing is kept, and nothing breaks.
 */

const PREFIX = "allclose:";

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value @returns {boolean} whether it is kept now */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // What is not kept needs no forgetting.
  }
}

/** Calls back when another tab of this browser changed it. @param {string} name @param {() => void} changed */
export function onChangedElsewhere(name, changed) {
  addEventListener("storage", (event) => {
    if (event.key === PREFIX + name) changed();
  });
}
