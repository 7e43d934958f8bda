import { arrows } from "./console.js";
import { element } from "./facts.js";
import { keep, kept } from "./kept.js";

/**
 * Turns the sections of the left half into tabs; without scripts they follow one another.
 * @param {string} problem @param {Record<string, () => void>} looked called when a tab is shown
 */
export function readingTabs(problem, looked) {
  const list = element("reading-tabs");
  const links = /** @type {HTMLAnchorElement[]} */ ([...list.querySelectorAll("a.tab")]);
  list.setAttribute("role", "tablist");
  for (const link of links) {
    const panel = element(link.hash.slice(1));
    link.setAttribute("role", "tab");
    link.setAttribute("aria-controls", panel.id);
    link.id = `tab-${panel.id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", link.id);
    panel.removeAttribute("aria-label");
    panel.tabIndex = 0;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const stuck = panel.getBoundingClientRect().top < 0 || scrollY > list.offsetTop;
      show(panel.id);
      if (stuck) panel.scrollIntoView();
      history.replaceState(history.state, "", link.hash);
    });
    link.addEventListener("keydown", (event) => {
      if (event.key === " ") {
        event.preventDefault();
        link.click();
      }
    });
  }
  list.addEventListener("keydown", arrows);

  /** @param {string} id */
  function show(id) {
    for (const link of links) {
      const chosen = link.hash === `#${id}`;
      link.setAttribute("aria-selected", String(chosen));
      link.tabIndex = chosen ? 0 : -1;
      element(link.hash.slice(1)).hidden = !chosen;
    }
    looked[id]?.();
  }

  addEventListener("hashchange", () => {
    if (links.some((link) => link.hash === location.hash)) show(location.hash.slice(1));
  });
  show(links.some((link) => link.hash === location.hash) ? location.hash.slice(1) : "problem");
  rememberRungs(problem);
  return { show };
}

/** Hints and the solution stay as they were opened. @param {string} problem */
function rememberRungs(problem) {
  const name = `opened:${problem}`;
  const opened = new Set(kept(name, /** @type {string[]} */ ([])));
  for (const rung of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.rung"))) {
    const key = rung.dataset.rung ?? rung.id;
    rung.open = opened.has(key);
    rung.addEventListener("toggle", () => {
      if (rung.open) opened.add(key);
      else opened.delete(key);
      keep(name, [...opened]);
    });
  }
}
