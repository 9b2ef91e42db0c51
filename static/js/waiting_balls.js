/* Balls that wait for somebody: told to readers, held for a moment, their pictures, their fields. */
"use strict";

(() => {
  // A key meant for the ball before must not answer for the one that has just come.
  const HELD_MS = 400;
  let asked = ""; // the ball that was shown last
  let heldUntil = 0;

  const spaceless = (text) => text.replace(/\s+/g, " ").trim();

  function tell(text) {
    const place = document.getElementById("told");
    if (place !== null && place.textContent !== text) place.textContent = text;
  }

  const lastBall = () =>
    spaceless(document.querySelector("#live .ball--last:not(.ball--empty)")?.textContent ?? "");

  const question = () => document.querySelector("#live [data-reading]");

  /* A refresh may put another element of the same ball in its place: the moment holds for that too. */
  function hold() {
    const ball = question();
    if (ball !== null) ball.inert = performance.now() < heldUntil;
  }

  function meet() {
    const now = question()?.dataset.reading ?? "";
    if (now !== asked) {
      asked = now;
      heldUntil = performance.now() + HELD_MS;
      window.setTimeout(hold, HELD_MS + 10);
    }
    tell(question()?.dataset.told ?? lastBall());
    hold();
  }

  /* Who keys every ball types the next one, whoever has renewed the page meanwhile. */
  function makeReady() {
    const idle = document.activeElement === null || document.activeElement === document.body;
    if (idle && !document.querySelector("dialog:modal")) {
      document.querySelector("#live [data-ready]")?.focus({ preventScroll: true });
    }
  }

  function focusField(event) {
    const button = event.target instanceof Element && event.target.closest("[data-focuses]");
    if (!button) return;
    const field = document.getElementById(button.dataset.focuses);
    field?.focus();
    field?.select();
  }

  /* A symbol of the grid is put into the field in which a ball is keyed: Enter announces it. */
  function fillField(event) {
    const button = event.target instanceof Element && event.target.closest("[data-fills]");
    if (!button) return;
    const field = document.querySelector("#live .ask__other input[name=number], #live #number");
    if (field === null) return;
    field.value = button.dataset.fills;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }

  /* What is said of the cameras is put in again only when it differs: a reader says it once. */
  function keepSame(event) {
    const { target, serverResponse } = event.detail;
    if (target.id !== "cameras") return;
    const told = new DOMParser().parseFromString(serverResponse, "text/html").body.textContent;
    if (spaceless(told) === spaceless(target.textContent)) event.detail.shouldSwap = false;
  }

  /* A picture that cannot be had leaves its place empty. */
  function forgetPicture(event) {
    if (event.target instanceof HTMLImageElement && event.target.closest(".shot")) {
      event.target.hidden = true;
    }
  }

  document.addEventListener("htmx:afterSwap", meet);
  document.addEventListener("htmx:afterSwap", makeReady);
  document.addEventListener("htmx:beforeSwap", keepSame);
  document.addEventListener("click", focusField);
  document.addEventListener("click", fillField);
  document.addEventListener("error", forgetPicture, true);
  document.addEventListener("DOMContentLoaded", meet);
})();
