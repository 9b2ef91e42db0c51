/* On a telephone a long page is cut into parts: what has the same data-part belongs together and is
   chosen by its name, in a row that stays in sight, or by the address of anything in it (#history).
   What belongs to several names them with a bar between ("Tills|Stock"). Without scripts all show. */
"use strict";

(() => {
  const narrow = window.matchMedia("(width < 46rem)");
  let chosen = null; // the name of the part last asked for

  const pieces = () => [...document.querySelectorAll("main [data-part]")];
  const partsOf = (piece) => piece.dataset.part.split("|");

  function partOf(element) {
    const piece = element?.closest("[data-part]");
    if (!piece) return null;
    return partsOf(piece).includes(chosen) ? chosen : partsOf(piece)[0];
  }

  const named = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));

  /* A refused form is shown, and in it what was wrong. */
  function refused() {
    const wrong = document.querySelector("main [data-part] [aria-invalid=true]");
    if (wrong !== null) return partOf(wrong);
    const form = [...document.querySelectorAll("main form[action]")].find(
      (one) => new URL(one.action).pathname === location.pathname,
    );
    return partOf(form);
  }

  function link(name, number) {
    const made = document.createElement("a");
    made.href = `#part-${number}`;
    made.id = `part-${number}`;
    made.dataset.choosesPart = name;
    made.textContent = name;
    if (name === chosen) made.setAttribute("aria-current", "true");
    return made;
  }

  function apply() {
    document.getElementById("parts")?.remove();
    const all = pieces();
    const names = [...new Set(all.flatMap(partsOf))];
    const cut = narrow.matches && names.length > 1;
    if (cut && !names.includes(chosen)) chosen = names[0];
    for (const piece of all) piece.toggleAttribute("data-away", cut && !partsOf(piece).includes(chosen));
    window.dispatchEvent(new Event("parts:chosen"));
    if (!cut) return;
    const row = document.createElement("nav");
    row.id = "parts";
    row.className = "parts";
    row.setAttribute("aria-label", document.querySelector("main").dataset.parts);
    row.append(...names.map(link));
    all[0].before(row);
  }

  function choose(name) {
    if (name === null) return;
    chosen = name;
    apply();
  }

  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element && event.target.closest("[data-chooses-part]");
    if (!pressed) return;
    event.preventDefault();
    choose(pressed.dataset.choosesPart);
    const row = document.getElementById("parts");
    row.querySelector("[aria-current]").focus({ preventScroll: true });
    row.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
    row.scrollIntoView({ block: "start" });
  });
  // A field that is missing something is shown before the browser says so.
  document.addEventListener("invalid", (event) => choose(partOf(event.target)), { capture: true });
  // Whoever gave an order finds themselves where they gave it.
  document.addEventListener("submit", ({ target }) => {
    const place = narrow.matches && target.closest("[data-part]");
    if (place && place.id && target.method === "post" && !target.action.includes("#")) {
      target.action += `#${place.id}`;
    }
  });
  window.addEventListener("hashchange", () => choose(partOf(named())));
  narrow.addEventListener("change", apply);
  document.addEventListener("htmx:afterSwap", apply, { capture: true });

  chosen = refused() ?? partOf(named());
  apply();
  if (partOf(named()) !== null) named().scrollIntoView();
})();
