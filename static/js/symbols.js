/* What a ball shows: its number, or in a game of symbols its symbol with the number small (R80).
   The drawings stand once in the page, as #symbol-NUMBER. */
"use strict";

const Symbols = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  /** Give what a ball is called; `names` are those of the thirty symbols, null in a game of numbers. */
  const named = (number, names) => names?.[number - 1] ?? String(number);

  function drawing(number) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "symbol");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#symbol-${number}`);
    svg.append(use);
    return svg;
  }

  function span(className, text) {
    const made = document.createElement("span");
    made.className = className;
    made.textContent = text;
    return made;
  }

  /** Put a ball into an element, which is emptied for it; `number` is null where there is none. */
  function put(element, number, names, { name = false } = {}) {
    if (number === null || names === null) {
      element.replaceChildren(number === null ? "" : String(number));
      return;
    }
    const said = span(name ? "symbol-name" : "visually-hidden", named(number, names));
    element.replaceChildren(drawing(number), said, span("ball__number", String(number)));
  }

  return { put, named };
})();
