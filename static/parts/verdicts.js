import { html } from "htm/preact";

/** @typedef {import("./api.js").Verdict} Verdict @typedef {import("./api.js").Run} Run @typedef {import("./api.js").Submission} Submission
 * @typedef {import("./api.js").Difference} Difference @typedef {import("./api.js").Mismatch} Mismatch @typedef {import("./api.js").Printed} Printed */

/** @type {Record<Verdict, string>} */
export const VERDICT_NAMES = {
  AC: "Accepted",
  WA: "Wrong Answer",
  RTE: "Run-Time Error",
  CE: "Compile Error",
  TLE: "Time Limit Exceeded",
  MLE: "Memory Limit Exceeded",
  OLE: "Output Limit Exceeded",
  JE: "Judging Error",
};

/** @param {Verdict} verdict */
export function tone(verdict) {
  return verdict === "AC" ? "pass" : verdict === "JE" ? "ours" : "fail";
}

/** @param {{name: string}} props */
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true"><use href=${`#i-${name}`} /></svg>`;
}

/** A word and an icon; `passed` says "Passed" for one test. @param {{code: Verdict | null, test?: boolean}} props */
export function VerdictMark({ code, test = false }) {
  if (!code) return html`<span class="verdict waiting"><${Icon} name="wait" /><span class="visually-hidden">not run yet</span></span>`;
  const word = test && code === "AC" ? "Passed" : VERDICT_NAMES[code];
  return html`<span class=${`verdict ${tone(code)}`}><${Icon} name=${code} />${word}</span>`;
}

/** @param {{verdicts: (Verdict | null)[]}} props */
export function Notches({ verdicts }) {
  return html`<ol class="notches" aria-hidden="true">
    ${verdicts.map((code) => html`<li class=${code ? tone(code) : ""}>${code && html`<${Icon} name=${code} />`}</li>`)}
  </ol>`;
}

/** Difference and allowed difference: short, non-finite as signs. @param {Difference["error"]} value */
export function magnitude(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") value = value.float;
  if (typeof value === "string") return value.replace("Infinity", "∞");
  if (value === 0) return "0";
  return Number(value.toPrecision(3)).toString();
}

/** Numbers under each other by their points, padded with spaces that are as wide as digits. @param {string[]} numbers */
export function aligned(numbers) {
  const parts = numbers.map((number) => /^([^.e]*)(\.?\d*)(.*)$/s.exec(number)?.slice(1) ?? [number, "", ""]);
  const whole = Math.max(...parts.map(([integer]) => integer.length));
  const fraction = Math.max(...parts.map(([, digits, exponent]) => digits.length + exponent.length));
  return parts.map(([integer, digits, exponent]) => integer.padStart(whole) + (digits + exponent).padEnd(fraction));
}

/** @param {{mismatch: Mismatch}} props */
export function DiffTable({ mismatch }) {
  const places = mismatch.differences;
  if (!places.length) return null;
  const largest = mismatch.largest;
  const shown = largest && !places.some(({ path }) => path === largest.path) ? [...places, largest] : places;
  const [yours, expected] = [aligned(shown.map(({ got }) => got)), aligned(shown.map(({ want }) => want))];
  return html`<div class="table-frame" tabindex="0" role="group" aria-label="Where the values differ">
    <table class="diff">
      <thead><tr><th scope="col">Where</th><th scope="col">Yours</th><th scope="col">Expected</th><th scope="col">Difference</th><th scope="col">Allowed</th></tr></thead>
      <tbody>
        ${shown.map((place, index) => html`<tr>
          <th scope="row">${place.path || "result"}${place === largest && shown !== places ? " (largest)" : ""}</th>
          <td class="yours">${yours[index]}</td><td class="expected">${expected[index]}</td>
          <td>${magnitude(place.error)}</td><td>${magnitude(place.allowed)}</td>
        </tr>`)}
      </tbody>
    </table>
  </div>
  ${mismatch.count > places.length && html`<p class="soft small">${mismatch.count} places differ; the first ${places.length} are shown${shown !== places ? ", and the largest" : ""}.</p>`}`;
}

/** @param {{title: string, printed: Printed | null}} props */
export function PrintedText({ title, printed }) {
  if (!printed?.text && !printed?.cut_bytes) return null;
  return html`<h3>${title}</h3>
    <pre class="printed" tabindex="0" aria-label=${title}>${visible(printed.text)}</pre>
    ${printed.cut_bytes > 0 && html`<p class="cut">${printed.cut_bytes.toLocaleString("en")} more bytes were cut.</p>`}`;
}

/** Control characters (colours of terminals, direction marks) as visible signs. @param {string} text */
export function visible(text) {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (sign) => (sign === "\r" ? "␍" : String.fromCharCode(0x2400 + sign.charCodeAt(0))))
    .replace(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** Text in which what stands in backquotes is code. @param {string} text */
export function marked(text) {
  return text.split("`").map((piece, index) => (index % 2 ? html`<code>${piece}</code>` : piece));
}

/** @param {{diagnosis: Submission["diagnosis"]}} props */
export function DiagnosisNote({ diagnosis }) {
  if (!diagnosis) return null;
  return html`<div class="note warn diagnosis"><p class="small soft">What probably went wrong</p>
    <p><strong>${marked(diagnosis.title)}</strong></p><p>${marked(diagnosis.explanation)}</p></div>`;
}

/** What there is to say about a run besides verdict and values. @param {{run: Run, goTo?: (line: number, column: number | null) => void}} props */
export function RunNotes({ run, goTo }) {
  const { feedback } = run;
  const exception = feedback.exception_type && `${feedback.exception_type}${feedback.exception_message ? `: ${feedback.exception_message}` : ""}`;
  const lines = [feedback.message || feedback.mismatch?.message || exception, feedback.remark];
  const told = [...new Set(lines.filter((line) => line))];
  return html`${told.map((line) => html`<span class="detail">${visible(/** @type {string} */ (line))}</span>`)}
    ${feedback.line !== null && feedback.line !== undefined && html`<span class="detail">${goTo
      ? html`<button type="button" class="line-link" onClick=${() => goTo(/** @type {number} */ (feedback.line), feedback.column)}>Go to line ${feedback.line}</button>`
      : `line ${feedback.line}`}</span>`}
    ${feedback.hint && html`<span class="detail">Hint: ${marked(feedback.hint)}</span>`}`;
}

/** The tests one by one. @param {{rows: {label: string, sample: boolean, verdict: Verdict | null, time: number | null, run: Run | null}[], goTo?: (line: number, column: number | null) => void}} props */
export function TestsTable({ rows, goTo }) {
  return html`<div class="table-frame" tabindex="0" role="group" aria-label="Tests">
    <table class="tests">
      <thead><tr><th scope="col">Test</th><th scope="col">Verdict</th><th scope="col" class="number">Time</th></tr></thead>
      <tbody>
        ${rows.map((row) => html`<tr>
          <th scope="row">${row.label}${row.sample && html` <span class="soft small">(sample)</span>`}
            ${row.run && html`<${RunNotes} run=${row.run} goTo=${goTo} />`}</th>
          <td><${VerdictMark} code=${row.verdict} test=${true} /></td>
          <td class="number">${row.time === null ? "" : duration({ sample: row.sample, time_ms: row.time })}</td>
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}

/** Times of hidden tests are told in steps of 10 ms. @param {{sample: boolean, time_ms: number}} run */
export function duration({ sample, time_ms: time }) {
  if (!sample && time < 10) return "< 10 ms";
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

/** @param {Run[]} runs */
export function passedOf(runs) {
  return `${runs.filter(({ verdict }) => verdict === "AC").length} of ${runs.length}`;
}
