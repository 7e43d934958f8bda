/**
 * One parameter over the steps of a run, and its moving average. The decay, how the average begins and
 * whether it takes in the parameter before or after each step can be set.
 */

const SVG = "http://www.w3.org/2000/svg";
// The parameter before the first step, and after each.
const PATH = [0.2, 0.55, 0.4, 0.75, 0.5, 0.85, 0.6, 0.95, 0.65, 0.8, 1, 0.7, 0.9, 0.75, 1, 0.8, 0.9, 0.7, 0.95, 0.85, 0.9];
const STEPS = PATH.length - 1;
const START = { decay: 0.8, step: 10, begin: "copy", when: "after" };

// What the figure shows first, on the page of each variant.
const VARIANTS = {
  "parameter_ema/before_corrected": { begin: "corrected", when: "before" },
  "parameter_ema/rounded": { begin: "corrected" },
};

// Width of the drawing in pixels.
let wide = 520;

const STYLE = `
.average-plot { display: grid; gap: var(--space-4, 1rem); }
.average-plot svg { inline-size: 100%; block-size: auto; max-inline-size: 36rem; }
.average-plot text { fill: var(--ink-soft, var(--muted)); font-size: 12px; stroke: var(--surface); stroke-width: 4; paint-order: stroke; }
.average-plot .axis { stroke: var(--line-strong, var(--line)); }
.average-plot .mark { stroke: var(--ink-soft, var(--muted)); stroke-dasharray: 3 4; }
.average-plot .path { fill: none; stroke: var(--line-strong, var(--line)); stroke-width: 1.5; }
.average-plot .average { fill: none; stroke: var(--accent); stroke-width: 2.5; }
.average-plot .seen { fill: var(--ink-soft, var(--muted)); }
.average-plot .dot { fill: var(--accent); }
.average-plot .chosen { fill: var(--surface); stroke: var(--accent); stroke-width: 3; }
.average-plot .settings { display: grid; gap: 0.5rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.average-plot label { display: grid; grid-template-columns: 6.5rem 1fr 3.75rem; align-items: center; gap: 0.5rem; }
.average-plot select { grid-column: 2 / -1; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-strong, var(--line)); border-radius: 4px; padding: 0.2rem 0.4rem; }
.average-plot .value { font-variant-numeric: tabular-nums; text-align: end; }
.average-plot input { accent-color: var(--accent); min-inline-size: 0; }
.average-plot .sentence { font-weight: 600; min-block-size: 3em; margin: 0; }
`;

/** @typedef {{decay: number, step: number, begin: string, when: string}} State */

/**
 * Draws the figure into `element`.
 * @param {HTMLElement} element @param {{problem?: string}} facts
 */
export default function mount(element, facts) {
  addStyle();
  /** @type {State} */
  const state = { ...START, ...VARIANTS[/** @type {keyof typeof VARIANTS} */ (facts.problem ?? "")] };
  const root = make("div", { class: "average-plot" });
  const svg = draw("svg", { role: "img", "aria-labelledby": "average-plot-title average-plot-text" });
  const settings = make("div", { class: "settings" });
  const sentence = make("p", { class: "sentence", role: "status" });
  settings.append(
    slider("Decay", "decay", 0, 0.98, 0.02),
    slider("Look at step", "step", 0, STEPS, 1),
    choice("Starts", "begin", [["copy", "as a copy"], ["corrected", "at zero, corrected"], ["zero", "at zero"]]),
    choice("Takes in", "when", [["after", "after each step"], ["before", "before each step"]]),
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
    fill();
    const text = words(state);
    wide = room();
    svg.setAttribute("viewBox", `0 0 ${wide} 250`);
    svg.replaceChildren(...picture(state, text));
    sentence.textContent = text;
  }

  /** @param {string} name @param {"decay" | "step"} key @param {number} min @param {number} max @param {number} step */
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

  /** @param {string} name @param {"begin" | "when"} key @param {string[][]} options */
  function choice(name, key, options) {
    const label = make("label", {}, name);
    const select = make("select", { name: key });
    select.append(...options.map(([value, text]) => make("option", { value }, text)));
    select.addEventListener("change", () => {
      state[key] = select.value;
      show();
    });
    label.append(select);
    return label;
  }

  function fill() {
    for (const input of settings.querySelectorAll("input")) {
      const value = state[/** @type {"decay" | "step"} */ (input.name)];
      input.value = String(value);
      const shown = input.parentElement?.querySelector(".value");
      if (shown) shown.textContent = String(Number(value.toFixed(4)));
    }
    for (const select of settings.querySelectorAll("select")) {
      select.value = state[/** @type {"begin" | "when"} */ (select.name)];
    }
  }
}

/** The average after so many steps. @param {State} state @param {number} steps */
function average({ decay, begin, when }, steps) {
  if (!steps) return begin === "zero" ? 0 : PATH[0];
  let mean = begin === "copy" ? PATH[0] : 0;
  for (let step = 1; step <= steps; step++) {
    mean = decay * mean + (1 - decay) * PATH[when === "after" ? step : step - 1];
  }
  return begin === "corrected" ? mean / (1 - decay ** steps) : mean;
}

/** @param {State} state */
function words(state) {
  const { decay, step, begin } = state;
  const mean = average(state, step);
  const after = `After ${step} step${step === 1 ? "" : "s"} the parameter is ${number(PATH[step])} and its average ${number(mean)}.`;
  if (!step) return `${after} Nothing has been averaged yet.`;
  const start = decay ** step;
  const kept = number(start);
  if (begin === "copy") return `${after} The start still has a weight of ${kept} in it.`;
  if (begin === "zero") return `${after} The zero it began with still has a weight of ${kept}, so it is too small.`;
  return `${after} Its weights add up to ${number(1 - start)}, by which it was divided.`;
}

/** @param {State} state @param {string} text */
function picture(state, text) {
  const title = draw("title", { id: "average-plot-title" });
  title.textContent = "A parameter over the steps of a run, and its average";
  const description = draw("desc", { id: "average-plot-text" });
  description.textContent = text;
  const line = PATH.map((value, i) => `${i ? "L" : "M"} ${across(i)} ${up(value)}`).join(" ");
  const mean = PATH.map((_, i) => `${i ? "L" : "M"} ${across(i)} ${up(average(state, i))}`).join(" ");
  return [
    title,
    description,
    draw("line", { class: "axis", x1: across(0), y1: up(0), x2: across(STEPS), y2: up(0) }),
    draw("line", { class: "axis", x1: across(0), y1: up(0), x2: across(0), y2: up(1.1) }),
    draw("line", { class: "mark", x1: across(state.step), y1: up(0), x2: across(state.step), y2: up(1.1) }),
    draw("path", { class: "path", d: line }),
    ...PATH.map((value, i) => draw("circle", { class: "seen", cx: across(i), cy: up(value), r: 2.5 })),
    draw("path", { class: "average", d: mean }),
    draw("circle", { class: "chosen", cx: across(state.step), cy: up(average(state, state.step)), r: 6 }),
    ...[0, 5, 10, 15, 20].map((s) => label(across(s), up(0) + 18, "middle", String(s))),
    label(across(0) - 8, up(1) + 4, "end", "1"),
    label(across(0) - 8, up(0) + 4, "end", "0"),
    label(across(STEPS), up(0) + 34, "end", "steps"),
    // A key, in the corner below both lines.
    draw("line", { class: "path", x1: across(STEPS) - 92, y1: up(0.24), x2: across(STEPS) - 70, y2: up(0.24) }),
    label(across(STEPS) - 64, up(0.24) + 4, "start", "parameter"),
    draw("line", { class: "average", x1: across(STEPS) - 92, y1: up(0.12), x2: across(STEPS) - 70, y2: up(0.12) }),
    label(across(STEPS) - 64, up(0.12) + 4, "start", "average"),
  ];
}

/** @param {number} step */
const across = (step) => 30 + (step * (wide - 45)) / STEPS;

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
