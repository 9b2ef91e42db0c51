/* What readers are told by themselves: what the game has come to when that changes, and nothing twice
   only because the page was renewed around it. */
"use strict";

(() => {
  const LIVE = "[role=status], [role=alert], [aria-live]";
  const words = (one) => one.textContent.replace(/\s+/g, " ").trim();
  const regions = () => [...document.querySelectorAll(LIVE)].filter((one) => words(one) !== "");
  const shown = () => words(document.querySelector("#live [data-phase-told]") ?? document.createElement("p"));
  let phase = shown();
  let before = new Map(); // each region that had something to tell, and what

  /* Who has just pressed something is told what came of it, be it the same as before. */
  const isAnswer = (event) => event.detail.requestConfig?.verb === "post";

  document.addEventListener("htmx:beforeSwap", (event) => {
    before = new Map(isAnswer(event) ? [] : regions().map((one) => [one, words(one)]));
  });

  document.addEventListener("htmx:afterSwap", () => {
    const told = new Set(before.values());
    for (const one of regions()) {
      const anew = !before.has(one) || one.matches(".notice"); // live.js puts a notice in again
      if (anew && told.has(words(one))) one.setAttribute("aria-live", "off");
    }
    const now = shown();
    if (now !== phase) document.getElementById("phase-told").textContent = now;
    phase = now;
  });
})();
