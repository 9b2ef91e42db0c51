/* The figure that a game of 75 is played for, drawn and named (R73 b, R76). */
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

  /** Tell whether a cell of a card is one of the figure's. */
  function has(figure, row, column) {
    return figure?.drawing[row]?.[column] === MARKED;
  }

  function paint(board) {
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
