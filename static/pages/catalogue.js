import { element } from "../parts/facts.js";
import { kept, onChangedElsewhere } from "../parts/kept.js";

/**
 * One row of the list, and what it can be found by.
 * @typedef {{row: HTMLElement, text: string, title: string, minutes: number, level: number,
 *   difficulty: string, track: string, tag: string[], role: string[], solved: boolean}} Entry
 */

const LEVELS = ["easy", "medium", "hard"];

const list = element("problems");
const form = /** @type {HTMLFormElement} */ (element("filters"));
const rows = /** @type {HTMLElement[]} */ ([...list.children]);
const entries = rows.map((row) => {
  const { difficulty = "", minutes = "", track = "", tags = "", roles = "" } = row.dataset;
  return /** @type {Entry} */ ({
    row,
    text: plain(`${row.textContent} ${row.dataset.problem} ${roles}`),
    title: row.querySelector(".problem-title")?.textContent ?? "",
    minutes: Number(minutes),
    level: LEVELS.indexOf(difficulty),
    difficulty,
    track,
    tag: tags.split("|"),
    role: roles.split("|"),
    solved: row.dataset.solved !== undefined,
  });
});

/** Lower case, without accents: as people search. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
}

/** @param {Entry} entry @param {Record<string, string>} chosen */
function fits(entry, chosen) {
  const words = plain(chosen.search ?? "").split(" ").filter(Boolean);
  return (
    words.every((word) => entry.text.includes(word)) &&
    (!chosen.difficulty || entry.difficulty === chosen.difficulty) &&
    (!chosen.track || entry.track === chosen.track) &&
    (!chosen.tag || entry.tag.includes(chosen.tag)) &&
    (!chosen.role || entry.role.includes(chosen.role)) &&
    (!chosen.state || entry.solved === (chosen.state === "solved"))
  );
}

/** @type {Record<string, (a: Entry, b: Entry) => number>} */
const ORDERS = {
  title: (a, b) => a.title.localeCompare(b.title),
  difficulty: (a, b) => a.level - b.level || a.minutes - b.minutes,
  minutes: (a, b) => a.minutes - b.minutes,
};

let order = "";

function show() {
  const chosen = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  let count = 0;
  for (const entry of entries) {
    const shown = fits(entry, chosen);
    entry.row.hidden = !shown;
    count += Number(shown);
  }
  if (chosen.order !== order) {
    order = chosen.order;
    list.append(...(order ? entries.toSorted(ORDERS[order]) : entries).map(({ row }) => row));
  }
  element("count").textContent = `${count === entries.length ? "" : `${count} of `}${entries.length} problems`;
  element("nothing").hidden = count > 0;
  const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
}

const solvedName = list.dataset.who ? `${list.dataset.who}:solved` : "solved";

/** The server marked what it knows; what only this browser has seen solved is added. */
function markSolved() {
  const solved = new Set(kept(solvedName, /** @type {string[]} */ ([])));
  for (const entry of entries) {
    if (entry.solved || !solved.has(entry.row.dataset.problem ?? "")) continue;
    entry.solved = true;
    const mark = entry.row.querySelector(".solved-mark");
    if (!mark) continue;
    mark.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#i-AC"/></svg><span class="visually-hidden">Solved</span>';
  }
  const count = entries.filter((entry) => entry.solved).length;
  element("progress").hidden = count === 0;
  /** @type {HTMLProgressElement} */ (element("solved-share")).value = count;
  element("solved-count").textContent = `${count} of ${entries.length}`;
}

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
}
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
element("clear").addEventListener("click", () => {
  form.reset();
  show();
  element("search").focus();
});
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "/" || target.matches("input, select, textarea")) return;
  event.preventDefault();
  element("search").focus();
});
onChangedElsewhere(solvedName, () => {
  markSolved();
  show();
});
markSolved();
show();
document.documentElement.dataset.ready = "";
