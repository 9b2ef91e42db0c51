/* Between games: the newest signed head of the journal, for whoever wants to keep it. */
"use strict";

const BoardCheckpoint = (() => {
  const AGAIN_MS = 5000; // it is signed a moment after the game has ended
  const figure = document.getElementById("checkpoint");
  const picture = figure.querySelector("img");
  const address = document.body.dataset.checkpoint;
  let between = false;
  let timer = 0;

  function show(told) {
    for (const place of figure.querySelectorAll("[data-checkpoint]")) {
      place.textContent = String(told[place.dataset.checkpoint]);
    }
    if (picture.getAttribute("src") !== told.code) picture.src = told.code;
  }

  async function look() {
    if (!between) return;
    try {
      const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(AGAIN_MS) });
      if (answer.status === 200) show(await answer.json()); // 204: none is signed yet
    } catch {
      // No connection: the board says so itself, and this is asked again.
    }
    if (between) timer = window.setTimeout(look, AGAIN_MS);
  }

  function reveal() {
    const there = picture.complete && picture.naturalWidth > 0;
    figure.hidden = !(between && there);
    document.getElementById("board").classList.toggle("has-checkpoint", !figure.hidden);
  }

  function paint(board) {
    const before = between;
    between = board.phase === "none" || board.phase === "complete";
    window.clearTimeout(timer);
    if (between) timer = window.setTimeout(look, before ? AGAIN_MS : 0);
    reveal();
  }

  picture.addEventListener("load", reveal);
  picture.addEventListener("error", reveal);

  return { paint };
})();
