/** When it is drawn even if the page is never idle. */
const LATEST_MS = 2000;

/**
 * A figure is a module of the problem's package. It is drawn once the page has nothing else to do, so
 * that it stands there, and nothing moves, when somebody comes to it. Whatever is wrong with it stays
 * inside its frame.
 *
 * @param {HTMLElement} frame @param {import("./facts.js").ProblemFacts} facts
 */
export async function showFigure(frame, facts) {
  await new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: LATEST_MS });
    else setTimeout(resolve);
  });
  try {
    const { default: mount } = await import(frame.dataset.module ?? "");
    frame.replaceChildren();
    await mount(frame, facts);
  } catch (error) {
    console.error(error);
    frame.textContent = "The figure could not be shown. Reload the page to try again.";
  }
}
