// Keeps numbers of the admin area fresh: asks the API, writes what it says where the page names it.
// Loads the page anew once two numbers are one (`until`), or something is no more as it was (`while`).
const EVERY_MS = 2000;

/** @param {any} told @param {string} path */
function valueAt(told, path) {
  return path.split(".").reduce((inner, name) => inner?.[name], told);
}

/** @param {HTMLElement} element @param {unknown} value */
function write(element, value) {
  if (value === undefined || value === null) return;
  if (element instanceof HTMLProgressElement) element.value = Number(value);
  else element.textContent = String(value);
}

/** @param {HTMLElement} source */
async function refresh(source) {
  if (document.hidden) return;
  const answer = await fetch(source.dataset.poll ?? "").catch(() => null);
  if (!answer?.ok) return;
  const told = await answer.json();
  for (const element of document.querySelectorAll("[data-field]")) {
    if (element instanceof HTMLElement) write(element, valueAt(told, element.dataset.field ?? ""));
  }
  const { field, until } = source.dataset;
  const meanwhile = Object.entries(JSON.parse(source.dataset.while ?? "{}"));
  if (meanwhile.some(([name, value]) => valueAt(told, name) !== value)) location.reload();
  if (field && until && valueAt(told, field) === valueAt(told, until)) location.reload();
}

const source = document.querySelector("[data-poll]");
if (source instanceof HTMLElement) setInterval(() => refresh(source), EVERY_MS);
