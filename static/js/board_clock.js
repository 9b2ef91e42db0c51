/* The hall's clock: a wall's own may be wrong, be set in mid-game, or have slept. */
"use strict";

const BoardClock = (() => {
  const { now: written, still } = document.body.dataset;
  let told = still === undefined ? Date.parse(written) : null; // a kept page tells of another day
  let at = performance.now();

  /** Take what the hall's answer says of its time, to the second. */
  function hear(date) {
    const heard = Date.parse(date ?? "");
    if (Number.isNaN(heard)) return;
    told = heard;
    at = performance.now();
  }

  /** Give the hall's time in ms since 1970, null before it is known. */
  const now = () => (told === null ? null : told + performance.now() - at);

  return { hear, now };
})();
