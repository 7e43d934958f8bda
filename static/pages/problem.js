import { effect } from "@preact/signals";
import { actionBar, editorBar } from "../parts/bars.js";
import { attempts } from "../parts/attempts.js";
import { createConsole } from "../parts/console.js";
import { clock, draftOf } from "../parts/draft.js";
import { createEditor } from "../parts/editor.js";
import { element, pageFacts, styleNonce } from "../parts/facts.js";
import { showFigure } from "../parts/figure.js";
import { readingTabs } from "../parts/reading.js";
import { reachableScrollers } from "../parts/scrollers.js";

/** @type {import("../parts/facts.js").ProblemFacts} */
const facts = pageFacts();

const live = document.createElement("div");
live.className = "visually-hidden";
live.setAttribute("role", "status");
live.setAttribute("aria-live", "polite");
document.body.append(live);

const draft = draftOf(facts.problem, facts.starter, (saved) =>
  bar.saved(saved ? `Saved ${clock(saved.at)}` : "Not saved: this browser keeps nothing"),
);

const hold = element("editor");
const form = element("program");
let starting = true;
const bar = editorBar({
  runtime: facts.runtime,
  reset() {
    editor.replace(facts.starter);
    beforeReset = undone;
  },
  undo() {
    editor.replace(beforeReset);
    editor.view.focus();
  },
});
let beforeReset = "";
let undone = "";

hold.textContent = "";
const editor = createEditor({
  parent: hold,
  text: draft.first,
  label: `Your function ${facts.entryPoint}`,
  nonce: styleNonce(),
  changed(text) {
    if (!starting) draft.changed(text);
    if (text !== facts.starter) {
      undone = text;
      bar.edited();
    }
  },
  moved: (line, column) => bar.moved(line, column),
  run: () => panel.runSamples(),
  submit: () => panel.submit(),
});
starting = false;
undone = editor.text();
bar.moved(1, 1);
if (draft.at) bar.saved(`Saved ${clock(draft.at)}`);
draft.onElsewhere(({ text, at }) => {
  if (text === editor.text()) return;
  starting = true;
  editor.replace(text);
  starting = false;
  bar.saved(`Saved ${clock(at)} in another tab`);
});

readingTabs(facts.problem);
reachableScrollers();
const history = attempts({
  parent: element("submissions"),
  facts,
  restore(source) {
    editor.replace(source);
    editor.view.focus();
  },
});

const panel = createConsole({
  parent: element("console"),
  facts,
  source: editor.text,
  mark: editor.fail,
  goTo: editor.goTo,
  submitted(submission, source) {
    history.add(submission, source);
    if (submission.verdict === "AC") element("solved").hidden = false;
  },
  announce(words) {
    live.textContent = words;
  },
});
element("solved").hidden = !history.solved();

const { runButton, submitButton } = actionBar({ run: () => panel.runSamples(), submit: () => panel.submit() });
effect(() => {
  const busy = Object.values(panel.busy).some(({ value }) => value.phase === "sending" || value.phase === "judging");
  runButton.setAttribute("aria-disabled", String(busy));
  submitButton.setAttribute("aria-disabled", String(busy));
});
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  if (event.shiftKey) panel.submit();
  else panel.runSamples();
});

// On a small screen the way to the editor is not needed where the editor is.
new IntersectionObserver(([{ isIntersecting }]) => {
  document.querySelector(".to-code")?.classList.toggle("here", isIntersecting);
}).observe(element("working"));
document.documentElement.dataset.ready = "";
const figure = document.getElementById("figure");
if (figure) void showFigure(figure, facts);
