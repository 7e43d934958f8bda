import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { render } from "preact";
import { keep, kept, onChangedElsewhere } from "./kept.js";
import { compared } from "./lines.js";
import { VerdictMark } from "./verdicts.js";

/** @typedef {import("./api.js").Submission} Submission @typedef {import("./api.js").Verdict} Verdict
 * @typedef {import("./facts.js").ProblemFacts} ProblemFacts */
/** @typedef {{id: string, at: number, verdict: Verdict, score: number, points: number, time: number, version: string, source: string}} Attempt */

const MOST_KEPT = 40;

/**
 * The tab with every attempt of this browser: verdict, score, time, code, a comparison, restore.
 *
 * @param {{parent: HTMLElement, facts: ProblemFacts, restore: (source: string) => void}} options
 */
export function attempts({ parent, facts, restore }) {
  const name = `attempts:${facts.problem}`;
  const read = () => kept(name, /** @type {Attempt[]} */ ([]));
  const all = signal(read());
  const open = signal("");
  const against = signal("");
  onChangedElsewhere(name, () => (all.value = read()));

  function Table() {
    if (!all.value.length) return html`<p class="soft">Nothing submitted from this browser yet. Each attempt appears here with its verdict and its code.</p>`;
    const shown = all.value.find(({ id }) => id === open.value);
    return html`<div class="table-frame" tabindex="0" role="group" aria-label="Attempts">
        <table class="attempts">
          <thead><tr><th scope="col">When</th><th scope="col">Verdict</th><th scope="col">Score</th><th scope="col">Slowest test</th><th scope="col"><span class="visually-hidden">The program</span></th></tr></thead>
          <tbody>${all.value.map((attempt) => html`<tr>
            <th scope="row"><a href=${`/submissions/${attempt.id}`}>${new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(attempt.at)}</a>
              ${attempt.version !== facts.version && html`<span class="detail">an earlier version of the problem</span>`}</th>
            <td><${VerdictMark} code=${attempt.verdict} /></td>
            <td>${attempt.points > 0 && `${Number(attempt.score.toFixed(1))} of ${attempt.points}`}</td>
            <td>${Math.round(attempt.time)} ms</td>
            <td><button type="button" class="line-link" aria-expanded=${open.value === attempt.id}
              onClick=${() => (open.value = open.value === attempt.id ? "" : attempt.id)}>Code</button></td>
          </tr>`)}</tbody>
        </table>
      </div>
      ${shown && html`<${Code} shown=${shown} />`}`;
  }

  /** @param {{shown: Attempt}} props */
  function Code({ shown }) {
    const others = all.value.filter(({ id }) => id !== shown.id);
    const other = others.find(({ id }) => id === against.value);
    return html`<div class="compare">
      <p><button type="button" class="button" onClick=${() => restore(shown.source)}>Restore into the editor</button>
        ${others.length > 0 && html` <label>Compare with <select class="field compare-with" value=${other?.id ?? ""} onChange=${(/** @type {Event} */ event) => (against.value = /** @type {HTMLSelectElement} */ (event.target).value)}>
          <option value="">nothing</option>
          ${others.map(({ id, at }) => html`<option value=${id}>${new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(at)}</option>`)}
        </select></label>`}</p>
      ${other
        ? html`<pre tabindex="0" aria-label="Comparison of two programs"><code>${compared(other.source, shown.source).map(([sign, line]) => html`<span class=${{ "+": "added", "-": "removed", " ": "" }[sign]}>${sign} ${line}${"\n"}</span>`)}</code></pre>`
        : html`<pre tabindex="0" aria-label="Program"><code>${shown.source}</code></pre>`}
    </div>`;
  }

  const tab = document.querySelector('a.tab[href="#submissions"]');
  tab?.removeAttribute("hidden");
  render(html`<${Table} />`, parent);
  return {
    /** @param {Submission} submission @param {string} source */
    add({ id, verdict, score, points, runs, package_version: version }, source) {
      if (!verdict) return;
      const time = Math.max(0, ...runs.map(({ time_ms: each }) => each));
      const attempt = { id, at: Date.now(), verdict, score: score ?? 0, points: points ?? 0, time, version: version ?? "", source };
      all.value = [attempt, ...read().filter((earlier) => earlier.id !== id)].slice(0, MOST_KEPT);
      keep(name, all.value);
      if (verdict === "AC") keep("solved", [...new Set([...kept("solved", /** @type {string[]} */ ([])), facts.problem])]);
    },
    solved: () => kept("solved", /** @type {string[]} */ ([])).includes(facts.problem),
  };
}
