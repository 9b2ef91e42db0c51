/* The figure that a game of 75 is played for, drawn and named (R73 b, R76); on each prize what wins it
   (R67, R75, R84). */
"use strict";

const BoardFigure = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIDE = 5;
  const SQUARE = 21; // a square and the gap after it
  const MARKED = "X";

  function square(row, column, marked) {
    const one = document.createElementNS(SVG, "rect");
    one.setAttribute("x", column * SQUARE);
    one.setAttribute("y", row * SQUARE);
    one.setAttribute("width", SQUARE - 1);
    one.setAttribute("height", SQUARE - 1);
    one.setAttribute("rx", 3);
    if (marked) one.setAttribute("class", "is-marked");
    return one;
  }

  /* The centre is free: it counts as marked in every figure (R72). */
  function centre() {
    const ring = document.createElementNS(SVG, "circle");
    ring.setAttribute("cx", (SIDE * SQUARE - 1) / 2);
    ring.setAttribute("cy", (SIDE * SQUARE - 1) / 2);
    ring.setAttribute("r", 5);
    return ring;
  }

  /* A card in little: over each way to win a bar, or the cells to be covered filled. */
  function smallCard({ rows, columns, bars, cells }) {
    const card = document.createElementNS(SVG, "svg");
    card.setAttribute("viewBox", `0 0 ${columns * SQUARE - 1} ${rows * SQUARE - 1}`);
    card.style.setProperty("--ratio", columns / rows);
    const covered = new Set(cells.map(([row, column]) => row * columns + column));
    for (let at = 0; at < rows * columns; at++) {
      card.append(square(Math.floor(at / columns), at % columns, covered.has(at)));
    }
    for (const [from, to] of bars) {
      const bar = document.createElementNS(SVG, "line");
      const middle = (place) => place * SQUARE + (SQUARE - 1) / 2;
      bar.setAttribute("x1", middle(from[1]));
      bar.setAttribute("y1", middle(from[0]));
      bar.setAttribute("x2", middle(to[1]));
      bar.setAttribute("y2", middle(to[0]));
      card.append(bar);
    }
    return card;
  }

  function paintWinning(board) {
    for (const place of document.querySelectorAll("[data-wins]")) {
      const found = board.winning.find(({ prize }) => prize === place.dataset.wins);
      const told = JSON.stringify(found ?? null);
      place.hidden = found === undefined;
      if (place.dataset.drawn === told) continue;
      place.dataset.drawn = told;
      place.replaceChildren();
      if (found === undefined) continue;
      const cards = document.createElement("span");
      cards.className = "board__wins-cards";
      cards.setAttribute("aria-hidden", "true");
      cards.append(...found.drawings.map(smallCard));
      const words = document.createElement("span");
      words.className = "board__wins-words";
      words.textContent = found.text;
      place.append(cards, words);
    }
  }

  /** Tell whether a cell of a card is one of the figure's. */
  function has(figure, row, column) {
    return figure?.drawing[row]?.[column] === MARKED;
  }

  function paint(board) {
    paintWinning(board);
    const place = document.getElementById("figure");
    const picture = document.getElementById("figure-picture");
    document.getElementById("board").dataset.figure = board.figure ? "yes" : "no";
    place.hidden = !board.figure;
    const drawn = board.figure ? board.figure.drawing.join("/") : "";
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    picture.replaceChildren();
    if (!board.figure) return;
    for (let row = 0; row < SIDE; row++) {
      for (let column = 0; column < SIDE; column++) {
        picture.append(square(row, column, has(board.figure, row, column)));
      }
    }
    picture.append(centre());
  }

  return { has, paint };
})();
