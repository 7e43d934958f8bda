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
 *   package_version: string | null, source?: string}} Submission
 * @typedef {{id: string, url: string, events_url: string}} Accepted
 * @typedef {{where: string, message: string}} FieldError
 */

const API = "/api/v1";

/** The API said no; `detail` is a sentence for people. */
export class Refused extends Error {
  /** @param {number} status @param {string} detail @param {FieldError[]} errors */
  constructor(status, detail, errors) {
    super(detail);
    this.status = status;
    this.errors = errors;
  }
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
