/** What can scroll sideways: formulas, code, tables. */
const WIDE = ".katex-display, .prose pre, .table-frame";

/** A stop of the Tab key for exactly those that are wider than their place, so that keys can scroll them. */
export function reachableScrollers() {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = /** @type {HTMLElement} */ (target);
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  for (const box of document.querySelectorAll(WIDE)) watch.observe(box);
}
