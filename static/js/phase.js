/* What the game has come to is told to readers when it changes, not when the page is opened. */
"use strict";

(() => {
  const shown = () => document.querySelector("#live [data-phase-told]")?.textContent.trim() ?? "";
  let phase = shown();

  document.addEventListener("htmx:afterSwap", () => {
    const now = shown();
    if (now !== phase) document.getElementById("phase-told").textContent = now;
    phase = now;
  });
})();
