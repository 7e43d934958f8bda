const ONE_COLUMN = matchMedia("(max-width: 59.99rem)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Brings what a program was sent for onto the screen. In one column that stands far below the
 * editor; beside the editor only what the console shows moves. Whoever has gone elsewhere since the
 * program was sent is left there.
 *
 * @param {HTMLElement} box the console
 */
export function bringer(box) {
  let elsewhere = false;
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, () => (elsewhere = true), { passive: true });
  const behavior = () => (STILL.matches ? "instant" : "smooth");
  return {
    /** A program is on its way: its verdict will stand at the top of the console. */
    sent() {
      elsewhere = false;
      if (ONE_COLUMN.matches) box.scrollIntoView({ block: "start", behavior: behavior() });
    },
    /** Own input is on its way: its fields stay where they are. */
    sentFields() {
      elsewhere = false;
    },
    /** There is something to read. @param {string} selector */
    told(selector) {
      // After the render that this is called in.
      requestAnimationFrame(() => {
        const found = /** @type {HTMLElement | null} */ (box.querySelector(selector));
        if (!found || elsewhere) return;
        const { top, bottom } = found.getBoundingClientRect();
        if (ONE_COLUMN.matches) {
          if (top >= 0 && bottom <= innerHeight) return;
          found.scrollIntoView({ block: "start", behavior: behavior() });
        } else {
          const body = /** @type {HTMLElement} */ (found.closest(".console-body"));
          if (top >= body.getBoundingClientRect().top && bottom <= body.getBoundingClientRect().bottom) return;
          body.scrollTo({ top: found.offsetTop - 12, behavior: behavior() });
        }
      });
    },
  };
}
