/**
 * Which of two copies of a program goes on: the one that this browser kept, or the server's.
 *
 * @typedef {{text: string, at: number, revision: number, saved: boolean}} Local what this browser kept:
 *   `revision` is the server's that it goes back to (0: none), `saved`: the server has exactly this
 * @typedef {{source: string, revision: number, savedAt: number}} Remote
 * @typedef {{text: string, at: number | null, revision: number, saved: boolean, other: Remote | null}} Settled
 *   `other`: changed on both sides; somebody has to choose
 */

/** @param {Local | null} local @param {Remote | null} remote @param {string} starter @returns {Settled} */
export function settled(local, remote, starter) {
  if (!local && !remote) return { text: starter, at: null, revision: 0, saved: true, other: null };
  if (!local) return theirs(/** @type {Remote} */ (remote));
  const { text, at, revision = 0, saved = false } = local;
  const mine = { text, at, revision, saved: false, other: null };
  if (!remote) return { ...mine, revision: 0 };
  if (remote.source === text) return theirs(remote);
  // A page that comes out of the browser's own store may be older than what was saved since.
  if (revision >= remote.revision) return { ...mine, saved: saved && revision > remote.revision };
  if (saved || text === starter) return theirs(remote);
  return { ...mine, other: remote };
}

/** @param {Remote} remote @returns {Settled} */
function theirs({ source, savedAt, revision }) {
  return { text: source, at: savedAt, revision, saved: true, other: null };
}
