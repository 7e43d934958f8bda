/**
 * A learning rate over the steps of a run. Warm-up, end and floor can be set with sliders; the shape
 * of the decay and what the first step counts as with buttons. The peak is 1.
 */

const SVG = "http://www.w3.org/2000/svg";
const LAST = 40; // steps shown
const START = { warmup: 8, total: 32, floor: 0.1, shape: "linear", first: 0, step: 20 };

// What the figure shows first, on the page of each variant.
const VARIANTS = {
  "lr_schedule/cosine_first": { shape: "cosine", first: 1 },
  "lr_schedule/linear_rounded": { first: 1 },
};

// Width of the drawing in pixels.
let wide = 520;

const STYLE = `
.schedule-plot { display: grid; gap: var(--space-4, 1rem); }
.schedule-plot svg { inline-size: 100%; block-size: auto; max-inline-size: 36rem; }
.schedule-plot text { fill: var(--ink-soft, var(--muted)); font-size: 12px; stroke: var(--surface); stroke-width: 4; paint-order: stroke; }
.schedule-plot .axis { stroke: var(--line-strong, var(--line)); }
.schedule-plot .mark { stroke: var(--ink-soft, var(--muted)); stroke-dasharray: 3 4; }
.schedule-plot .rate { fill: none; stroke: var(--accent); stroke-width: 2; }
.schedule-plot .dot { fill: var(--accent); }
.schedule-plot .chosen { fill: var(--surface); stroke: var(--accent); stroke-width: 3; }
.schedule-plot .settings { display: grid; gap: 0.5rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.schedule-plot label { display: grid; grid-template-columns: 6.5rem 1fr 3.75rem; align-items: center; gap: 0.5rem; }
.schedule-plot select { grid-column: 2 / -1; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-strong, var(--line)); border-radius: 4px; padding: 0.2rem 0.4rem; }
.schedule-plot .value { font-variant-numeric: tabular-nums; text-align: end; }
.schedule-plot input { accent-color: var(--accent); min-inline-size: 0; }
.schedule-plot .sentence { font-weight: 600; min-block-size: 3em; margin: 0; }
`;

/**
 * @typedef {{warmup: number, total: number, floor: number, shape: string, first: number, step: number}} State
 */

/**
 * Draws the figure into `element`.
 * @param {HTMLElement} element @param {{problem?: string}} facts
 */
export default function mount(element, facts) {
  addStyle();
  /** @type {State} */
  const state = { ...START, ...VARIANTS[/** @type {keyof typeof VARIANTS} */ (facts.problem ?? "")] };
  const root = make("div", { class: "schedule-plot" });
  const svg = draw("svg", { role: "img", "aria-labelledby": "schedule-plot-title schedule-plot-text" });
  const settings = make("div", { class: "settings" });
  const sentence = make("p", { class: "sentence", role: "status" });
  settings.append(
    slider("Warm-up", "warmup", 0, 20, 1),
    slider("Total", "total", 1, LAST, 1),
    slider("Floor", "floor", 0, 1, 0.05),
    slider("Look at step", "step", 0, LAST, 1),
    choice("Decay", "shape", [["linear", "a straight line"], ["cosine", "half a cosine"]]),
    choice("First step", "first", [["0", "counts as 0"], ["1", "counts as 1"]]),
  );
  root.append(svg, settings, sentence);
  element.replaceChildren(root);
  show();
  new ResizeObserver(() => wide !== room() && show()).observe(svg);

  /** As wide as its place, so that letters keep their size. */
  function room() {
    return Math.round(Math.min(Math.max(svg.clientWidth, 280), 520));
  }

  function show() {
    state.warmup = Math.min(state.warmup, state.total);
    for (const input of settings.querySelectorAll("input")) {
      const name = /** @type {"warmup" | "total" | "floor" | "step"} */ (input.name);
      input.value = String(state[name]);
      const shown = input.parentElement?.querySelector(".value");
      if (shown) shown.textContent = String(Number(state[name].toFixed(2)));
    }
    for (const select of settings.querySelectorAll("select")) {
      select.value = String(state[/** @type {"shape" | "first"} */ (select.name)]);
    }
    const text = words(state);
    wide = room();
    svg.setAttribute("viewBox", `0 0 ${wide} 250`);
    svg.replaceChildren(...picture(state, text));
    sentence.textContent = text;
  }

  /** @param {string} name @param {"warmup" | "total" | "floor" | "step"} key @param {number} min @param {number} max @param {number} step */
  function slider(name, key, min, max, step) {
    const label = make("label", {}, name);
    const input = make("input", { type: "range", name: key, min, max, step });
    input.addEventListener("input", () => {
      state[key] = Number(input.value);
      show();
    });
    label.append(input, make("span", { class: "value", "aria-hidden": "true" }));
    return label;
  }

  /** @param {string} name @param {"shape" | "first"} key @param {string[][]} options */
  function choice(name, key, options) {
    const label = make("label", {}, name);
    const select = make("select", { name: key });
    select.append(...options.map(([value, text]) => make("option", { value }, text)));
    select.addEventListener("change", () => {
      if (key === "first") state.first = Number(select.value);
      else state.shape = select.value;
      show();
    });
    label.append(select);
    return label;
  }
}

/** The rate at a step, for a peak of 1. @param {State} state @param {number} step */
function rate({ warmup, total, floor, shape, first }, step) {
  const count = step + first;
  if (warmup > 0 && count <= warmup) return count / warmup;
  if (count >= total) return floor;
  const left = (total - count) / (total - warmup);
  return floor + (1 - floor) * (shape === "cosine" ? Math.sin((Math.PI / 2) * left) ** 2 : left);
}

/** What happens at the chosen step. @param {State} state */
function words(state) {
  const { warmup, total, first, step } = state;
  const count = step + first;
  const value = `${number(rate(state, step))} of the peak`;
  const counted = first ? `Step ${step} counts as ${count}` : `Step ${step}`;
  if (warmup > 0 && count < warmup) return `${counted}: part ${count} of ${warmup} of the warm-up, a rate of ${value}.`;
  if (warmup > 0 && count === warmup) return `${counted}: the end of the warm-up, the whole peak.`;
  if (count >= total) return `${counted}: the run of ${total} has ended, and the rate stays at the floor, ${value}.`;
  return `${counted}: ${total - count} of the ${total - warmup} steps after the warm-up are left, a rate of ${value}.`;
}

/** @param {State} state @param {string} text */
function picture(state, text) {
  const steps = Array.from({ length: LAST + 1 }, (_, i) => i);
  const path = steps.map((s, i) => `${i ? "L" : "M"} ${across(s)} ${up(rate(state, s))}`).join(" ");
  const title = draw("title", { id: "schedule-plot-title" });
  title.textContent = "Learning rate over the steps of a run";
  const description = draw("desc", { id: "schedule-plot-text" });
  description.textContent = text;
  const peakAt = Math.max(0, state.warmup - state.first);
  const endAt = state.total - state.first;
  return [
    title,
    description,
    draw("line", { class: "axis", x1: across(0), y1: up(0), x2: across(LAST), y2: up(0) }),
    draw("line", { class: "axis", x1: across(0), y1: up(0), x2: across(0), y2: up(1.1) }),
    draw("line", { class: "mark", x1: across(peakAt), y1: up(0), x2: across(peakAt), y2: up(1) }),
    draw("line", { class: "mark", x1: across(endAt), y1: up(0), x2: across(endAt), y2: up(1) - 16 }),
    draw("path", { class: "rate", d: path }),
    ...steps.map((s) => draw("circle", { class: "dot", cx: across(s), cy: up(rate(state, s)), r: 2.5 })),
    draw("circle", { class: "chosen", cx: across(state.step), cy: up(rate(state, state.step)), r: 6 }),
    ...[0, 10, 20, 30, 40].map((s) => label(across(s), up(0) + 18, "middle", String(s))),
    label(across(0) - 8, up(1) + 4, "end", "peak"),
    label(across(0) - 8, up(0) + 4, "end", "0"),
    label(across(LAST), up(0) + 34, "end", "step"),
    beside(across(peakAt), up(1) - 7, "end of warm-up"),
    beside(across(endAt), up(1) - 24, "end of run"),
  ];
}

/** A label at a mark, on the side where there is room for it. @param {number} x @param {number} y @param {string} text */
function beside(x, y, text) {
  return x < wide / 2 ? label(x + 4, y, "start", text) : label(x - 4, y, "end", text);
}

/** @param {number} step */
const across = (step) => 42 + (step * (wide - 57)) / LAST;

/** @param {number} value */
const up = (value) => 205 - value * 160;

/** @param {number} value */
function number(value) {
  return value.toFixed(3);
}

/** @param {number} x @param {number} y @param {string} anchor @param {string} text */
function label(x, y, anchor, text) {
  const found = draw("text", { x, y, "text-anchor": anchor });
  found.textContent = text;
  return found;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, string | number>} [attributes] @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(name, attributes = {}, text = "") {
  const found = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
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
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, String(value));
  return found;
}

/** A sheet made by script needs no exception in the page's content policy. */
function addStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
