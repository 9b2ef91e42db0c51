/* Which screen of the wall this is: its name, the part it plays, and that it is still there. */
"use strict";

const BoardScreen = (() => {
  const AGAIN_S = 10; // after an answer that did not come
  const { screen: address, csrf } = document.body.dataset;
  const words = document.getElementById("words").dataset;
  const pairing = document.getElementById("pairing");
  const place = document.getElementById("point");
  let told = JSON.parse(document.getElementById("screen").textContent);
  let repaint = () => {};
  let timer = 0;
  let pointing = 0;
  let asking = false;
  let stale = false; // something was set while an answer was on its way
  let known = false; // this page has been answered once
  const isStill = "still" in document.body.dataset; // kept since another day
  // A telephone in somebody's hand looks at the board, and is no screen of the wall.
  const isHeld =
    window.matchMedia("(pointer: coarse)").matches &&
    Math.min(window.screen.width, window.screen.height) < 500;

  /** Give the layout of a scene by this screen's role; what concerns all takes every screen. */
  function layoutOf(scene, { phase, camera }) {
    const everything = { scene, layout: "everything" };
    const forAll = ["void", "suspended", "idle", "sale"];
    if (forAll.includes(scene) || phase === "complete") return everything;
    if (told.role === "numbers" || told.role === "last") return { scene: "draw", layout: told.role };
    if (told.role === "camera") {
      if (scene === "check") return { scene, layout: "check" };
      return scene === "draw" ? { scene, layout: camera ? "camera" : "last" } : everything;
    }
    if (told.role === "prizes") return { scene: "sale", layout: "prizes" };
    if (told.role !== "check") return everything;
    if (scene === "check") return { scene, layout: "check" };
    return scene === "draw" ? { scene, layout: "last" } : everything; // the question, the winners
  }

  function point(seconds) {
    window.clearTimeout(pointing);
    place.hidden = !(seconds > 0);
    place.textContent = told.name || told.code || "";
    if (seconds > 0) pointing = window.setTimeout(() => point(0), seconds * 1000);
  }

  function show() {
    pairing.hidden = !told.code || Boolean(told.name);
    pairing.textContent = told.code ? `${words.screen} ${told.code}` : "";
    document.body.dataset.role = told.role;
    point(told.point ?? 0);
    repaint();
  }

  async function ask() {
    if (asking) {
      stale = true;
      return;
    }
    asking = true;
    stale = false;
    window.clearTimeout(timer);
    let wait = AGAIN_S;
    try {
      const answer = await fetch(isHeld ? `${address}?held` : address, {
        method: "POST",
        cache: "no-store",
        headers: { "X-CSRFToken": csrf },
        signal: AbortSignal.timeout(AGAIN_S * 1000),
      });
      BoardClock.hear(answer.headers.get("Date"));
      if (answer.ok) {
        told = await answer.json();
        wait = told.again;
        known = true;
        show();
      } else if (answer.status === 403 && (known || isStill)) window.location.reload(); // its token was renewed
    } catch {
      // No connection: it keeps its part, and the board says by itself that it is not sure.
    } finally {
      asking = false;
      timer = window.setTimeout(ask, stale ? 0 : wait * 1000);
    }
  }

  /** The feed tells by a number that some screen was set: those that are on the list ask. */
  function heard(mark) {
    if (told.code && mark !== told.screens) ask();
  }

  function begin(painted) {
    repaint = painted;
    show();
    if (told.again) ask(); // a part that is only looked at is no screen of the wall
  }

  const own = () => told.own ?? [];

  return { begin, heard, layoutOf, own };
})();
