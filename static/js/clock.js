/* What is left of a time: data-left, in seconds as the page was made, told down to nothing. */
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
    for (const clock of document.querySelectorAll("[data-left]")) {
      if (!until.has(clock)) until.set(clock, now + Number(clock.dataset.left) * 1000);
      const left = (until.get(clock) - now) / 1000;
      const shown = text(Math.max(0, left));
      if (clock.textContent !== shown) clock.textContent = shown;
      if (left > 0 || clock.dataset.over !== undefined) continue;
      clock.dataset.over = "";
      over();
    }
  }

  window.setInterval(tick, 250);
})();
