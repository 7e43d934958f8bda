import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { NotAValue, parseLiteral } from "./literal.js";
import { Case } from "./samples.js";

/** @typedef {import("./console.js").Judging} Judging @typedef {import("./facts.js").ProblemFacts} ProblemFacts */

const texts = signal(/** @type {Record<string, string> | null} */ (null));
const wrong = signal(/** @type {Record<string, string>} */ ({}));
/** Fields that were changed since they were sent: what was said of them may not hold any more. */
const changed = signal(/** @type {Record<string, boolean>} */ ({}));

/** One field an argument, read in Python's way; the reference says what is expected.
 * @param {{facts: ProblemFacts, state: Judging, goTo: (line: number, column: number | null) => void, run: (given: Record<string, unknown>) => void, clear: () => void}} props */
export function CustomInput({ facts, state, goTo, run, clear }) {
  const first = facts.samples[0]?.arguments ?? [];
  const given = texts.value ?? Object.fromEntries(first.map(({ name, text }) => [name, text]));
  const refused = Object.fromEntries(
    facts.arguments.map(({ name }) => [
      name,
      state.errors.filter(({ where }) => new RegExp(`^arguments\\.${name}(?![A-Za-z0-9_])`).test(where)).map(({ where, message }) => (where === `arguments.${name}` ? message : `${where.slice("arguments.".length)} ${message}`)).join("; "),
    ]),
  );
  const busy = state.phase === "sending" || state.phase === "judging";

  /** @param {Event} event */
  function send(event) {
    event.preventDefault();
    /** @type {Record<string, unknown>} */
    const values = {};
    /** @type {Record<string, string>} */
    const faults = {};
    for (const { name } of facts.arguments) {
      try {
        values[name] = parseLiteral(given[name] ?? "");
      } catch (error) {
        if (!(error instanceof NotAValue)) throw error;
        faults[name] = `${error.message} (character ${error.at + 1})`;
      }
    }
    wrong.value = faults;
    changed.value = {};
    clear();
    const [bad] = Object.keys(faults);
    if (bad) document.getElementById(`custom-${bad}`)?.focus();
    else run(values);
  }

  const result = state.result?.runs[0] ?? null;
  return html`
    <form class="custom-fields" onSubmit=${send}>
      ${facts.arguments.map(({ name, kind, rules }) => {
        const fault = wrong.value[name] || (!changed.value[name] && refused[name]);
        return html`<div>
          <label for=${`custom-${name}`}>${name}</label> <span class="soft small" id=${`custom-${name}-kind`}>${[kind, rules].filter(Boolean).join(", ").replaceAll("`", "")}</span>
          <textarea class="field" id=${`custom-${name}`} rows="1" spellcheck="false" autocapitalize="off" autocomplete="off" value=${given[name] ?? ""}
            aria-invalid=${fault ? "true" : "false"} aria-describedby=${`custom-${name}-kind custom-${name}-fault`}
            onInput=${(/** @type {InputEvent} */ event) => {
              texts.value = { ...given, [name]: /** @type {HTMLTextAreaElement} */ (event.target).value };
              wrong.value = { ...wrong.value, [name]: "" };
              changed.value = { ...changed.value, [name]: true };
            }}
            onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && send(event)}></textarea>
          <p class="field-error" id=${`custom-${name}-fault`} hidden=${!fault}>${fault}</p>
        </div>`;
      })}
      <div><button type="submit" class="button" disabled=${busy}>${busy ? "Running" : "Run on this input"}</button>
        <span class="soft small"> The reference says what is expected.</span></div>
    </form>
    ${state.result && !result && html`<p class="note">${state.result.message}</p>`}
    ${result && html`<${Case} given=${[]} answer="" run=${result} busy=${busy} goTo=${goTo} />`}`;
}
