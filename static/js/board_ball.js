/* The last ball as the camera saw it, where it came from, and the clock of a suspended draw. */
"use strict";

const BoardBall = (() => {
  const PATIENCE_S = 15 * 60; // after it an unmended game is void (R55)
  const words = document.getElementById("words").dataset;
  let since = null;

  /* The picture is shown once it is there, and only beside the ball that it is of. */
  function paintPicture(board) {
    const picture = document.getElementById("ball-picture");
    const source = board.last === null ? null : board.ball_picture;
    if (source === null) {
      picture.hidden = true;
      picture.removeAttribute("src");
    } else if (picture.getAttribute("src") !== source) {
      picture.hidden = true;
      picture.src = source;
    }
  }

  function reveal(event) {
    const picture = event.target;
    picture.hidden = event.type !== "load" || !picture.hasAttribute("src");
  }

  function paintSource(board) {
    const place = document.getElementById("ball-source");
    const told = words[board.ball_source] ?? "";
    if (place.textContent !== told) place.textContent = told;
  }

  function clockText() {
    const now = BoardClock.now();
    if (now === null) return "";
    const gone = (now - since) / 1000;
    const left = Math.ceil(Math.min(PATIENCE_S, Math.max(0, PATIENCE_S - gone)));
    if (left === 0) return words.over;
    return `${words.left}: ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }

  function tick() {
    const clock = document.getElementById("suspended-clock");
    if (clock === null || since === null) return;
    const text = clockText();
    if (clock.textContent !== text) clock.textContent = text;
  }

  function paint(board) {
    since = board.suspended === null ? null : Date.parse(board.suspended.since);
    paintPicture(board);
    paintSource(board);
    tick();
  }

  const picture = document.getElementById("ball-picture");
  picture.addEventListener("load", reveal);
  picture.addEventListener("error", reveal);
  window.setInterval(tick, 250);

  return { paint };
})();
