import { getSubmission, post, Refused } from "./api.js";

/** @typedef {import("./api.js").Submission} Submission @typedef {import("./api.js").Verdict} Verdict */
/**
 * What is told while a program is judged.
 * @typedef {{
 *   begun: () => void,
 *   run: (told: {index: number, verdict: Verdict, time_ms: number}) => void,
 *   trouble: (lost: boolean) => void,
 *   place: (place: number | null) => void,
 * }} Watcher
 */

const POLL_MS = 1500;
const EVENTS_ON = 1;

/**
 * Send a program and follow it until it is judged, through lost connections and restarts.
 *
 * @param {"/submissions" | "/runs"} path @param {object} body @param {Watcher} watcher
 * @param {AbortSignal} stop @param {(id: string) => void} [accepted]
 * @returns {Promise<Submission>}
 */
export async function judged(path, body, watcher, stop, accepted) {
  const { id, events_url: eventsUrl } = await post(path, body);
  accepted?.(id);
  return followed(id, eventsUrl, watcher, stop);
}

/**
 * Events tell what happens; the submission itself tells the result. Where the stream fails for
 * good, asking now and then does as well.
 *
 * @param {string} id @param {string} eventsUrl @param {Watcher} watcher @param {AbortSignal} stop
 * @returns {Promise<Submission>}
 */
export function followed(id, eventsUrl, watcher, stop) {
  return new Promise((resolve, reject) => {
    const stream = new EventSource(eventsUrl);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let asking = false;

    const notNow = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const end = () => {
      notNow();
      stream.close();
    };
    // A question that is due stays due: errors that come faster than it must not put it off.
    const later = () => {
      timer ??= setTimeout(ask, POLL_MS);
    };
    async function ask() {
      if (asking) return;
      asking = true;
      notNow();
      try {
        const submission = await getSubmission(id);
        watcher.trouble(false);
        if (stop.aborted) return;
        if (submission.state === "judged") {
          end();
          resolve(submission);
        } else {
          watcher.place(submission.queue_place);
          later();
        }
      } catch (error) {
        if (error instanceof Refused && error.status < 500) {
          end();
          reject(error);
        } else {
          watcher.trouble(true);
          later();
        }
      } finally {
        asking = false;
      }
    }

    // Events tell nothing of a queue: whoever waits longer asks for their place.
    later();
    stream.addEventListener("judging", () => {
      notNow();
      watcher.trouble(false);
      watcher.begun();
    });
    stream.addEventListener("run", (event) => {
      notNow();
      watcher.run(JSON.parse(event.data));
    });
    stream.addEventListener("judged", ask);
    stream.addEventListener("error", () => {
      // The browser reconnects by itself while the state is "connecting"; asking bridges the gap.
      if (stream.readyState !== EVENTS_ON) later();
    });
    stop.addEventListener("abort", () => {
      end();
      reject(stop.reason);
    });
  });
}

/** A place in the queue, once it is more than the next. @param {number | null} place */
export function queueWords(place) {
  if (!place || place < 2) return "Waiting for its turn";
  const ending = { 1: "st", 2: "nd", 3: "rd" }[place % 100 > 10 && place % 100 < 14 ? 0 : place % 10] ?? "th";
  return `${place}${ending} in the queue`;
}
