import { pageFacts } from "../parts/facts.js";
import { kept } from "../parts/kept.js";

/** @type {{problems: {id: string}[]}} */
const { problems } = pageFacts();
const solved = new Set(kept("solved", /** @type {string[]} */ ([])));
for (const { id } of problems) {
  if (!solved.has(id)) continue;
  const mark = document.querySelector(`[data-problem="${CSS.escape(id)}"] .solved-mark`);
  if (mark) mark.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#i-AC"/></svg><span class="visually-hidden">Solved</span>';
}
