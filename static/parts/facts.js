/**
 * What the server wrote into the page for its scripts.
 *
 * @typedef {{name: string, kind: string, rules: string}} ArgumentFacts
 * @typedef {{title: string, arguments: {name: string, text: string}[], answer: string}} SampleFacts
 * @typedef {{label: string, sample: boolean}} TestFacts
 * @typedef {{
 *   problem: string, title: string, entryPoint: string, version: string, signIn: string,
 *   points: number, runtime: string, bonus: {title: string, points: number} | null, starter: string,
 *   arguments: ArgumentFacts[], samples: SampleFacts[], tests: TestFacts[],
 * }} ProblemFacts
 */

/**
 * What it wrote for this one person: `who` keeps apart what a browser keeps of several people.
 *
 * @typedef {{who: string, solved: boolean, mustSignIn: boolean,
 *   draft: {source: string, revision: number, savedAt: number} | null}} Mine
 */

/** @returns {Mine} */
export function personalFacts() {
  return JSON.parse(element("mine").textContent ?? "null");
}

/** @template T @returns {T} */
export function pageFacts() {
  return JSON.parse(element("facts").textContent ?? "null");
}

/** The element with this id; the templates promise that it is there. @param {string} id */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** The nonce that the policy allows the editor's style element to carry. */
export function styleNonce() {
  return /** @type {HTMLStyleElement | null} */ (document.querySelector("style[nonce]"))?.nonce ?? "";
}
