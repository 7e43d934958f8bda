/**
 * One step of gradient descent in four phases: parameters, prediction, loss, gradient. The model
 * has one parameter and predicts that parameter; the target is 0, so the loss is its square.
 * One can go forward and back, or let it play. It never starts by itself.
 */

const SVG = "http://www.w3.org/2000/svg";
const PARAMETER = 4;
const RATE = 0.14;
const PAUSE_MS = 1800;

const LOSS = PARAMETER * PARAMETER;
const GRADIENT = 2 * PARAMETER;
const STEPPED = PARAMETER - RATE * GRADIENT;

const PHASES = [
  {
    name: "Parameters",
    rule: [`w = ${number(PARAMETER)}`],
    text: "The model is one number, the parameter w. A network has millions of them; what happens to each is the same.",
  },
  {
    name: "Prediction",
    rule: [`prediction = w = ${number(PARAMETER)}`],
    text: "The model predicts its parameter. The right answer would be 0.000, so it is too large by 4.000.",
  },
  {
    name: "Loss",
    rule: [`L = w² = ${number(PARAMETER)}² = ${number(LOSS)}`],
    text: "The loss is the square of the error. The dot marks it on the curve of all losses: there is room below.",
  },
  {
    name: "Gradient",
    rule: [
      `dL/dw = 2w = ${number(GRADIENT)}`,
      "w ← w − rate · gradient",
      `w ← ${number(PARAMETER)} − ${number(RATE)} · ${number(GRADIENT)} = ${number(STEPPED)}`,
    ],
    text: `The gradient is the slope of the curve at the dot. The step goes against it, by ${number(RATE)} times its length: the loss falls from ${number(LOSS)} to ${number(STEPPED * STEPPED)}.`,
  },
];

const STYLE = `
.descent-step { display: grid; gap: var(--space-4, 1rem); grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.descent-step svg { inline-size: 100%; block-size: auto; max-inline-size: 28rem; }
.descent-step text { fill: var(--ink-soft, var(--muted)); font-size: 13px; }
.descent-step .axis { stroke: var(--line-strong, var(--line)); }
.descent-step .curve { fill: none; stroke: var(--ink-soft, var(--muted)); stroke-width: 2; }
.descent-step .guide { stroke: var(--ink-soft, var(--muted)); stroke-dasharray: 4 4; }
.descent-step .slope { stroke: var(--fail, var(--bad)); stroke-width: 3; }
.descent-step .move { stroke: var(--accent); stroke-width: 4; }
.descent-step .now { fill: var(--surface); stroke: var(--accent); stroke-width: 4; }
.descent-step .next { fill: var(--accent); }
.descent-step [hidden] { display: none; }
.descent-step .phases { list-style: none; padding: 0; margin: 0 0 var(--space-3, 0.75rem); display: grid; gap: 0.25rem; }
.descent-step .phases li { padding: 0.15rem 0.6rem; border-inline-start: 4px solid var(--line); color: var(--ink-soft, var(--muted)); }
.descent-step .phases li[aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 600; }
.descent-step .rule { font-variant-numeric: tabular-nums; margin: 0; }
.descent-step .told { min-block-size: 9.5em; }
.descent-step .controls { display: flex; flex-wrap: wrap; gap: 0.5rem; }
`;

/** Draws the figure into `element`. @param {HTMLElement} element */
export default function mount(element) {
  addStyle();
  const root = make("div", { class: "descent-step" });
  const plot = new Plot();
  const panel = new Panel({ back: () => go(at - 1), step: () => go(at + 1), toggle, restart: () => go(0) });
  root.append(plot.svg, panel.root);
  element.replaceChildren(root);
  let at = 0;
  let timer = 0;
  show();

  /** @param {number} phase */
  function go(phase) {
    stop();
    at = phase;
    show();
  }

  function toggle() {
    if (timer) {
      go(at);
      return;
    }
    if (at === PHASES.length - 1) at = 0;
    timer = window.setInterval(() => {
      at += 1;
      if (at === PHASES.length - 1) stop();
      show();
    }, PAUSE_MS);
    show();
  }

  function stop() {
    window.clearInterval(timer);
    timer = 0;
  }

  function show() {
    plot.show(at);
    panel.show(at, timer !== 0);
  }
}

/** The curve of losses, with what has been worked out so far. */
class Plot {
  constructor() {
    this.title = draw("title", { id: "descent-step-title" });
    this.title.textContent = "One step of gradient descent on the curve of losses";
    this.description = draw("desc", { id: "descent-step-text" });
    /** @type {[number, number]} */
    const stepped = [across(STEPPED), up(STEPPED * STEPPED)];
    /** @type {[number, number]} */
    const here = [across(PARAMETER), up(LOSS)];
    this.layers = [
      [circle("now", across(PARAMETER), up(0)), label(across(PARAMETER) - 14, up(0) + 38, `w = ${number(PARAMETER)}`, "start")],
      [line("guide", across(PARAMETER), up(0), across(0), up(0)), label(across(2), up(0) - 8, `error ${number(PARAMETER)}`)],
      [line("guide", across(PARAMETER), up(0), ...here), circle("now", ...here), label(here[0] - 14, here[1] + 4, `L = ${number(LOSS)}`, "end")],
      [
        line("slope", across(PARAMETER - 1), up(LOSS - GRADIENT), across(PARAMETER + 0.5), up(LOSS + GRADIENT / 2)),
        line("move", across(PARAMETER), up(0), across(STEPPED), up(0)),
        circle("next", across(STEPPED), up(0)),
        circle("next", ...stepped),
        label(stepped[0] + 14, up(0) + 38, number(STEPPED), "end"),
        label(stepped[0] - 14, stepped[1] + 4, `L = ${number(STEPPED * STEPPED)}`, "end"),
      ],
    ].map((parts) => {
      const layer = draw("g");
      layer.append(...parts);
      return layer;
    });
    this.svg = draw("svg", {
      viewBox: "0 0 360 330",
      role: "img",
      "aria-labelledby": "descent-step-title descent-step-text",
    });
    this.svg.append(this.title, this.description, ...frame(), ...this.layers);
  }

  /** @param {number} at */
  show(at) {
    this.layers.forEach((layer, i) => layer.toggleAttribute("hidden", i > at));
    this.description.textContent = `${PHASES[at].name}: ${PHASES[at].rule.join("; ")}. ${PHASES[at].text}`;
  }
}

/** Phases, rule in numbers, sentence and buttons. */
class Panel {
  /** @param {{back: () => void, step: () => void, toggle: () => void, restart: () => void}} actions */
  constructor(actions) {
    this.root = make("div");
    this.items = PHASES.map(({ name }, i) => make("li", {}, `${i + 1}. ${name}`));
    const phases = make("ol", { class: "phases" });
    phases.append(...this.items);
    this.rule = make("div", { class: "rule" });
    this.text = make("p");
    const told = make("div", { class: "told", role: "status" });
    told.append(this.rule, this.text);
    this.back = button("Back", actions.back);
    this.play = button("Play", actions.toggle);
    this.step = button("Step", actions.step);
    const controls = make("div", { class: "controls" });
    controls.append(this.back, this.step, this.play, button("Start again", actions.restart));
    const lesson = make("a", { href: "#theory" }, "Read the lesson on steps and clipping");
    const last = make("p");
    last.append(lesson);
    this.root.append(phases, told, controls, last);
  }

  /** @param {number} at @param {boolean} playing */
  show(at, playing) {
    this.items.forEach((item, i) => {
      if (i === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.rule.replaceChildren(...PHASES[at].rule.map((part) => make("div", {}, part)));
    this.text.textContent = PHASES[at].text;
    // aria-disabled keeps the focus where it is; a disabled button would drop it.
    this.back.setAttribute("aria-disabled", String(at === 0));
    this.step.setAttribute("aria-disabled", String(at === PHASES.length - 1));
    this.play.textContent = playing ? "Pause" : "Play";
  }
}

function frame() {
  const points = Array.from({ length: 61 }, (_, i) => -1 + i * 0.1);
  const curve = points.map((w, i) => `${i ? "L" : "M"} ${across(w)} ${up(w * w)}`).join(" ");
  const parts = [
    line("axis", across(-1), up(0), across(5), up(0)),
    line("axis", across(0), up(0), across(0), up(26)),
    draw("path", { class: "curve", d: curve }),
    label(across(5), up(0) + 18, "w", "end"),
    label(across(0) - 8, up(26) + 10, "loss", "end"),
  ];
  for (let w = 0; w <= 4; w += 1) parts.push(label(across(w), up(0) + 18, String(w)));
  return parts;
}

/** @param {number} w */
const across = (w) => 70 + w * 54;

/** @param {number} loss */
const up = (loss) => 285 - loss * 10.5;

/** @param {number} value */
function number(value) {
  return value.toFixed(3);
}

/** @param {string} kind @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
function line(kind, x1, y1, x2, y2) {
  return draw("line", { class: kind, x1, y1, x2, y2 });
}

/** @param {string} kind @param {number} cx @param {number} cy */
function circle(kind, cx, cy) {
  return draw("circle", { class: kind, cx, cy, r: 7 });
}

/** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
function label(x, y, text, anchor = "middle") {
  const found = draw("text", { x, y, "text-anchor": anchor });
  found.textContent = text;
  return found;
}

/** @param {string} text @param {() => void} action */
function button(text, action) {
  const found = make("button", { type: "button", class: "button" }, text);
  found.addEventListener("click", () => {
    if (found.getAttribute("aria-disabled") !== "true") action();
  });
  return found;
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
