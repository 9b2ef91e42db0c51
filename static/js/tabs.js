/* Tabs of a page: data-tab="floor" shows the panel data-panel="floor"; without scripts all show. */
"use strict";

(() => {
  const MAIN = "main";
  let chosen = MAIN;

  function apply() {
    const panels = [...document.querySelectorAll("[data-panel]")];
    if (!panels.some((panel) => panel.dataset.panel === chosen)) chosen = MAIN;
    for (const panel of panels) panel.hidden = panel.dataset.panel !== chosen;
    for (const tab of document.querySelectorAll("[data-tab]")) {
      tab.setAttribute("aria-current", String(tab.dataset.tab === chosen));
    }
  }

  function choose(event) {
    const tab = event.target instanceof Element && event.target.closest("[data-tab]");
    if (!tab) return;
    chosen = tab.dataset.tab === chosen ? MAIN : tab.dataset.tab;
    apply();
    const panel = document.querySelector(`[data-panel="${chosen}"]`);
    panel?.querySelector("[data-first], [autofocus]")?.focus();
    document.dispatchEvent(new CustomEvent("tab", { detail: chosen }));
  }

  document.addEventListener("click", choose);
  // Before live.js puts the focus back: a hidden field takes none.
  document.addEventListener("htmx:afterSwap", apply, { capture: true });
  apply();
})();
