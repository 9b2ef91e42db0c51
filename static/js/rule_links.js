/* Staff need not know rules by number: "(R53)" in a page becomes a link that shows what the rule says.

   Where a link cannot be, as in a button or what is read aloud, the number goes away; so it does
   everywhere in a hall under a law without these numbers (data-why is empty), whose refusals name none
   anyway. Inspectors' pages are left alone otherwise. */
"use strict";

(() => {
  const RULES = /\s*\((R\d[^()]*)\)/;
  const WHOLE = "button, a, summary, option, title, legend, label, h1, th, #told";
  const LEFT = "script, style, textarea, code, .why";
  const words = () => document.body.dataset.why;
  const address = () => document.body.dataset.whyAt;

  function link(rules) {
    const made = document.createElement("a");
    made.className = "why";
    made.href = `${address()}?rules=${encodeURIComponent(rules)}`;
    made.textContent = words();
    return made;
  }

  function explain(text) {
    for (let found; (found = RULES.exec(text.data)) !== null; ) {
      const after = text.splitText(found.index);
      after.data = after.data.slice(found[0].length);
      if (words() && text.parentElement.closest(WHOLE) === null) after.before(" (", link(found[1]), ")");
      text = after;
    }
  }

  function meet() {
    if (words() === undefined) return;
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const text = walker.currentNode;
      if (RULES.test(text.data) && text.parentElement?.closest(LEFT) === null) found.push(text);
    }
    found.forEach(explain);
  }

  function dialog() {
    const known = document.getElementById("why");
    if (known !== null) return known;
    const made = document.createElement("dialog");
    made.id = "why";
    made.className = "dialog";
    made.setAttribute("aria-labelledby", "why-title");
    made.addEventListener("click", (event) => {
      if (event.target === made) made.close();
    });
    document.body.append(made);
    return made;
  }

  async function show(event) {
    const asked = event.target instanceof Element ? event.target.closest("a.why") : null;
    if (asked === null || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    try {
      const answer = await fetch(asked.href, { headers: { "X-Requested-With": "why" } });
      if (!answer.ok) throw new Error(answer.status);
      const shown = dialog();
      shown.innerHTML = await answer.text();
      const close = document.createElement("button");
      close.className = "button";
      close.textContent = "OK";
      close.addEventListener("click", () => shown.close());
      shown.append(close);
      shown.showModal();
    } catch {
      location.assign(asked.href); // the page says what is wrong
    }
  }

  document.addEventListener("click", show);
  document.addEventListener("htmx:afterSwap", meet);
  document.addEventListener("sale:told", meet);
  document.addEventListener("DOMContentLoaded", meet);
})();
