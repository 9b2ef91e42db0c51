/* Paints the hall's public numbers into a console: what has data-live, for an issue or a price. */
"use strict";

const Numbers = (() => {
  const NONE = "–";

  /* The issues that an element speaks of: those of its own, or of its price, or all. */
  function issuesOf(element, board) {
    const place = element.closest("[data-live-issue], [data-live-face]");
    if (place === null) return board.issues;
    const { liveIssue, liveFace } = place.dataset;
    return board.issues.filter(({ issue, face }) =>
      liveIssue === undefined ? String(face) === liveFace : String(issue) === liveIssue,
    );
  }

  const sum = (issues, name) => issues.reduce((total, issue) => total + issue[name], 0);

  const VALUES = {
    next: (issues) => issues.find(({ left }) => left > 0)?.next,
    left: (issues) => sum(issues, "left"),
    cards: (issues) => sum(issues, "sold"),
    line: (_issues, board) => board.prizes.line,
    bingo: (_issues, board) => board.prizes.bingo,
    jackpot: (_issues, board) => board.prizes.jackpot,
  };

  /* As the page writes counts: in groups of three. The number of a card is none of them. */
  const grouped = new Intl.NumberFormat(Language.now(), { useGrouping: "always" });
  const COUNTS = new Set(["left", "cards"]);

  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function paint(section, board) {
    for (const element of section.querySelectorAll("[data-live]")) {
      const value = VALUES[element.dataset.live]?.(issuesOf(element, board), board);
      const counted = COUNTS.has(element.dataset.live) && value !== undefined;
      write(element, counted ? grouped.format(value) : String(value ?? NONE));
    }
  }

  /* Where a hall stands, as desk.py names it: while it stays there only numbers change. */
  function placeOf({ session, game, phase, issues }) {
    return [session, game, phase, ...issues.map(({ issue }) => issue)].join("/");
  }

  return { paint, placeOf };
})();
