import { followed } from "../parts/judging.js";
import { pageFacts } from "../parts/facts.js";

/** @type {{id: string, state: string}} */
const { id, state } = pageFacts();

if (state !== "judged") {
  const ignored = { begun() {}, run() {}, trouble() {} };
  await followed(id, `/api/v1/submissions/${id}/events`, ignored, new AbortController().signal);
  location.reload();
}
