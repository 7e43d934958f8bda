import { html } from "htm/preact";
import { parseLiteral, NotAValue } from "./literal.js";

/**
 * Arrays as people would rather see than read: a small grid, a cell an entry. Colour says the sign,
 * strength the size; the numbers stand in text beside it, so the drawing is decoration.
 *
 * @typedef {{path: string, rows: number[][]}} Grid
 */

const FEWEST = 6;
const MOST = 400;
const CELL = 14;

/** @param {{text: string}} props */
export function Strips({ text }) {
  const grids = gridsIn(text);
  if (!grids.length) return null;
  return html`<div class="strips" aria-hidden="true">${grids.map(({ path, rows }) => html`<${Strip} path=${path} rows=${rows} />`)}</div>`;
}

/** @param {Grid} props */
function Strip({ path, rows }) {
  const width = Math.max(...rows.map((row) => row.length));
  const finite = rows.flat().filter(Number.isFinite).map(Math.abs);
  const largest = Math.max(...finite, 0) || 1;
  return html`<figure class="strip">
    <svg width=${width * CELL} height=${rows.length * CELL} viewBox=${`0 0 ${width * CELL} ${rows.length * CELL}`}>
      ${rows.flatMap((row, y) =>
        row.map((value, x) => html`<rect x=${x * CELL + 0.5} y=${y * CELL + 0.5} width=${CELL - 1} height=${CELL - 1}
          class=${Number.isFinite(value) ? (value < 0 ? "negative" : "positive") : "not-finite"}
          fill-opacity=${Number.isFinite(value) ? Math.abs(value) / largest : 1}><title>${value}</title></rect>`),
      )}
    </svg>
    ${path && html`<figcaption>${path}</figcaption>`}
  </figure>`;
}

/** The arrays in a written value that are large enough to look at. @param {string} text @returns {Grid[]} */
export function gridsIn(text) {
  try {
    return [...grids(parseLiteral(text), "")];
  } catch (error) {
    // Shortened values cannot be read back; they stay text.
    if (error instanceof NotAValue) return [];
    throw error;
  }
}

/** @param {any} value @param {string} path @returns {Generator<Grid>} */
function* grids(value, path) {
  if (value && typeof value === "object") {
    const lists = Array.isArray(value) ? value : value.array;
    const rows = Array.isArray(lists) ? rectangle(lists) : null;
    if (rows) {
      const size = rows.length * rows[0].length;
      if (size >= FEWEST && size <= MOST) yield { path, rows };
    } else if (Array.isArray(lists)) {
      for (const [index, item] of lists.entries()) yield* grids(item, `${path}[${index}]`);
    } else if (value.tuple) {
      for (const [index, item] of value.tuple.entries()) yield* grids(item, `${path}[${index}]`);
    } else if (value.dict) {
      for (const [key, item] of value.dict) yield* grids(item, path ? `${path}.${key}` : `${key}`);
    }
  }
}

/** One or two axes of numbers as rows; null for anything else. @param {any[]} lists @returns {number[][] | null} */
function rectangle(lists) {
  if (!lists.length) return null;
  if (lists.every(isNumber)) return [lists.map(asNumber)];
  const width = Array.isArray(lists[0]) ? lists[0].length : 0;
  const even = width && lists.every((row) => Array.isArray(row) && row.length === width && row.every(isNumber));
  return even ? lists.map((row) => row.map(asNumber)) : null;
}

/** @param {any} value */
function isNumber(value) {
  return typeof value === "number" || typeof value === "string" || typeof value?.float === "string";
}

/** @param {any} value */
function asNumber(value) {
  return Number(typeof value === "object" ? value.float : value);
}
