/**
 * Reads a value as a learner types it, in Python's way, into the API's JSON:
 * numbers, True/False/None, strings, lists, tuples, np.array([...]), nan and inf.
 */

/** Says what is wrong, and at which character. */
export class NotAValue extends Error {
  /** @param {string} message @param {number} at */
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

const NUMBER = /[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const INFINITE = /[+-]?(?:(?:np|numpy|math)\.)?(?:inf(?:inity)?|nan)\b|[+-]?∞|float\(\s*["'][+-]?(?:inf(?:inity)?|nan)["']\s*\)/iy;
const WORD = /(True|true|False|false|None|null)\b/y;
const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const ARRAY = /(?:(?:np|numpy)\.)?(?:as)?array\s*\(/y;
const DTYPE = /\s*,\s*(?:dtype\s*=\s*)?(?:(?:np|numpy)\.)?["']?(float64|float32|float|int64|int32|int)["']?\s*/y;
const BLANK = /(?:\s|#[^\n]*)*/y;
const NAME = /(?!(?:True|true|False|false|None|null|nan|inf)\b)[A-Za-z_]\w*(?=\s*:)/y;
const DEEPEST = 64;

/** @param {string} text @returns {unknown} */
export function parseLiteral(text) {
  const reader = new Reader(text);
  reader.blank();
  if (reader.done) throw new NotAValue("Type a value, say 1.5 or [[1, 2], [3]].", 0);
  const value = reader.value(0);
  reader.blank();
  if (!reader.done) throw reader.wrong(`${quoted(reader.rest)} does not belong here.`);
  return value;
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  get done() {
    return this.at >= this.text.length;
  }

  get rest() {
    return this.text.slice(this.at);
  }

  /** @param {string} message */
  wrong(message) {
    return new NotAValue(message, this.at);
  }

  /** @param {RegExp} pattern @returns {RegExpExecArray | null} */
  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  blank() {
    this.take(BLANK);
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    if (depth > DEEPEST) throw this.wrong("Nested too deeply.");
    const character = this.text[this.at];
    if (character === "[") return this.items("[", "]", depth).items;
    if (character === "(") return this.parentheses(depth);
    if (character === "{") return this.dict(depth);
    const array = this.take(ARRAY);
    if (array) return this.array(depth);
    const infinite = this.take(INFINITE);
    if (infinite) return { float: nonFinite(infinite[0]) };
    const word = this.take(WORD);
    if (word) return { true: true, false: false }[word[0].toLowerCase()] ?? null;
    const number = this.take(NUMBER);
    if (number) return this.number(number[0]);
    const string = this.take(TEXT);
    if (string) return unquoted(string[0]);
    if (this.done) throw this.wrong("Something is missing at the end.");
    throw this.wrong(`${quoted(this.rest)} is not a number or a list.`);
  }

  /** @param {string} text */
  number(text) {
    const value = Number(text.replaceAll("_", ""));
    if (Number.isFinite(value)) return value;
    throw this.wrong(`${text} is beyond the range of float64.`);
  }

  /** @param {string} open @param {string} close @param {number} depth */
  items(open, close, depth) {
    const start = this.at;
    this.at += 1;
    /** @type {unknown[]} */
    const items = [];
    let comma = false;
    for (;;) {
      this.blank();
      if (this.done) throw new NotAValue(`This ${open} is never closed.`, start);
      if (this.text[this.at] === close) {
        this.at += 1;
        return { items, comma };
      }
      if (items.length && !comma) throw this.wrong(`A comma is missing before ${quoted(this.rest)}.`);
      items.push(this.value(depth + 1));
      this.blank();
      comma = this.text[this.at] === ",";
      if (comma) this.at += 1;
    }
  }

  /** `(1)` is 1, `(1,)` a tuple: as in Python. @param {number} depth */
  parentheses(depth) {
    const { items, comma } = this.items("(", ")", depth);
    return items.length === 1 && !comma ? items[0] : { tuple: items };
  }

  /** @param {number} depth */
  dict(depth) {
    const start = this.at;
    this.at += 1;
    /** @type {[unknown, unknown][]} */
    const pairs = [];
    for (;;) {
      this.blank();
      if (this.done) throw new NotAValue("This { is never closed.", start);
      if (this.text[this.at] === "}") break;
      const bare = this.take(NAME);
      if (bare) throw new NotAValue(`A key is text, and text stands in quotes: ${JSON.stringify(bare[0])}.`, this.at - bare[0].length);
      const key = this.value(depth + 1);
      this.blank();
      if (this.text[this.at] !== ":") throw this.wrong("A colon is missing after this key.");
      this.at += 1;
      this.blank();
      pairs.push([key, this.value(depth + 1)]);
      this.blank();
      if (this.text[this.at] === ",") this.at += 1;
      else if (this.text[this.at] !== "}") throw this.wrong(`A comma is missing before ${quoted(this.rest)}.`);
    }
    this.at += 1;
    return { dict: pairs };
  }

  /** @param {number} depth */
  array(depth) {
    this.blank();
    const start = this.at;
    const content = this.value(depth + 1);
    const dtype = this.take(DTYPE)?.[1];
    this.blank();
    if (this.text[this.at] !== ")") throw this.wrong("array(...) is never closed.");
    const numbers = this.text.slice(start, this.at);
    this.at += 1;
    if (!Array.isArray(content)) return content;
    const whole = dtype ? dtype.startsWith("int") : !/[.eE∞]|nan|inf/.test(numbers);
    return { array: untagged(content), dtype: dtype?.match(/\d/) ? dtype : whole ? "int64" : "float64" };
  }
}

/** Inside an array, infinities are plain strings. @param {unknown} value @returns {unknown} */
function untagged(value) {
  if (Array.isArray(value)) return value.map(untagged);
  if (value && typeof value === "object" && "float" in value) return value.float;
  if (value && typeof value === "object" && "tuple" in value) return untagged(value.tuple);
  return value;
}

/** @param {string} text */
function nonFinite(text) {
  if (/nan/i.test(text)) return "NaN";
  return text.includes("-") ? "-Infinity" : "Infinity";
}

/** @param {string} text */
function unquoted(text) {
  const inner = text.slice(1, -1);
  return inner.replace(/\\(.)/g, (_, escaped) => ({ n: "\n", t: "\t" })[/** @type {"n"} */ (escaped)] ?? escaped);
}

/** The next few characters, for a message. @param {string} rest */
function quoted(rest) {
  const shown = rest.length > 12 ? `${rest.slice(0, 12)}…` : rest;
  return `“${shown.replace(/\s+/g, " ")}”`;
}
