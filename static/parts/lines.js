/**
 * Two programs line by line: kept, removed, added. The longest common subsequence, which is quick
 * enough for programs of a page or twenty.
 *
 * @param {string} before @param {string} after
 * @returns {["+" | "-" | " ", string][]}
 */
export function compared(before, after) {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      common[i][j] = old[i] === fresh[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  /** @type {["+" | "-" | " ", string][]} */
  const lines = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push([" ", old[i]]);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === fresh.length || common[i + 1][j] >= common[i][j + 1])) {
      lines.push(["-", old[i]]);
      i += 1;
    } else {
      lines.push(["+", fresh[j]]);
      j += 1;
    }
  }
  return lines;
}
