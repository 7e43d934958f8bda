import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { render } from "preact";
import { bringer } from "./bring.js";
import { CustomInput } from "./custom.js";
import { judged, queueWords } from "./judging.js";
import { Refused, Unreachable } from "./api.js";
import { SamplePanel } from "./samples.js";
import { DiagnosisNote, Icon, Notches, TestsTable, VerdictMark, passedOf } from "./verdicts.js";

/** @typedef {import("./facts.js").ProblemFacts} ProblemFacts @typedef {import("./api.js").Run} Run
 * @typedef {import("./api.js").Submission} Submission @typedef {import("./api.js").Verdict} Verdict
 * @typedef {import("./api.js").FieldError} FieldError */
/**
 * One judging as the console shows it: of the samples, of own input, or of everything.
 * @typedef {{
 *   phase: "idle" | "sending" | "judging" | "judged" | "failed", lost: boolean,
 *   told: Map<number, {verdict: Verdict, time_ms: number}>, result: Submission | null,
 *   message: string, errors: FieldError[], unreachable: boolean, signIn: boolean,
 *   place: number | null,
 * }} Judging
 * @typedef {"samples" | "custom" | "hidden"} Place
 */

/** What is read first of a result: the verdict, or what went wrong. */
const TOLD = ".field-error:not([hidden]), .outcome, .case-verdict, .note";

/** @type {() => Judging} */
const idle = () => ({ phase: "idle", lost: false, told: new Map(), result: null, message: "", errors: [], unreachable: false, signIn: false, place: null });

/**
 * The console under the editor, and what the two buttons do.
 *
 * @param {object} options
 * @param {HTMLElement} options.parent @param {ProblemFacts} options.facts
 * @param {boolean} options.mayRun without it samples are shown, and nothing runs
 * @param {() => string} options.source
 * @param {(failure: {line: number, column: number | null, message: string} | null) => void} options.mark
 * @param {(line: number, column: number | null) => void} options.goTo
 * @param {(submission: Submission, source: string) => void} options.submitted
 * @param {(words: string) => void} options.announce
 */
export function createConsole({ parent, facts, mayRun, source, mark, goTo, submitted, announce }) {
  const place = signal(/** @type {Place} */ ("samples"));
  const judgings = {
    samples: signal(idle()),
    custom: signal(idle()),
    hidden: signal(idle()),
  };
  const bring = bringer(parent);
  /** @type {AbortController | null} */
  let running = null;

  /** @param {Place} where @param {"/runs" | "/submissions"} path @param {object} more */
  async function judge(where, path, more) {
    running?.abort();
    const stop = (running = new AbortController());
    const text = source();
    const state = judgings[where];
    /** @param {Partial<Judging>} change */
    const update = (change) => {
      if (running === stop) state.value = { ...state.value, ...change };
    };
    show(where);
    state.value = { ...idle(), phase: "sending" };
    mark(null);
    if (where === "custom") bring.sentFields();
    else bring.sent();
    announce(where === "hidden" ? "Submitting." : "Running.");
    try {
      const result = await judged(
        path,
        { problem: facts.problem, source: text, ...more },
        {
          begun: () => update({ phase: "judging", told: new Map(), place: null }),
          run: ({ index, ...told }) => update({ told: new Map(state.value.told).set(index, told) }),
          trouble: (lost) => update({ lost }),
          place: (place) => update({ place }),
        },
        stop.signal,
        () => update({ phase: "judging" }),
      );
      update({ phase: "judged", result, lost: false });
      bring.told(TOLD);
      mark(failureOf(result));
      announce(announcement(where, result));
      if (where === "hidden") submitted(result, text);
    } catch (error) {
      if (stop.signal.aborted) return;
      const unreachable = error instanceof Unreachable;
      if (!unreachable && !(error instanceof Refused)) throw error;
      const errors = error instanceof Refused ? error.errors : [];
      const signIn = error instanceof Refused && error.status === 401;
      update({ phase: "failed", message: error.message, errors, unreachable, signIn });
      bring.told(TOLD);
      announce(error.message);
    }
  }

  /** @param {Place} where */
  function show(where) {
    place.value = where;
    parent.querySelector(".console-body")?.scrollTo(0, 0);
  }

  /** Nothing of an earlier run stays beside fields that cannot be read now. */
  const clearCustom = () => {
    running?.abort();
    judgings.custom.value = idle();
    mark(null);
  };
  const runSamples = () => judge("samples", "/runs", {});
  /** @param {Record<string, unknown>} given */
  const runCustom = (given) => judge("custom", "/runs", { arguments: given });
  const submit = () => judge("hidden", "/submissions", {});
  const again = { samples: runSamples, custom: () => {}, hidden: submit };

  // Whoever was offline gets their run as soon as the connection is back.
  addEventListener("online", () => {
    const where = place.value;
    if (judgings[where].value.unreachable) again[where]();
  });

  function Console() {
    const where = place.value;
    const state = judgings[where].value;
    return html`
      <div class="tabs" role="tablist" aria-label="Console" onKeyDown=${arrows}>
        ${/** @type {[Place, string][]} */ ([["samples", "Samples"], ...(mayRun ? [["custom", "Custom input"]] : []), ["hidden", "All tests"]]).map(
          ([name, title]) => html`<button type="button" role="tab" class="tab" id=${`console-${name}`} aria-controls="console-panel"
            aria-selected=${where === name} tabindex=${where === name ? 0 : -1} onClick=${() => show(name)}>${title}</button>`,
        )}
      </div>
      <div class="console-body" role="tabpanel" id="console-panel" aria-labelledby=${`console-${where}`} tabindex="0">
        <${Trouble} state=${state} again=${where === "custom" ? null : again[where]} />
        ${where === "samples" && html`<${SamplePanel} facts=${facts} state=${state} goTo=${goTo} />`}
        ${where === "custom" && html`<${CustomInput} facts=${facts} state=${state} goTo=${goTo} run=${runCustom} clear=${clearCustom} />`}
        ${where === "hidden" && html`<${Hidden} facts=${facts} state=${state} goTo=${goTo} />`}
      </div>`;
  }

  parent.hidden = false;
  render(html`<${Console} />`, parent);
  return { runSamples, submit, show, busy: judgings };
}

/** What keeps a judging from its end, and what happens about it. @param {{state: Judging, again: (() => void) | null}} props */
function Trouble({ state, again }) {
  if (state.phase === "failed") {
    // What is wrong with a field of custom input is said at that field.
    if (state.errors.length && state.errors.every(({ where }) => where.startsWith("arguments."))) return null;
    return html`<div class="note fail">
      <p>${state.message}${state.unreachable && " Your program is kept in this browser; it is sent again when the connection is back."}</p>
      ${state.errors.filter(({ where }) => !where.startsWith("arguments")).map(({ where, message }) => html`<p><code>${where}</code>: ${message}</p>`)}
      ${state.signIn && html`<p><a class="button" href=${signInUrl()}>Sign in</a> Your draft is kept.</p>`}
      ${again && !state.signIn && html`<p><button type="button" class="button" onClick=${again}>Try again</button></p>`}
    </div>`;
  }
  if (state.lost) return html`<p class="note warn">The connection is lost. What was sent is safe and will be judged; this page asks again by itself.</p>`;
  return null;
}

/** Where one signs in and comes back from. */
const signInUrl = () => `/sign-in?next=${encodeURIComponent(location.pathname)}`;

/** @param {{facts: ProblemFacts, state: Judging, goTo: (line: number, column: number | null) => void}} props */
function Hidden({ facts, state, goTo }) {
  if (state.phase === "idle" || (state.phase === "failed" && !state.told.size)) {
    const secret = facts.tests.filter(({ sample }) => !sample).length;
    return html`<p class="soft">Submit runs your program on ${secret} hidden tests and the samples. Each test tells its verdict here as it ends.</p>
      <ul class="soft small labels">${facts.tests.filter(({ sample }) => !sample).map(({ label }) => html`<li>${label}</li>`)}</ul>`;
  }
  const { result } = state;
  const runs = new Map(result?.runs.map((run) => [run.index, run]));
  const rows = facts.tests.map((test, index) => {
    const run = runs.get(index) ?? null;
    const told = run ?? state.told.get(index);
    return { label: run?.label || test.label, sample: test.sample, verdict: told?.verdict ?? null, time: told?.time_ms ?? null, run };
  });
  const done = rows.filter(({ verdict }) => verdict).length;
  return html`
    ${result
      ? html`<${Outcome} result=${result} facts=${facts} />`
      : html`<p class="outcome"><span class="verdict waiting"><${Icon} name="wait" />${progress(state, done, rows.length)}</span></p>`}
    <${Notches} verdicts=${rows.map(({ verdict }) => verdict)} />
    <${TestsTable} rows=${rows} goTo=${goTo} />`;
}

/** @param {Judging} state @param {number} done @param {number} count */
function progress(state, done, count) {
  if (state.phase === "sending") return "Sending";
  if (!done) return queueWords(state.place);
  return done < count ? `${done} of ${count} tests` : "All tests have run; looking at what they say";
}

/** @param {{result: Submission, facts: ProblemFacts}} props */
function Outcome({ result, facts }) {
  return html`<p class="outcome"><${VerdictMark} code=${result.verdict} />
      ${(result.verdict === "AC" || !result.message) && html`<span>${passedOf(result.runs)} tests passed</span>`}
      ${result.points && html`<span>${number(result.score)} of ${result.points} points</span>`}
      ${facts.bonus && result.verdict === "AC" && html`<span class=${result.bonus ? "verdict pass" : "soft"}>${result.bonus ? html`<${Icon} name="bonus" />${result.bonus} points bonus` : `no bonus (${facts.bonus.title})`}</span>`}</p>
    ${result.message && result.verdict !== "AC" && html`<p class="note">${result.message}</p>`}
    <${DiagnosisNote} diagnosis=${result.diagnosis} />`;
}

/** @param {number | null} value */
function number(value) {
  return value === null ? "" : String(Number(value.toFixed(2)));
}

/** The first failure with a line, to be marked in the editor. @param {Submission} result */
function failureOf(result) {
  const run = result.runs.find(({ feedback, verdict }) => verdict !== "AC" && feedback.line);
  if (!run?.feedback.line) return null;
  const { exception_type: type, exception_message: said, message, line, column } = run.feedback;
  return { line, column, message: type ? `${type}: ${said}` : message || "It failed here." };
}

/** @param {Place} where @param {Submission} result */
function announcement(where, result) {
  const passed = `${passedOf(result.runs)} ${where === "hidden" ? "tests" : where === "samples" ? "samples" : "runs"} passed.`;
  return where === "hidden" && result.verdict === "AC" ? `Accepted. ${passed}` : passed;
}

/** Left, right, home and end move between tabs. @param {KeyboardEvent} event */
export function arrows(event) {
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const next = tabs[(to + tabs.length) % tabs.length];
  next.click();
  next.focus();
}
