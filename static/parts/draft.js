import { getDraft, putDraft, Refused, Unreachable } from "./api.js";
import { forget, keep, kept, onChangedElsewhere } from "./kept.js";
import { settled } from "./settle.js";

/** @typedef {import("./settle.js").Local} Local @typedef {import("./settle.js").Remote} Remote
 * @typedef {import("./facts.js").Mine} Mine */
/**
 * Where the program is kept now: on the server as well, on its way there, only in this browser, or nowhere.
 * @typedef {{where: "server" | "sending" | "here" | "nowhere", at: number, elsewhere?: boolean}} Told
 */

const PAUSE_MS = 500;
const SEND_AFTER_MS = 1000;
const AGAIN_MS = 10_000;

/**
 * The program of one problem: kept in this browser at every pause, then on the server. Another tab
 * takes it over; where the server has something else, both are offered.
 *
 * @param {object} options
 * @param {string} options.problem @param {string} options.starter @param {Mine} options.mine
 * @param {(told: Told) => void} options.told
 * @param {(text: string) => void} options.taken another tab has changed it
 * @param {(other: Remote) => void} options.both it was changed here and elsewhere
 */
export function draftOf({ problem, starter, mine, told, taken, both }) {
  const guestName = `draft:${problem}`;
  const name = mine.who ? `draft:${mine.who}:${problem}` : guestName;
  const read = () => kept(name, /** @type {Local | null} */ (null));

  let local = read();
  if (!local && mine.who) {
    // What was written as a guest goes on after signing in.
    local = kept(guestName, /** @type {Local | null} */ (null));
    if (local) {
      // Revisions are counted for each person: the guest's say nothing about the account's.
      local = { ...local, revision: 0, saved: false };
      keep(name, local);
      forget(guestName);
    }
  }
  const first = settled(local, mine.draft, starter);
  let { text, revision, saved, other } = first;
  let typed = false;
  let sending = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due;

  const write = () => keep(name, { text, at: Date.now(), revision, saved });

  function keepHere() {
    clearTimeout(pause);
    if (!typed) return;
    typed = false;
    told({ where: write() ? "sending" : "nowhere", at: Date.now() });
    later(SEND_AFTER_MS);
  }

  /** @param {number} wait_ms */
  function later(wait_ms) {
    clearTimeout(due);
    due = setTimeout(send, wait_ms);
  }

  async function send({ leaving = false } = {}) {
    clearTimeout(due);
    if (sending || saved || other) return;
    sending = true;
    const sent = text;
    try {
      revision = (await putDraft(problem, sent, revision, leaving)).revision;
      accepted(sent);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      if (error instanceof Refused && error.status === 412) await compare(sent);
      else {
        told({ where: write() ? "here" : "nowhere", at: Date.now() });
        // What is refused as it is would be refused again.
        if (error instanceof Unreachable || error.status >= 500 || error.status === 429) later(AGAIN_MS);
      }
    } finally {
      sending = false;
    }
    if (!saved && !other && text !== sent) later(SEND_AFTER_MS);
  }

  /** @param {string} sent */
  function accepted(sent) {
    saved = text === sent;
    write();
    if (saved) told({ where: "server", at: Date.now() });
  }

  /** The server has another revision than was known. @param {string} sent */
  async function compare(sent) {
    try {
      const { source, revision: theirs, saved_at: savedAt } = await getDraft(problem);
      if (source === sent) {
        revision = theirs;
        accepted(sent);
      } else {
        other = { source, revision: theirs, savedAt: Date.parse(savedAt) };
        both(other);
      }
    } catch (error) {
      // It was deleted meanwhile: then this one is the first again.
      if (error instanceof Refused && error.status === 404) revision = 0;
      later(AGAIN_MS);
    }
  }

  addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
  addEventListener("online", () => send());
  function leave() {
    keepHere();
    void send({ leaving: true });
  }

  onChangedElsewhere(name, () => {
    const draft = read();
    // What is being typed here is newer than what another tab wrote down.
    if (!draft || typed || other) return;
    ({ revision, saved } = draft);
    if (draft.text === text) return;
    text = draft.text;
    taken(text);
    told({ where: saved ? "server" : "sending", at: draft.at, elsewhere: true });
  });

  if (other) queueMicrotask(() => both(/** @type {Remote} */ (other)));
  else if (!saved) later(SEND_AFTER_MS);
  return {
    first: text,
    /** @type {Told | null} */
    standing: first.at === null ? null : { where: saved ? "server" : "here", at: first.at },
    /** @param {string} now */
    changed(now) {
      text = now;
      saved = false;
      typed = true;
      clearTimeout(pause);
      pause = setTimeout(keepHere, PAUSE_MS);
    },
    /** Of two copies, go on with this one; the other one is gone with the next save. @param {"mine" | "theirs"} which */
    choose(which) {
      if (!other) return;
      revision = other.revision;
      if (which === "theirs") {
        text = other.source;
        saved = true;
        taken(text);
      }
      other = null;
      write();
      if (saved) told({ where: "server", at: Date.now() });
      else void send();
    },
  };
}

/** @param {number} at milliseconds since 1970 */
export function clock(at) {
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : /** @type {const} */ ({ day: "numeric", month: "short" });
  return new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...day }).format(at);
}

/** @param {Told} told */
export function savedWords({ where, at, elsewhere }) {
  if (where === "nowhere") return "Not saved: this browser keeps nothing";
  if (where === "sending" && !elsewhere) return "Saving";
  return `Saved ${clock(at)}${where === "here" ? " in this browser" : ""}${elsewhere ? ", from another tab" : ""}`;
}
