/* The wall board: shows the newest state it has heard, and marks it when it may be old. */
"use strict";

(() => {
  const GAP_MS = 300; // a beat may overtake its state by this much
  const BEHIND_MS = 1000; // known to be old for this long: say so
  const STILL_MS = 3000; // the pointer hides after this rest
  const { live, state: stateUrl, worker } = document.body.dataset;

  let shown = -1; // journal number of what is on the board
  let newest = -1; // highest number heard
  let soundAt = -Infinity; // when the feed last agreed that nothing newer than this board is missing
  let behindSince = null;
  let fetching = null;
  let board = null; // what is shown

  function show(message) {
    if (message.board === null || message.board === undefined || message.number < shown) return;
    BoardPaint.paint(message.board);
    board = message.board;
    shown = message.number;
    newest = Math.max(newest, shown);
  }

  /* A number below the one shown proves nothing about what is shown. */
  function weigh(number) {
    newest = Math.max(newest, number);
    const now = performance.now();
    if (number >= shown) soundAt = now;
    if (newest <= shown) behindSince = null;
    else if (behindSince === null) {
      behindSince = now;
      window.setTimeout(catchUp, GAP_MS);
    } else if (now - behindSince > GAP_MS) catchUp();
    mark();
  }

  function mark() {
    const now = performance.now();
    const quiet = now - soundAt > Feed.QUIET_MS;
    const behind = behindSince !== null && now - behindSince > BEHIND_MS;
    document.body.dataset.sure = shown < 0 || quiet || behind ? "no" : "yes";
  }

  async function catchUp() {
    if (newest <= shown || fetching !== null) return;
    fetching = new AbortController();
    const limit = window.setTimeout(() => fetching.abort(), Feed.LONGEST_WAIT_MS);
    try {
      const answer = await fetch(stateUrl, { cache: "no-store", signal: fetching.signal });
      if (!answer.ok) return; // the next beat asks again
      const message = await answer.json();
      show(message);
      if (newest <= shown) behindSince = null;
    } catch {
      return; // no connection: the next beat asks again, the mark is on meanwhile
    } finally {
      window.clearTimeout(limit);
      fetching = null;
      mark();
    }
  }

  function heard(message) {
    if (message.type === "state") show(message);
    else BoardScreen.heard(message.screens ?? 0);
    weigh(message.number);
  }

  function hideStillPointer() {
    let timer = 0;
    const wake = () => {
      document.body.classList.remove("is-still");
      window.clearTimeout(timer);
      timer = window.setTimeout(() => document.body.classList.add("is-still"), STILL_MS);
    };
    document.addEventListener("pointermove", wake);
    wake();
  }

  async function stayAwake() {
    if (document.visibilityState !== "visible") return;
    try {
      await navigator.wakeLock?.request("screen");
    } catch {
      return; // the screen's own settings then decide
    }
  }

  /* Switched on while nobody answers, it then stands still and says so, instead of a browser's page. */
  async function standStill() {
    try {
      await navigator.serviceWorker?.register(worker);
    } catch {
      return; // over plain HTTP browsers keep nothing
    }
  }

  function fillScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
  }

  BoardScreen.begin(() => {
    if (board !== null) BoardPaint.paint(board);
  });
  const first = document.getElementById("state");
  if (first !== null) show(JSON.parse(first.textContent));
  mark();
  new Feed(live, { heard, quiet: mark });
  window.setInterval(mark, 250);
  document.addEventListener("dblclick", fillScreen);
  document.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (plain && event.key.toLowerCase() === "f") fillScreen();
  });
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
  hideStillPointer();
  standStill();
})();
