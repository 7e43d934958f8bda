/**
 * Losses of a run, epoch by epoch: which one is the best, how long each has been waiting, and where the
 * run is stopped. Patience, minimum improvement and the rule at its edge can be set.
 */

const SVG = "http://www.w3.org/2000/svg";
const LOSSES = [1, 0.75, 0.6875, 0.5, 0.5625, 0.4375, 0.5, 0.4375, 0.375, 0.4375, 0.5, 0.4375, 0.4375, 0.25];
const START = { patience: 3, minimum: 0.0625, edge: "waits", counted: "0" };

// What the figure shows first, on the page of each variant.
const VARIANTS = { "early_stopping/with_reason": { edge: "improves", counted: "1" } };

// Width of the drawing in pixels.
let wide = 520;

const STYLE = `
.patience-plot { display: grid; gap: var(--space-4, 1rem); }
.patience-plot svg { inline-size: 100%; block-size: auto; max-inline-size: 36rem; }
.patience-plot text { fill: var(--ink-soft, var(--muted)); font-size: 12px; stroke: var(--surface); stroke-width: 4; paint-order: stroke; }
.patience-plot .axis { stroke: var(--line-strong, var(--line)); }
.patience-plot .mark { stroke: var(--ink-soft, var(--muted)); stroke-dasharray: 3 4; }
.patience-plot .loss { fill: none; stroke: var(--line-strong, var(--line)); stroke-width: 1.5; }
.patience-plot .unseen { opacity: 0.35; }
.patience-plot .dot { fill: var(--accent); }
.patience-plot .chosen { fill: var(--surface); stroke: var(--accent); stroke-width: 3; }
.patience-plot .settings { display: grid; gap: 0.5rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.patience-plot label { display: grid; grid-template-columns: 6.5rem 1fr 3.75rem; align-items: center; gap: 0.5rem; }
.patience-plot select { grid-column: 2 / -1; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-strong, var(--line)); border-radius: 4px; padding: 0.2rem 0.4rem; }
.patience-plot .value { font-variant-numeric: tabular-nums; text-align: end; }
.patience-plot input { accent-color: var(--accent); min-inline-size: 0; }
.patience-plot .sentence { font-weight: 600; min-block-size: 3em; margin: 0; }
`;

/** @typedef {{patience: number, minimum: number, edge: string, counted: string}} State */

/**
 * Draws the figure into `element`.
 * @param {HTMLElement} element @param {{problem?: string}} facts
 */
export default function mount(element, facts) {
  addStyle();
  /** @type {State} */
  const state = { ...START, ...VARIANTS[/** @type {keyof typeof VARIANTS} */ (facts.problem ?? "")] };
  const root = make("div", { class: "patience-plot" });
  const svg = draw("svg", { role: "img", "aria-labelledby": "patience-plot-title patience-plot-text" });
  const settings = make("div", { class: "settings" });
  const sentence = make("p", { class: "sentence", role: "status" });
  settings.append(
    slider("Patience", "patience", 1, 8, 1),
    slider("Minimum", "minimum", 0, 0.25, 0.0625),
    choice("Exactly the minimum", "edge", [["waits", "does not count"], ["improves", "counts"]]),
    choice("Epochs", "counted", [["0", "count from 0"], ["1", "count from 1"]]),
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
    svg.setAttribute("viewBox", `0 0 ${wide} 270`);
    svg.replaceChildren(...picture(state, text));
    sentence.textContent = text;
  }

  /** @param {string} name @param {"patience" | "minimum"} key @param {number} min @param {number} max @param {number} step */
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

  /** @param {string} name @param {"edge" | "counted"} key @param {string[][]} options */
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
      const value = state[/** @type {"patience" | "minimum"} */ (input.name)];
      input.value = String(value);
      const shown = input.parentElement?.querySelector(".value");
      if (shown) shown.textContent = String(Number(value.toFixed(4)));
    }
    for (const select of settings.querySelectorAll("select")) {
      select.value = state[/** @type {"edge" | "counted"} */ (select.name)];
    }
  }
}

/** Where the best epoch is, how long each epoch waits, and whether the patience ran out. @param {State} state */
function run({ patience, minimum, edge }) {
  let best = 0;
  const waits = [0];
  for (let epoch = 1; epoch < LOSSES.length && waits[epoch - 1] < patience; epoch++) {
    const needed = LOSSES[best] - minimum;
    if (LOSSES[epoch] < needed || (edge === "improves" && LOSSES[epoch] === needed)) best = epoch;
    waits.push(epoch - best);
  }
  return { best, waits, stopped: waits[waits.length - 1] >= patience };
}

/** @param {State} state */
function words(state) {
  const { best, waits, stopped } = run(state);
  const first = Number(state.counted);
  const last = waits.length - 1;
  const found = `Epoch ${best + first} is the best, with a loss of ${LOSSES[best]}.`;
  if (!stopped) return `${found} The losses run out at epoch ${last + first}, which has waited ${epochs(waits[last])}.`;
  const smaller = Math.min(...LOSSES) < LOSSES[best] ? " Smaller losses come too late, or are smaller by too little." : "";
  return `${found} After ${epochs(state.patience)} without improvement, the run stops with epoch ${last + first}.${smaller}`;
}

/** @param {number} count */
const epochs = (count) => `${count} epoch${count === 1 ? "" : "s"}`;

/** @param {State} state @param {string} text */
function picture(state, text) {
  const { best, waits, stopped } = run(state);
  const last = waits.length - 1;
  const first = Number(state.counted);
  const title = draw("title", { id: "patience-plot-title" });
  title.textContent = "Validation loss over the epochs of a run";
  const description = draw("desc", { id: "patience-plot-text" });
  description.textContent = text;
  const path = LOSSES.map((loss, i) => `${i ? "L" : "M"} ${across(i)} ${up(loss)}`).join(" ");
  const needed = up(LOSSES[best] - state.minimum);
  return [
    title,
    description,
    draw("line", { class: "axis", x1: 50, y1: up(0), x2: wide - 10, y2: up(0) }),
    draw("line", { class: "axis", x1: 50, y1: up(0), x2: 50, y2: up(1.1) }),
    draw("path", { class: "loss", d: path }),
    draw("line", { class: "mark", x1: across(best), y1: needed, x2: wide - 10, y2: needed }),
    ...(stopped ? [draw("line", { class: "mark", x1: across(last), y1: up(0), x2: across(last), y2: up(1) })] : []),
    ...LOSSES.map((loss, i) => draw("circle", { class: i > last ? "dot unseen" : "dot", cx: across(i), cy: up(loss), r: 3.5 })),
    draw("circle", { class: "chosen", cx: across(best), cy: up(LOSSES[best]), r: 6 }),
    ...LOSSES.map((_, i) => label(across(i), up(0) + 16, "middle", String(i + first))),
    ...waits.map((wait, i) => label(across(i), up(0) + 36, "middle", String(wait))),
    label(44, up(0) + 16, "end", "epoch"),
    label(44, up(0) + 36, "end", "waits"),
    label(44, up(1) + 4, "end", "1"),
    label(44, up(0) + 2, "end", "0"),
    // A key, in the corner above all losses: at the line itself it would stand on them.
    draw("line", { class: "mark", x1: wide - 116, y1: up(0.86), x2: wide - 92, y2: up(0.86) }),
    label(wide - 10, up(0.86) + 4, "end", "to be beaten"),
    ...(stopped ? [label(across(last), up(1.03), "middle", "stop")] : []),
  ];
}

/** @param {number} epoch */
const across = (epoch) => 62 + (epoch * (wide - 80)) / (LOSSES.length - 1);

/** @param {number} loss */
const up = (loss) => 215 - loss * 180;

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
