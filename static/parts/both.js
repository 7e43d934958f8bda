import { html } from "htm/preact";
import { render } from "preact";
import { clock } from "./draft.js";
import { compared } from "./lines.js";

/** @typedef {import("./settle.js").Remote} Remote */

/**
 * Says that a program was changed here and elsewhere, and lets its author choose. Nothing is saved
 * over the other one before that.
 *
 * @param {HTMLElement} parent before which it is said
 * @param {{other: Remote, mine: () => string, choose: (which: "mine" | "theirs") => void}} options
 */
export function offerBoth(parent, { other, mine, choose }) {
  const place = document.createElement("div");
  parent.before(place);
  let open = false;

  /** @param {"mine" | "theirs"} which */
  const decide = (which) => () => {
    render(null, place);
    place.remove();
    choose(which);
  };
  const show = () =>
    render(
      html`<section class="note warn both" aria-labelledby="both-title">
        <p><strong id="both-title">This program was also changed elsewhere, ${clock(other.savedAt)}.</strong> Which one goes on?</p>
        <p class="both-acts">
          <button type="button" class="button" onClick=${decide("mine")}>Keep this one</button>
          <button type="button" class="button" onClick=${decide("theirs")}>Take the other</button>
          <button type="button" class="button plain" aria-expanded=${open} onClick=${() => ((open = !open), show())}>Compare</button>
        </p>
        ${open && html`<pre tabindex="0" aria-label="This one compared with the other"><code>${compared(other.source, mine()).map(([sign, line]) => html`<span class=${{ "+": "added", "-": "removed", " ": "" }[sign]}>${sign} ${line}${"\n"}</span>`)}</code></pre>`}
      </section>`,
      place,
    );
  show();
}
