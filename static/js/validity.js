/* What a field lacks, told in the language of the page and not in that of the browser. */
"use strict";

(() => {
  const TOLD = ["valueMissing", "badInput", "patternMismatch", "rangeUnderflow", "rangeOverflow"];

  function missing(field, words) {
    if (field instanceof HTMLSelectElement || field.type === "radio") return words.choose;
    return words[field.type] ?? words.fill; // checkbox, file
  }

  /* A bound as people write it: a day is no number. */
  function bound(field, name) {
    const language = Language.now();
    if (field.type === "date") return new Date(`${field[name]}T12:00`).toLocaleDateString(language);
    return Number(field[name]).toLocaleString(language);
  }

  function told(field, words) {
    const fault = TOLD.find((name) => field.validity[name]);
    if (fault === "valueMissing") return missing(field, words);
    if (fault === "rangeUnderflow") return words.least.replace("{least}", bound(field, "min"));
    if (fault === "rangeOverflow") return words.most.replace("{most}", bound(field, "max"));
    return fault ? words.unread : ""; // of what is rarer the browser tells
  }

  function tell({ target: field }) {
    const words = document.getElementById("validity-words")?.dataset;
    if (!words) return;
    field.setCustomValidity("");
    field.setCustomValidity(told(field, words));
  }

  // A message stands in the way of the next try until it is taken away.
  const forget = ({ target }) => target.setCustomValidity?.("");

  document.addEventListener("invalid", tell, true);
  document.addEventListener("input", forget, true);
  document.addEventListener("change", forget, true);
})();
