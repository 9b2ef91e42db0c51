/* On a telephone a long list shows its first rows, and as many again at each press of a button under it.
   Where the address names a row (#person-ana), and on paper, all are shown. Without scripts too. */
"use strict";

(() => {
  const FIRST = 1200; // px of rows
  const narrow = window.matchMedia("(width < 46rem)");
  const tall = new Map(); // how many px of a list are shown, by its table's caption

  const main = document.querySelector("main");
  const titleOf = (rows) => rows.closest("table").caption?.textContent ?? "";
  const buttonOf = (rows) => rows.closest(".table-frame").nextElementSibling;

  function all(rows) {
    for (const row of rows.children) row.hidden = false;
    if (buttonOf(rows)?.matches(".list-more")) buttonOf(rows).remove();
  }

  function button(rows, later) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button button--quiet list-more";
    made.textContent = `${main.dataset.more} (${later.length})`;
    made.addEventListener("click", () => {
      tall.set(titleOf(rows), (tall.get(titleOf(rows)) ?? FIRST) + FIRST);
      show(rows);
      later[0].tabIndex = -1;
      later[0].focus({ preventScroll: true });
    });
    rows.closest(".table-frame").after(made);
  }

  function show(rows) {
    all(rows);
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!narrow.matches || rows.contains(named)) return;
    const end = rows.getBoundingClientRect().top + (tall.get(titleOf(rows)) ?? FIRST);
    const later = [...rows.children].filter((row) => row.getBoundingClientRect().top > end);
    if (later.length < 2) return;
    for (const row of later) row.hidden = true;
    button(rows, later);
  }

  const lists = () => document.querySelectorAll("main .table-frame > table > tbody");
  const showAll = () => lists().forEach(show);
  for (const what of ["hashchange", "parts:chosen"]) window.addEventListener(what, showAll);
  window.addEventListener("beforeprint", () => lists().forEach(all));
  window.addEventListener("afterprint", showAll);
  narrow.addEventListener("change", showAll);
  document.addEventListener("htmx:afterSwap", showAll, { capture: true });
  showAll();
})();
