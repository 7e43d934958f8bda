import { followed, queueWords } from "../parts/judging.js";
import { pageFacts } from "../parts/facts.js";

/** @type {{id: string, state: string}} */
const { id, state } = pageFacts();

if (state !== "judged") {
  const waiting = document.querySelector("#result .verdict.waiting");
  /** @param {number | null} place */
  const place = (place) => waiting && place && (waiting.lastChild?.replaceWith(queueWords(place)));
  const ignored = { begun() {}, run() {}, trouble() {}, place };
  await followed(id, `/api/v1/submissions/${id}/events`, ignored, new AbortController().signal);
  location.reload();
}
