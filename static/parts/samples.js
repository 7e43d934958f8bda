import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { arrows } from "./console.js";
import { queueWords } from "./judging.js";
import { Strips } from "./strips.js";
import { DiagnosisNote, DiffTable, Icon, PrintedText, RunNotes, VerdictMark, duration, visible } from "./verdicts.js";

/** @typedef {import("./console.js").Judging} Judging @typedef {import("./facts.js").ProblemFacts} ProblemFacts
 * @typedef {import("./api.js").Run} Run */

const chosen = signal(0);

/** The samples as tabs; each with input and expected from the start, yours after a run.
 * @param {{facts: ProblemFacts, state: Judging, goTo: (line: number, column: number | null) => void}} props */
export function SamplePanel({ facts, state, goTo }) {
  const runs = state.result?.runs ?? [];
  const sample = facts.samples[chosen.value];
  const run = runs[chosen.value] ?? null;
  const busy = state.phase === "sending" || state.phase === "judging";
  return html`
    <${Summary} state=${state} count=${facts.samples.length} />
    ${facts.samples.length > 1 && html`<div class="cases" role="tablist" aria-label="Samples" onKeyDown=${arrows}>
      ${facts.samples.map((each, index) => {
        const verdict = runs[index]?.verdict ?? state.told.get(index)?.verdict ?? null;
        return html`<button type="button" role="tab" class="case" aria-selected=${index === chosen.value} aria-controls="sample"
          tabindex=${index === chosen.value ? 0 : -1} onClick=${() => (chosen.value = index)} title=${each.title}>
          ${verdict && html`<${Icon} name=${verdict} /><span class="visually-hidden">${verdict === "AC" ? "passed: " : "failed: "}</span>`}Case ${index + 1}</button>`;
      })}
    </div>`}
    <div id="sample" role=${facts.samples.length > 1 ? "tabpanel" : null} aria-label=${sample.title}>
      <${Case} title=${sample.title} given=${sample.arguments} answer=${sample.answer} run=${run} busy=${busy} goTo=${goTo} />
    </div>`;
}

/** @param {{state: Judging, count: number}} props */
function Summary({ state, count }) {
  if (state.phase === "sending" || state.phase === "judging") {
    return html`<p class="outcome"><span class="verdict waiting"><${Icon} name="wait" />${state.place && state.place > 1 ? queueWords(state.place) : "Running"}</span></p>`;
  }
  if (!state.result) return null;
  if (state.result.verdict === "JE") {
    return html`<p class="outcome"><${VerdictMark} code="JE" /></p><p class="note">${state.result.message}</p>`;
  }
  const runs = state.result.runs;
  const passed = runs.filter(({ verdict }) => verdict === "AC").length;
  const words = passed === count ? (count === 1 ? "The sample passed" : `All ${count} samples passed`) : `${passed} of ${count} samples passed`;
  return html`<p class="outcome"><span class=${`verdict ${passed === count ? "pass" : "fail"}`}><${Icon} name=${passed === count ? "AC" : "WA"} />${words}</span>
    <span class="soft">The hidden tests run when you submit.</span></p>
    <${DiagnosisNote} diagnosis=${state.result.diagnosis} />`;
}

/** Input, expected, yours; the difference; what was printed.
 * @param {{title?: string, given: {name: string, text: string}[], answer: string, run: Run | null, busy: boolean, goTo: (line: number, column: number | null) => void}} props */
export function Case({ title, given, answer, run, busy, goTo }) {
  const feedback = run?.feedback;
  const values = feedback?.arguments.length ? feedback.arguments.map(({ name, value }) => ({ name, text: value })) : given;
  return html`
    ${title && html`<p class="case-title">${title}</p>`}
    ${run && html`<p class="case-verdict"><${VerdictMark} code=${run.verdict} test=${true} /> <span class="soft small">${duration(run)}</span></p>
      <p class="notes"><${RunNotes} run=${run} goTo=${goTo} /></p>`}
    <dl class="values">
      ${values.map(({ name, text }) => html`<dt>${name}</dt><dd class="value">${visible(text)}<${Strips} text=${text} /></dd>`)}
      ${(answer || feedback?.answer) && html`<dt>expected</dt><dd class="value">${visible(answer || feedback?.answer || "")}<${Strips} text=${answer || feedback?.answer || ""} /></dd>`}
      ${run && html`<dt>yours</dt><dd class="value">${feedback?.returned ? html`${visible(feedback.returned)}<${Strips} text=${feedback.returned} />` : html`<span class="soft">nothing was returned</span>`}</dd>`}
      ${!run && !busy && html`<dt>yours</dt><dd class="soft small">not run yet</dd>`}
    </dl>
    ${feedback?.mismatch && html`<${DiffTable} mismatch=${feedback.mismatch} />`}
    <${PrintedText} title="Printed" printed=${feedback?.stdout ?? null} />
    <${PrintedText} title="Printed to stderr" printed=${feedback?.stderr ?? null} />`;
}
