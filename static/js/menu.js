/* The row of pages: the page one is on stands in sight, and an open menu closes by itself. */
"use strict";

(() => {
  document
    .querySelector(".bar__pages > [aria-current], .bar__pages [data-current]")
    ?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });

  const opened = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", ({ target }) => {
    for (const menu of opened()) if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of opened()) {
      if (!menu.contains(document.activeElement)) continue;
      menu.open = false;
      menu.querySelector("summary").focus();
      event.preventDefault();
    }
  });
})();
