import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { render } from "preact";
import { getAttempts, getSource, Refused, Unreachable } from "./api.js";
import { keep, kept, onChangedElsewhere } from "./kept.js";
import { compared } from "./lines.js";
import { VerdictMark } from "./verdicts.js";

/** @typedef {import("./api.js").Submission} Submission @typedef {import("./api.js").Verdict} Verdict
 * @typedef {import("./api.js").AttemptSent} AttemptSent
 * @typedef {import("./facts.js").ProblemFacts} ProblemFacts @typedef {import("./facts.js").Mine} Mine */
/** `source` is null while only the server has it.
 * @typedef {{id: string, at: number, verdict: Verdict | null, score: number, points: number, time: number | null,
 *   version: string, source: string | null}} Attempt */

const MOST_KEPT = 40;

/**
 * The tab with every attempt: of this browser, and all others of the same person from the server.
 *
 * @param {{parent: HTMLElement, facts: ProblemFacts, mine: Mine, restore: (source: string) => void}} options
 */
export function attempts({ parent, facts, mine, restore }) {
  const prefix = mine.who ? `${mine.who}:` : "";
  const name = `${prefix}attempts:${facts.problem}`;
  const solvedName = `${prefix}solved`;
  const read = () => kept(name, /** @type {Attempt[]} */ ([]));
  const all = signal(read());
  const open = signal("");
  const against = signal("");
  const trouble = signal("");
  const more = signal("");
  let asked = false;
  onChangedElsewhere(name, () => (all.value = merged(read(), all.value)));

  /** @param {string} cursor */
  async function load(cursor) {
    try {
      const { submissions, cursor: next } = await getAttempts(facts.problem, cursor);
      all.value = merged(all.value, submissions.map(attemptOf));
      more.value = next ?? "";
      trouble.value = "";
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      asked = false;
      trouble.value = "These are the attempts that this browser keeps; the others could not be loaded.";
    }
  }

  /** The program of an attempt, from the server where this browser has it not. @param {string} id */
  async function need(id) {
    if (!id || all.value.find((attempt) => attempt.id === id)?.source !== null) return;
    try {
      const { source } = await getSource(id);
      all.value = all.value.map((attempt) => (attempt.id === id ? { ...attempt, source } : attempt));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      trouble.value = `The program could not be loaded. ${error.message}`;
    }
  }

  function Table() {
    if (!all.value.length) return html`<p class="soft">${trouble.value || "Nothing submitted yet. Each attempt appears here with its verdict and its code."}</p>`;
    const shown = all.value.find(({ id }) => id === open.value);
    return html`${trouble.value && html`<p class="note warn" role="status">${trouble.value}</p>`}
      <div class="table-frame" tabindex="0" role="group" aria-label="Attempts">
        <table class="attempts">
          <thead><tr><th scope="col">When</th><th scope="col">Verdict</th><th scope="col">Score${facts.points ? ` of ${facts.points}` : ""}</th><th scope="col">Slowest test</th><th scope="col"><span class="visually-hidden">The program</span></th></tr></thead>
          <tbody>${all.value.map((attempt) => html`<tr key=${attempt.id}>
            <th scope="row"><a href=${`/submissions/${attempt.id}`}>${when(attempt.at)}</a>
              ${attempt.version && attempt.version !== facts.version && html`<span class="detail">on version ${attempt.version.slice(0, 7)}, not today's</span>`}</th>
            <td>${attempt.verdict ? html`<${VerdictMark} code=${attempt.verdict} />` : html`<span class="soft">being judged</span>`}</td>
            <td>${attempt.verdict && attempt.points > 0 && `${Number(attempt.score.toFixed(1))}${attempt.points === facts.points ? "" : ` of ${attempt.points}`}`}</td>
            <td>${attempt.time !== null && (attempt.time < 10 ? "< 10 ms" : `${Math.round(attempt.time)} ms`)}</td>
            <td><button type="button" class="line-link" aria-expanded=${open.value === attempt.id}
              onClick=${() => {
                open.value = open.value === attempt.id ? "" : attempt.id;
                void need(open.value);
              }}>Code</button></td>
          </tr>`)}</tbody>
        </table>
      </div>
      ${more.value && html`<p><button type="button" class="button" onClick=${() => load(more.value)}>Show earlier ones</button></p>`}
      ${shown && html`<${Code} shown=${shown} />`}`;
  }

  /** @param {{shown: Attempt}} props */
  function Code({ shown }) {
    const others = all.value.filter(({ id }) => id !== shown.id);
    const other = others.find(({ id }) => id === against.value);
    const { source } = shown;
    if (source === null) return html`<p class="soft">Loading the program.</p>`;
    return html`<div class="compare">
      <p><button type="button" class="button" onClick=${() => restore(source)}>Restore into the editor</button>
        ${others.length > 0 && html` <label>Compare with <select class="field compare-with" value=${other?.id ?? ""} onChange=${(/** @type {Event} */ event) => {
          against.value = /** @type {HTMLSelectElement} */ (event.target).value;
          void need(against.value);
        }}>
          <option value="">nothing</option>
          ${others.map(({ id, at }) => html`<option value=${id}>${new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(at)}</option>`)}
        </select></label>`}</p>
      ${other && other.source !== null
        ? html`<pre tabindex="0" aria-label="Comparison of two programs"><code>${compared(other.source, source).map(([sign, line]) => html`<span class=${{ "+": "added", "-": "removed", " ": "" }[sign]}>${sign} ${line}${"\n"}</span>`)}</code></pre>`
        : html`<pre tabindex="0" aria-label="Program"><code>${source}</code></pre>`}
    </div>`;
  }

  const tab = document.querySelector('a.tab[href="#submissions"]');
  tab?.removeAttribute("hidden");
  render(html`<${Table} />`, parent);
  return {
    /** Somebody looks at the tab: now is the time to ask the server. */
    look() {
      if (asked) return;
      asked = true;
      void load("");
    },
    /** @param {Submission} submission @param {string} source */
    add({ id, verdict, score, points, runs, package_version: version }, source) {
      if (!verdict) return;
      const time = Math.max(0, ...runs.map(({ time_ms: each }) => each));
      const attempt = { id, at: Date.now(), verdict, score: score ?? 0, points: points ?? 0, time, version: version ?? "", source };
      all.value = merged([attempt], all.value);
      keep(name, merged([attempt], read()).slice(0, MOST_KEPT));
      if (verdict === "AC") keep(solvedName, [...new Set([...kept(solvedName, /** @type {string[]} */ ([])), facts.problem])]);
    },
    solved: () => mine.solved || kept(solvedName, /** @type {string[]} */ ([])).includes(facts.problem),
  };
}

/** @param {number} at */
function when(at) {
  const year = new Date(at).getFullYear() === new Date().getFullYear() ? {} : /** @type {const} */ ({ year: "numeric" });
  return new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", ...year, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
}

/** @param {AttemptSent} sent @returns {Attempt} */
function attemptOf({ id, created_at: at, verdict, score, points, time_ms: time, package_version: version }) {
  return { id, at: Date.parse(at), verdict, score: score ?? 0, points: points ?? 0, time, version: version ?? "", source: null };
}

/** Newest first, each once: the later list knows more of a verdict, either may have the program.
 * @param {Attempt[]} before @param {Attempt[]} after */
export function merged(before, after) {
  const found = new Map(before.map((attempt) => [attempt.id, attempt]));
  for (const attempt of after) {
    const source = attempt.source ?? found.get(attempt.id)?.source ?? null;
    found.set(attempt.id, { ...found.get(attempt.id), ...attempt, source });
  }
  return [...found.values()].sort((a, b) => b.at - a.at);
}
