import { bePresent, leavePage } from "./api.js";
import { element } from "./facts.js";

const BEAT_MS = 20_000;
const REPLY_MS = 300;

/**
 * "n people are solving this", counted from open pages. A person counts once however many tabs are
 * open: when one of them closes, the others say that they are still there.
 *
 * @param {string} problem
 */
export function presence(problem) {
  const place = /** @type {HTMLElement} */ (element("present").lastElementChild);
  const tabs = new BroadcastChannel(`allclose:${problem}`);

  async function beat() {
    try {
      const { people } = await bePresent(problem);
      place.textContent = people === 1 ? "1 person is solving this" : `${people} people are solving this`;
    } catch {
      // How many there are is no more than nice to know: the next beat tells.
    }
  }
  tabs.addEventListener("message", () => setTimeout(beat, REPLY_MS));
  addEventListener("pagehide", () => {
    leavePage(problem);
    tabs.postMessage("left");
  });
  addEventListener("pageshow", ({ persisted }) => persisted && beat());
  document.addEventListener("visibilitychange", () => document.hidden || beat());
  setInterval(beat, BEAT_MS);
  void beat();
}
