/* What is left of a time, in seconds as the page was made: data-counts-down is told down to nothing, and a
   button with data-waits is none before. */
"use strict";

(() => {
  const until = new WeakMap();

  function text(seconds) {
    const whole = Math.ceil(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  function over() {
    const section = document.getElementById("live");
    if (section !== null) htmx.trigger(section, "live"); // the page says what comes next
  }

  function tick() {
    const now = performance.now();
    for (const clock of document.querySelectorAll("[data-counts-down]")) {
      if (!until.has(clock)) until.set(clock, now + Number(clock.dataset.countsDown) * 1000);
      const left = (until.get(clock) - now) / 1000;
      const shown = text(Math.max(0, left));
      if (clock.textContent !== shown) clock.textContent = shown;
      if (left > 0 || clock.dataset.over !== undefined) continue;
      clock.dataset.over = "";
      over();
    }
  }

  /* Whoever is asked must have had time to answer: the key of the button tells how long it waits. */
  function wait() {
    for (const button of document.querySelectorAll("[data-waits]")) {
      const key = button.querySelector("kbd");
      if (!until.has(button)) until.set(button, performance.now() + Number(button.dataset.waits) * 1000);
      const left = Math.ceil((until.get(button) - performance.now()) / 1000);
      key.textContent = left > 0 ? `${left} s` : button.dataset.key;
      if (left > 0) continue;
      button.ariaDisabled = null;
      delete button.dataset.waits;
    }
  }

  function refuse(event) {
    if (event.target instanceof Element && event.target.closest("[data-waits]")) event.preventDefault();
  }

  document.addEventListener("click", refuse, true);
  window.setInterval(() => (tick(), wait()), 250);
})();
