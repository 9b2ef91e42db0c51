/* The hall's own pictures between two games, in turn with the board, which is back at once. */
"use strict";

const BoardBetween = (() => {
  const BOARD_MS = 20_000; // the board stands first, and again after each round
  const PICTURE_MS = 10_000;
  const STEP_MS = 500;
  const picture = document.getElementById("between");

  let since = null; // when the pause between games began
  let news = ""; // what the board says in it

  /* What is over everything: nothing while the board has news, or is not sure. */
  function shown() {
    const own = BoardScreen.own();
    const sure = document.body.dataset.sure === "yes";
    if (since === null || own.length === 0 || !sure || !document.getElementById("point").hidden) return "";
    const round = BOARD_MS + own.length * PICTURE_MS;
    const at = ((performance.now() - since) % round) - BOARD_MS;
    return at < 0 ? "" : own[Math.min(own.length - 1, Math.floor(at / PICTURE_MS))];
  }

  function turn() {
    const address = shown();
    if (address === "") picture.hidden = true;
    else if (picture.getAttribute("src") !== address) {
      picture.hidden = true;
      picture.src = address;
    } else picture.hidden = !(picture.complete && picture.naturalWidth > 0);
  }

  /* A game that is whole, or none: whatever changes on the board begins the pause anew. */
  function paint(board, scene) {
    const paused = scene === "idle" || (scene === "winners" && board.phase === "complete");
    const told = JSON.stringify([board.phase, board.session, board.game, board.last_game, board.carried]);
    if (!paused || board.last_game) since = null;
    else if (since === null || told !== news) since = performance.now();
    news = told;
    turn();
  }

  picture.addEventListener("load", turn);
  window.setInterval(turn, STEP_MS);

  return { paint };
})();
