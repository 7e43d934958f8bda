/**
 * The public REST API, as scripts use it too.
 *
 * @typedef {"AC"|"WA"|"RTE"|"CE"|"TLE"|"MLE"|"OLE"|"JE"} Verdict
 * @typedef {{path: string, got: string, want: string, error: number | string | {float: string} | null,
 *   allowed: number | string | {float: string} | null}} Difference
 * @typedef {{kind: string, path: string, summary: string, message: string, differences: Difference[],
 *   count: number, largest: Difference | null}} Mismatch
 * @typedef {{text: string, cut_bytes: number}} Printed
 * @typedef {{name: string, value: string}} WrittenArgument
 * @typedef {{message: string, mismatch: Mismatch | null, exception_type: string, exception_message: string,
 *   line: number | null, column: number | null, arguments: WrittenArgument[], returned: string,
 *   answer: string, stdout: Printed | null, stderr: Printed | null, remark: string, hint: string}} Feedback
 * @typedef {{index: number, label: string, sample: boolean, verdict: Verdict, time_ms: number,
 *   memory_kib: number, feedback: Feedback}} Run
 * @typedef {{id: string, problem: string, state: "queued"|"judging"|"judged", verdict: Verdict | null,
 *   score: number | null, points: number | null, bonus: number | null, message?: string,
 *   diagnosis: {name: string, title: string, explanation: string} | null, runs: Run[],
 *   package_version: string | null, queue_place: number | null}} Submission
 * @typedef {{id: string, problem: string, state: "queued"|"judging"|"judged", created_at: string,
 *   verdict: Verdict | null, score: number | null, points: number | null, bonus: number | null,
 *   time_ms: number | null, package_version: string | null}} AttemptSent
 * @typedef {{id: string, url: string, events_url: string}} Accepted
 * @typedef {{where: string, message: string}} FieldError
 */

const API = "/api/v1";

/** The API said no; `detail` is a sentence for people. */
export class Refused extends Error {
  /** @param {number} status @param {string} detail @param {FieldError[]} errors */
  constructor(status, detail, errors) {
    super(sentence(detail));
    this.status = status;
    this.errors = errors;
  }
}

/** The API's own words, as a sentence. @param {string} words */
function sentence(words) {
  const named = !/^\p{L}+( |$)/u.test(words); // by a place, which keeps its letters
  const said = named ? words : words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** The server was not reached at all. */
export class Unreachable extends Error {}

/** @param {string} path @param {RequestInit} [options] */
async function call(path, options) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Unreachable("The server cannot be reached.");
  }
  const type = response.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await response.json().catch(() => null) : null;
  if (!response.ok) {
    const detail = body?.detail ?? body?.title ?? `The server answered ${response.status}.`;
    throw new Refused(response.status, detail, body?.errors ?? []);
  }
  return body;
}

/** @param {string} path @param {object} body @returns {Promise<Accepted>} */
export function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return call(API + path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** @param {string} id @returns {Promise<Submission>} */
export function getSubmission(id) {
  return call(`${API}/submissions/${encodeURIComponent(id)}`);
}

/** Own submissions, newest first. @param {string} problem @param {string} cursor
 * @returns {Promise<{submissions: AttemptSent[], cursor: string | null}>} */
export function getAttempts(problem, cursor) {
  return call(`${API}/submissions?${new URLSearchParams({ problem, cursor })}`);
}

/** @param {string} id @returns {Promise<{source: string}>} */
export function getSource(id) {
  return call(`${API}/submissions/${encodeURIComponent(id)}/source`);
}

/** @param {string} problem @returns {Promise<{source: string, revision: number, saved_at: string}>} */
export function getDraft(problem) {
  return call(`${API}/drafts/${problem}`);
}

/** Save over the revision that is known; 0: there is none. @param {string} problem @param {string} source
 * @param {number} revision @param {boolean} leaving the page is on its way out @returns {Promise<{revision: number}>} */
export function putDraft(problem, source, revision, leaving) {
  /** @type {Record<string, string>} */
  const known = revision ? { "If-Match": `"${revision}"` } : { "If-None-Match": "*" };
  const headers = { "Content-Type": "application/json", ...known };
  const body = JSON.stringify({ source });
  // Browsers let a request outlive its page only while it is small.
  const keepalive = leaving && body.length < 60_000;
  return call(`${API}/drafts/${problem}`, { method: "PUT", headers, body, keepalive });
}

/** @param {string} problem @returns {Promise<{people: number}>} */
export function bePresent(problem) {
  return call(`${API}/problems/${problem}/presence`, { method: "PUT" });
}

/** @param {string} problem */
export function leavePage(problem) {
  fetch(`${API}/problems/${problem}/presence`, { method: "DELETE", keepalive: true }).catch(() => {});
}
