import { effect } from "@preact/signals";
import { actionBar, editorBar } from "../parts/bars.js";
import { attempts } from "../parts/attempts.js";
import { createConsole } from "../parts/console.js";
import { offerBoth } from "../parts/both.js";
import { draftOf, savedWords } from "../parts/draft.js";
import { createEditor } from "../parts/editor.js";
import { element, pageFacts, personalFacts, styleNonce } from "../parts/facts.js";
import { showFigure } from "../parts/figure.js";
import { presence } from "../parts/presence.js";
import { readingTabs } from "../parts/reading.js";
import { reachableScrollers } from "../parts/scrollers.js";

/** @type {import("../parts/facts.js").ProblemFacts} */
const facts = pageFacts();
const mine = personalFacts();

const live = document.createElement("div");
live.className = "visually-hidden";
live.setAttribute("role", "status");
live.setAttribute("aria-live", "polite");
document.body.append(live);

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

const draft = draftOf({
  problem: facts.problem,
  starter: facts.starter,
  mine,
  told: (told) => bar.saved(savedWords(told)),
  taken(text) {
    starting = true;
    editor.replace(text);
    starting = false;
  },
  both: (other) => offerBoth(form, { other, mine: () => editor.text(), choose: draft.choose }),
});

hold.textContent = "";
const editor = createEditor({
  parent: hold,
  text: draft.first,
  label: `Your function ${facts.entryPoint}`,
  nonce: styleNonce(),
  id: "source",
  changed(text) {
    if (!starting) draft.changed(text);
    if (text !== facts.starter) {
      undone = text;
      bar.edited();
    }
  },
  moved: (line, column) => bar.moved(line, column),
  run: () => act.run(),
  submit: () => act.submit(),
});
starting = false;
undone = editor.text();
bar.moved(1, 1);
if (draft.standing) bar.saved(savedWords(draft.standing));

reachableScrollers();
const history = attempts({
  parent: element("attempts"),
  facts,
  mine,
  restore(source) {
    editor.replace(source);
    editor.view.focus();
  },
});

readingTabs(facts.problem, { submissions: history.look });

const panel = createConsole({
  parent: element("console"),
  facts,
  mayRun: !mine.mustSignIn,
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
if (history.solved()) element("solved").hidden = false;

/** Where signing in comes first, the way to it stands in the place of the buttons. */
const signIn = document.getElementById("sign-in");
const act = {
  run: () => (signIn ? signIn.focus() : panel.runSamples()),
  submit: () => (signIn ? signIn.focus() : panel.submit()),
};
if (!signIn) {
  const { runButton, submitButton } = actionBar(act);
  effect(() => {
    const busy = Object.values(panel.busy).some(({ value }) => value.phase === "sending" || value.phase === "judging");
    runButton.setAttribute("aria-disabled", String(busy));
    submitButton.setAttribute("aria-disabled", String(busy));
  });
}
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  if (event.shiftKey) act.submit();
  else act.run();
});

// On a small screen the way to the editor is not needed where the editor is.
new IntersectionObserver(([{ isIntersecting }]) => {
  document.querySelector(".to-code")?.classList.toggle("here", isIntersecting);
}).observe(element("working"));
document.documentElement.dataset.ready = "";
const figure = document.getElementById("figure");
if (figure) void showFigure(figure, facts);
presence(facts.problem);
