/* The automatic pace of the RNG: presses "Draw ball n" once for each n, and stops at any doubt. */
"use strict";

(() => {
  const TICK_MS = 100;
  let on = false;
  let why = ""; // why it stopped, until it is started again
  let due = 0; // when the next ball may come
  let first = false; // the first ball of a pace comes a whole interval after its start
  let pressed = false; // the button of this page has been pressed, and its answer not come
  let call = null; // what was called while an order was on its way

  const form = () => document.getElementById("draw-form");
  const interval = () => Number(form()?.dataset.interval ?? 0) * 1000;
  const words = () => document.getElementById("pace-words")?.dataset ?? {};

  function start() {
    on = true;
    first = true;
    why = "";
    due = performance.now() + interval();
    show();
  }

  function stop(reason) {
    if (!on) return;
    on = false;
    why = words()[reason] ?? "";
    show();
  }

  function doubt() {
    if (document.hidden) return "hidden";
    if (document.body.dataset.connection === "lost") return "lost";
    if (document.getElementById("no-answer")?.hidden === false) return "lost";
    if (form() === null) return "stopped";
    return "";
  }

  function show() {
    const button = document.getElementById("pace");
    const draw = form()?.querySelector("button");
    const left = due - performance.now();
    // Pressed too soon it would only be refused.
    if (draw) draw.ariaDisabled = (left > 0 && interval() > 0) || Voice.busy() ? "true" : null;
    if (button === null) return;
    button.ariaPressed = String(on);
    button.querySelector("[data-pace=on]").hidden = !on;
    button.querySelector("[data-pace=off]").hidden = on;
    const share = interval() > 0 ? Math.min(1, Math.max(0, left / interval())) : 0;
    const ring = document.getElementById("pace-ring");
    ring.style.setProperty("--left", share.toFixed(3));
    ring.textContent = left > 0 ? String(Math.ceil(left / 1000)) : "";
    const said = document.getElementById("pace-why");
    if (said.textContent.trim() !== why) said.textContent = why;
  }

  function tick() {
    if (on) {
      const reason = doubt();
      if (reason) stop(reason);
      else if (!pressed && performance.now() >= due && !Voice.busy()) {
        pressed = true;
        first = false;
        form().querySelector("button").click();
      }
    }
    show();
  }

  /* The page was made anew: its form has the next ball's number and key, and what is left to wait. */
  function renew() {
    pressed = false;
    if (form() === null) {
      stop("stopped");
      return;
    }
    const refused = document.querySelector("#live > .notice--error");
    if (refused !== null && refused.dataset.code !== "too_soon") stop("refused");
    const left = performance.now() + Number(form().dataset.wait) * 1000;
    due = on && first ? Math.max(due, left) : left;
    show();
  }

  /* Whoever orders anything else has something else in mind. A call is never lost to an order that
     is still on its way: it goes out as soon as that one is answered. */
  function order(event) {
    const asked = event.detail.requestConfig.elt.closest("form");
    if (asked === null || event.detail.target?.id !== "live" || asked === form()) return;
    stop("order");
    if (event.defaultPrevented && asked.dataset.call) call = asked.dataset.call;
  }

  function answered() {
    if (call === null) return;
    window.setTimeout(() => {
      const again = [...document.querySelectorAll("#live [data-call]")].find(
        (one) => one.dataset.call === call,
      );
      call = null;
      again?.querySelector("button").click();
    }, 0);
  }

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("#pace")) return;
    if (on) {
      on = false;
      show();
    } else start();
  });
  /* Nor may the mouse, or Enter on the button itself, draw a ball while the last is being said. */
  function wait(event) {
    if (!(event.target instanceof Element) || !event.target.closest("#draw-form button")) return;
    if (!Voice.busy()) return;
    event.preventDefault();
    event.stopPropagation();
  }

  document.addEventListener("click", wait, true);
  document.addEventListener("visibilitychange", () => document.hidden && stop("hidden"));
  document.addEventListener("htmx:beforeRequest", order);
  document.addEventListener("htmx:afterRequest", answered);
  document.addEventListener("htmx:afterSwap", renew);
  document.addEventListener("DOMContentLoaded", renew);
  window.setInterval(tick, TICK_MS);
})();
