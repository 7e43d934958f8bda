/**
 * Clipping by global norm as an arrow and a circle. The arrow's two coordinates are the norms of
 * two gradients, its length is the global norm, and the circle's radius is the limit. Both can be
 * dragged, or focused and moved with the arrow keys.
 */

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 34; // pixels of the drawing for a norm of 1
const LARGEST = 9; // both axes end here
const LEFT = 44;
const BOTTOM = 345;
const STEP = 0.1;
const START = { first: 3, second: 4, limit: 2.5 };

const STYLE = `
.norm-plot { display: grid; gap: var(--space-4, 1rem); grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.norm-plot svg { inline-size: 100%; block-size: auto; max-inline-size: 28rem; touch-action: none; user-select: none; }
.norm-plot text { fill: var(--ink-soft, var(--muted)); font-size: 13px; }
.norm-plot .axis { stroke: var(--line-strong, var(--line)); }
.norm-plot .tick { stroke: var(--line); }
.norm-plot .inside { fill: var(--pass, var(--good)); fill-opacity: 0.1; }
.norm-plot .rim { fill: none; stroke: var(--pass, var(--good)); stroke-width: 2; }
.norm-plot .band { fill: none; stroke: transparent; stroke-width: 24; cursor: grab; }
.norm-plot .before { stroke: var(--ink-soft, var(--muted)); stroke-width: 2; stroke-dasharray: 6 5; }
.norm-plot .after { stroke: var(--accent); stroke-width: 4; }
.norm-plot .after-tip { fill: var(--accent); }
.norm-plot .before, .norm-plot .after, .norm-plot .after-tip { pointer-events: none; }
.norm-plot .handle { cursor: grab; outline: none; }
.norm-plot .handle:active { cursor: grabbing; }
.norm-plot .handle .grip { fill: var(--surface); stroke-width: 3; }
.norm-plot .handle .reach { fill: transparent; }
.norm-plot .gradient-handle .grip { stroke: var(--ink); }
.norm-plot .limit-handle .grip { stroke: var(--pass, var(--good)); }
.norm-plot .handle .halo { fill: none; stroke: transparent; stroke-width: 3; }
.norm-plot .handle:focus-visible .halo { stroke: var(--accent); }
.norm-plot .legend { list-style: none; padding: 0; margin: 0 0 var(--space-3, 0.75rem); display: grid; gap: 0.25rem; }
.norm-plot .legend svg { inline-size: 2.25rem; margin-inline-end: 0.5rem; vertical-align: middle; }
.norm-plot .formula-line { font-variant-numeric: tabular-nums; margin: 0.25rem 0; }
.norm-plot table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: var(--space-3, 0.75rem) 0; }
.norm-plot th, .norm-plot td { padding: 0.15rem 0.75rem 0.15rem 0; text-align: start; font-weight: inherit; border-block-end: 1px solid var(--line); }
.norm-plot .sentence { font-weight: 600; min-block-size: 4.5em; }
`;

/** Draws the figure into `element`. @param {HTMLElement} element */
export default function mount(element) {
  addStyle();
  const state = { ...START };
  const drawing = new Drawing(state, show);
  const words = new Words(reset);
  const root = make("div", { class: "norm-plot" });
  root.append(drawing.svg, words.root);
  element.replaceChildren(root);
  show();

  function show() {
    const facts = clip(state);
    drawing.show(facts);
    words.show(facts);
  }

  function reset() {
    Object.assign(state, START);
    show();
  }
}

/**
 * @typedef {{first: number, second: number, limit: number}} State
 * @typedef {State & {norm: number, factor: number, clipped: boolean}} Facts
 */

/** The rule of the page, for two norms. @param {State} state @returns {Facts} */
function clip(state) {
  const norm = Math.hypot(state.first, state.second);
  const clipped = norm > state.limit;
  return { ...state, norm, clipped, factor: clipped ? state.limit / norm : 1 };
}

/** The sentence below the plot. @param {Facts} facts */
function sentence({ first, second, limit, norm, factor, clipped }) {
  if (norm === 0) return "Both gradients are zero, so the global norm is 0 and there is nothing to clip.";
  if (clipped) {
    return (
      `The global norm ${number(norm)} is above the limit ${number(limit)}, so both gradients are ` +
      `multiplied by ${number(factor, 3)}: ${number(first)} becomes ${number(first * factor)} and ` +
      `${number(second)} becomes ${number(second * factor)}.`
    );
  }
  const relation = Math.abs(norm - limit) < 1e-9 ? "equals" : "is below";
  return (
    `The global norm ${number(norm)} ${relation} the limit ${number(limit)}, so nothing is clipped: ` +
    `the gradients keep their norms of ${number(first)} and ${number(second)}.`
  );
}

/** The plot: what can be seen and dragged. */
class Drawing {
  /** @param {State} state @param {() => void} changed */
  constructor(state, changed) {
    this.state = state;
    this.changed = changed;
    this.title = draw("title", { id: "norm-plot-title" });
    this.title.textContent = "Two gradient norms as an arrow, the limit as a circle";
    this.description = draw("desc", { id: "norm-plot-text" });
    this.inside = draw("path", { class: "inside" });
    this.rim = draw("path", { class: "rim" });
    this.band = draw("path", { class: "band" }); // the whole circle can be taken hold of
    this.before = draw("line", { class: "before", x1: LEFT, y1: BOTTOM });
    this.after = draw("line", { class: "after", x1: LEFT, y1: BOTTOM });
    this.tip = draw("circle", { class: "after-tip", r: 6 });
    this.limitLabel = draw("text", { x: LEFT + 8 });
    this.gradient = handle("gradient-handle", "Norms of the two gradients");
    this.limit = handle("limit-handle", "Limit");
    this.svg = draw("svg", {
      viewBox: `0 0 ${LEFT + LARGEST * UNIT + 16} ${BOTTOM + 46}`,
      role: "group",
      "aria-labelledby": "norm-plot-title",
      "aria-describedby": "norm-plot-text",
    });
    this.svg.append(
      this.title, this.description, this.inside, ...axes(), this.rim, this.band, this.before, this.after,
      this.tip, this.limitLabel, this.limit, this.gradient,
    );
    this.#listen(this.gradient, (x, y) => Object.assign(this.state, { first: x, second: y }), arrow);
    for (const grip of [this.limit, this.band]) {
      this.#listen(grip, (x, y) => Object.assign(this.state, { limit: Math.hypot(x, y) }), limit);
    }
  }

  /** @param {Facts} facts */
  show(facts) {
    const [x, y] = [across(facts.first), up(facts.second)];
    const end = { x2: across(facts.first * facts.factor), y2: up(facts.second * facts.factor) };
    const radius = facts.limit * UNIT;
    const rim = `M ${LEFT} ${BOTTOM - radius} A ${radius} ${radius} 0 0 1 ${LEFT + radius} ${BOTTOM}`;
    set(this.rim, { d: rim });
    set(this.band, { d: rim });
    set(this.inside, { d: `${rim} L ${LEFT} ${BOTTOM} Z` });
    set(this.before, { x2: x, y2: y });
    set(this.after, end);
    set(this.tip, { cx: end.x2, cy: end.y2 });
    set(this.gradient, {
      transform: `translate(${x} ${y})`,
      "aria-valuemin": 0, "aria-valuemax": number(LARGEST * Math.SQRT2), "aria-valuenow": number(facts.norm),
      "aria-valuetext": `first ${number(facts.first)}, second ${number(facts.second)}, global norm ${number(facts.norm)}`,
    });
    set(this.limit, {
      transform: `translate(${LEFT + radius} ${BOTTOM})`,
      "aria-valuemin": STEP, "aria-valuemax": LARGEST, "aria-valuenow": number(facts.limit),
      "aria-valuetext": `limit ${number(facts.limit)}`,
    });
    // Over the circle, and inside where the axis has its own label over it.
    set(this.limitLabel, { y: Math.max(BOTTOM - radius - 8, up(LARGEST) + 16) });
    this.limitLabel.textContent = `limit ${number(facts.limit)}`;
    this.description.textContent = sentence(facts);
  }

  /**
   * Lets a handle be dragged and moved by keys.
   * @param {SVGElement} grip
   * @param {(x: number, y: number) => void} place sets the state from a point in units of norm
   * @param {(state: State, key: string, step: number) => boolean} nudge false if the key is not ours
   */
  #listen(grip, place, nudge) {
    grip.addEventListener("pointerdown", (event) => {
      grip.setPointerCapture(event.pointerId);
      grip.focus();
      event.preventDefault();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      const point = this.#units(event);
      place(point.x, point.y);
      this.#settle();
    });
    grip.addEventListener("keydown", (event) => {
      if (!nudge(this.state, event.key, event.shiftKey ? 10 * STEP : STEP)) return;
      event.preventDefault();
      this.#settle();
    });
  }

  /** Where a pointer is, in units of norm. @param {PointerEvent} event */
  #units(event) {
    const matrix = this.svg.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return { x: Math.max(0, (point.x - LEFT) / UNIT), y: Math.max(0, (BOTTOM - point.y) / UNIT) };
  }

  /** Keeps all numbers on the grid and inside the plot, and tells. */
  #settle() {
    const { state } = this;
    state.first = onGrid(state.first, 0);
    state.second = onGrid(state.second, 0);
    state.limit = onGrid(state.limit, STEP);
    this.changed();
  }
}

/** Legend, formulas, table and sentence: the same facts in words and numbers. */
class Words {
  /** @param {() => void} reset */
  constructor(reset) {
    this.root = make("div");
    this.norm = make("p", { class: "formula-line" });
    this.factor = make("p", { class: "formula-line" });
    this.cells = make("tbody");
    this.sentence = make("p", { class: "sentence", role: "status" });
    const table = make("table");
    const head = make("tr");
    head.append(...["length", "before", "after"].map((text) => cell("th", text, { scope: "col" })));
    table.append(make("thead"), this.cells);
    table.tHead?.append(head);
    const button = make("button", { type: "button", class: "button" }, "Start again");
    button.addEventListener("click", reset);
    const help = make("p", { class: "soft" }, "Drag the arrow's end or the circle, or focus one with Tab and use the arrow keys (with Shift: larger steps).");
    this.root.append(legend(), this.norm, this.factor, table, this.sentence, help, button);
  }

  /** @param {Facts} facts */
  show(facts) {
    const { first, second, limit, norm, factor, clipped } = facts;
    this.norm.textContent = `N = √(‖g₁‖² + ‖g₂‖²) = √(${number(first)}² + ${number(second)}²) = ${number(norm)}`;
    this.factor.textContent = clipped
      ? `factor = limit / N = ${number(limit)} / ${number(norm)} = ${number(factor, 3)}`
      : `factor = 1, because N = ${number(norm)} is not above ${number(limit)}`;
    const rows = [["‖g₁‖", first], ["‖g₂‖", second], ["global norm", norm]];
    this.cells.replaceChildren(
      ...rows.map(([name, before]) => {
        const row = make("tr");
        row.append(
          cell("th", String(name), { scope: "row" }),
          cell("td", number(Number(before))),
          cell("td", number(Number(before) * factor)),
        );
        return row;
      }),
    );
    this.sentence.textContent = sentence(facts);
  }
}

/** Moves the arrow's end. @param {State} state @param {string} key @param {number} step */
function arrow(state, key, step) {
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const move = moves[/** @type {keyof typeof moves} */ (key)];
  if (!move) return false;
  state.first += move[0] * step;
  state.second += move[1] * step;
  return true;
}

/** Widens or narrows the circle. @param {State} state @param {string} key @param {number} step */
function limit(state, key, step) {
  if (key === "ArrowRight" || key === "ArrowUp") state.limit += step;
  else if (key === "ArrowLeft" || key === "ArrowDown") state.limit -= step;
  else if (key === "Home") state.limit = STEP;
  else if (key === "End") state.limit = LARGEST;
  else return false;
  return true;
}

/** @param {string} kind @param {string} label */
function handle(kind, label) {
  const grip = draw("g", { class: `handle ${kind}`, tabindex: 0, role: "slider", "aria-label": label });
  grip.append(
    draw("circle", { class: "reach", r: 22 }),
    draw("circle", { class: "halo", r: 14 }),
    draw("circle", { class: "grip", r: 8 }),
  );
  return grip;
}

function axes() {
  /** @type {SVGElement[]} */
  const parts = [
    draw("line", { class: "axis", x1: LEFT, y1: BOTTOM, x2: across(LARGEST), y2: BOTTOM }),
    draw("line", { class: "axis", x1: LEFT, y1: BOTTOM, x2: LEFT, y2: up(LARGEST) }),
  ];
  for (let at = 3; at <= LARGEST; at += 3) {
    parts.push(
      draw("line", { class: "tick", x1: across(at), y1: BOTTOM, x2: across(at), y2: up(LARGEST) }),
      draw("line", { class: "tick", x1: LEFT, y1: up(at), x2: across(LARGEST), y2: up(at) }),
      label(across(at), BOTTOM + 20, "middle", String(at)),
      label(LEFT - 10, up(at) + 4, "end", String(at)),
    );
  }
  parts.push(
    label(across(LARGEST), BOTTOM + 40, "end", "‖g₁‖, the first gradient’s norm"),
    label(LEFT - 10, up(LARGEST) - 14, "start", "‖g₂‖, the second gradient’s norm"),
  );
  return parts;
}

/** @param {number} x @param {number} y @param {string} anchor @param {string} text */
function label(x, y, anchor, text) {
  const found = draw("text", { x, y, "text-anchor": anchor });
  found.textContent = text;
  return found;
}

function legend() {
  const list = make("ul", { class: "legend" });
  const entries = [["before", "the gradients as they come"], ["after", "the gradients after clipping"], ["rim", "the limit: no arrow ends outside"]];
  for (const [kind, text] of entries) {
    const item = make("li");
    const key = draw("svg", { viewBox: "0 0 36 12", "aria-hidden": "true" });
    key.append(draw("line", { class: kind, x1: 2, y1: 6, x2: 34, y2: 6 }));
    item.append(key, text);
    list.append(item);
  }
  return list;
}

/** @param {number} value */
const across = (value) => LEFT + value * UNIT;

/** @param {number} value */
const up = (value) => BOTTOM - value * UNIT;

/** The nearest multiple of the step within the plot. @param {number} value @param {number} smallest */
function onGrid(value, smallest) {
  return Math.min(LARGEST, Math.max(smallest, Math.round(value / STEP) * STEP));
}

/** @param {number} value @param {number} places */
function number(value, places = 2) {
  return value.toFixed(places);
}

/** @param {"td" | "th"} kind @param {string} text @param {Record<string, string>} [attributes] */
function cell(kind, text, attributes = {}) {
  return make(kind, attributes, text);
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, string | number>} [attributes] @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(name, attributes = {}, text = "") {
  const found = document.createElement(name);
  set(found, attributes);
  found.textContent = text;
  return found;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name @param {Record<string, string | number>} [attributes]
 * @returns {SVGElementTagNameMap[K]}
 */
function draw(name, attributes = {}) {
  const found = document.createElementNS(SVG, name);
  set(found, attributes);
  return found;
}

/** @param {Element} target @param {Record<string, string | number>} attributes */
function set(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, String(value));
}

/** A sheet made by script needs no exception in the page's content policy. */
function addStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
