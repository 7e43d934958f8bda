/**
 * A figure is a module of the problem's package, loaded when it comes near the window. Whatever
 * is wrong with it stays inside its frame.
 *
 * @param {HTMLElement} frame @param {import("./facts.js").ProblemFacts} facts
 */
export async function showFigure(frame, facts) {
  await new Promise((resolve) => {
    const near = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        near.disconnect();
        resolve(null);
      },
      { rootMargin: "600px" },
    );
    near.observe(frame);
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
