/* Draws a figure of the card of 75: press, paint, arrows, mirror, turn, undo. */
"use strict";

(() => {
  const SIDE = 5;
  const CENTRE = 12;
  const CLICK_MS = 600; // a finger's click may come this late
  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const places = [...Array(SIDE * SIDE).keys()];
  const at = (row, column) => row * SIDE + column;

  // Each square of the changed figure is the square of the old one that these give.
  const MOVES = {
    mirror: (row, column) => at(row, SIDE - 1 - column),
    flip: (row, column) => at(SIDE - 1 - row, column),
    turn: (row, column) => at(SIDE - 1 - column, row),
  };

  class Editor {
    constructor(root) {
      this.root = root;
      this.grid = this.part("grid");
      this.squares = [...this.grid.querySelectorAll("input")];
      this.tile = [...root.querySelectorAll(".pattern-tile__square")];
      this.past = [];
      this.stroke = null; // what the pointer now down paints: marked or clear
      this.ended = -Infinity; // when the last stroke was
      this.grid.addEventListener("change", () => this.settle());
      this.grid.addEventListener("keydown", (event) => this.key(event));
      this.grid.addEventListener("focusin", (event) => this.hold(this.squares.indexOf(event.target)));
      this.grid.addEventListener("pointerdown", (event) => this.begin(event));
      this.grid.addEventListener("pointermove", (event) => this.paint(event));
      this.grid.addEventListener("lostpointercapture", (event) => this.end(event));
      this.grid.addEventListener("click", (event) => this.click(event));
      this.part("tools").addEventListener("click", (event) => this.change(event));
      this.part("tools").hidden = false;
      this.shown = this.read();
      this.hold(0);
      this.show();
    }

    part(name) {
      return this.root.querySelector(`[data-pattern="${name}"]`);
    }

    read() {
      return this.squares.map((square) => square.checked);
    }

    write(figure) {
      figure.forEach((marked, place) => {
        this.squares[place].checked = marked;
      });
    }

    /* ---- what is seen and sent ---- */

    show() {
      const figure = this.shown;
      const rows = places.filter((place) => place % SIDE === 0);
      const line = (first) => figure.slice(first, first + SIDE).map((marked) => (marked ? "X" : "."));
      const count = figure.filter((marked, place) => marked && place !== CENTRE).length;
      this.part("drawing").value = rows.map((first) => line(first).join("")).join("/");
      this.part("count").value = String(count);
      this.part("few").hidden = count === 0 || count >= Number(this.root.dataset.least);
      this.part("whole").hidden = count < places.length - 1;
      this.tile.forEach((square, place) => square.classList.toggle("is-marked", figure[place]));
      this.tool("clear").ariaDisabled = String(!figure.includes(true));
      this.tool("undo").ariaDisabled = String(this.past.length === 0);
    }

    tool(name) {
      return this.root.querySelector(`[data-pattern-do="${name}"]`);
    }

    /* One step of what can be undone: a press, a whole stroke, a tool. */
    settle() {
      const figure = this.read();
      if (figure.every((marked, place) => marked === this.shown[place])) return;
      this.past.push(this.shown);
      this.shown = figure;
      this.show();
    }

    undo() {
      const before = this.past.pop();
      if (before === undefined) return;
      this.shown = before;
      this.write(before);
      this.show();
    }

    change(event) {
      const name = event.target.closest("[data-pattern-do]")?.dataset.patternDo;
      if (name === undefined) return;
      if (name === "undo") {
        this.undo();
        return;
      }
      const from = MOVES[name];
      const figure = places.map((place) =>
        from === undefined ? false : this.shown[from(Math.floor(place / SIDE), place % SIDE)],
      );
      this.write(figure);
      this.settle();
    }

    /* ---- keys: one stop for the whole grid, arrows inside it ---- */

    hold(place) {
      this.squares.forEach((square, other) => {
        square.tabIndex = other === place ? 0 : -1;
      });
    }

    key(event) {
      if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.undo();
        return;
      }
      const step = ARROWS[event.key];
      if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const place = this.squares.indexOf(event.target);
      const row = Math.floor(place / SIDE) + step[0];
      const column = (place % SIDE) + step[1];
      if (Math.min(row, column) < 0 || Math.max(row, column) >= SIDE) return;
      this.squares[at(row, column)].focus();
    }

    /* ---- the pointer paints what its first square became ---- */

    begin(event) {
      const square = event.target;
      if (event.button !== 0 || !this.squares.includes(square)) return;
      this.stroke = !square.checked;
      square.checked = this.stroke;
      square.focus({ focusVisible: false });
      this.grid.setPointerCapture(event.pointerId);
    }

    paint(event) {
      if (this.stroke === null) return;
      const square = document.elementFromPoint(event.clientX, event.clientY);
      if (this.squares.includes(square)) square.checked = this.stroke;
    }

    end(event) {
      if (this.stroke === null) return;
      this.stroke = null;
      this.ended = event.timeStamp;
      this.settle();
    }

    /* The click that follows a stroke says nothing new; a key's click (no detail) does. */
    click(event) {
      if (event.detail > 0 && event.timeStamp - this.ended < CLICK_MS) event.preventDefault();
    }
  }

  for (const root of document.querySelectorAll("[data-pattern-editor]:not([data-ready])")) {
    root.dataset.ready = "";
    new Editor(root);
  }
})();
