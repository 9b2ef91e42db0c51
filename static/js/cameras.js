/* The circle on a camera's still, moved by pointer or keys; and the field in which a ball is named. */
"use strict";

(() => {
  const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const REACH = 2.2; // as draws/balls/vision/exit_area.py has it
  const LEAST = 12; // pixels of a radius
  const RIM = 0.3; // of the radius: nearer to the rim, a drag changes the size
  const PAUSE_MS = 250;

  class Circle {
    constructor(root) {
      this.root = root;
      this.still = root.querySelector("svg");
      this.fields = ["x", "y", "radius"].map((name) => root.querySelector(`[name="${name}"]`));
      this.drag = null;
      this.waiting = 0;
      this.asked = 0;
      this.still.addEventListener("pointerdown", (event) => this.begin(event));
      this.still.addEventListener("pointermove", (event) => this.move(event));
      this.still.addEventListener("lostpointercapture", () => { this.drag = null; });
      this.still.addEventListener("keydown", (event) => this.key(event));
      for (const field of this.fields) field.addEventListener("input", () => this.show());
    }

    get value() {
      return this.fields.map((field) => Number.parseInt(field.value, 10) || 0);
    }

    set value([x, y, radius]) {
      const { width, height } = this.still.viewBox.baseVal;
      const within = (number, most) => Math.round(Math.min(Math.max(number, 0), most));
      this.fields[0].value = within(x, width);
      this.fields[1].value = within(y, height);
      this.fields[2].value = Math.max(LEAST, within(radius, Math.min(width, height) / 2));
      this.show();
    }

    place(event) {
      const point = new DOMPoint(event.clientX, event.clientY);
      return point.matrixTransform(this.still.getScreenCTM().inverse());
    }

    begin(event) {
      const at = this.place(event);
      const [x, y, radius] = this.value;
      const far = Math.hypot(at.x - x, at.y - y);
      const size = Math.abs(far - radius) < radius * RIM;
      // Away from the circle a new one is drawn from its middle.
      if (far > radius * (1 + RIM)) this.value = [at.x, at.y, radius];
      this.drag = { size, x: far > radius * (1 + RIM) ? 0 : at.x - x, y: far > radius * (1 + RIM) ? 0 : at.y - y };
      this.still.setPointerCapture(event.pointerId);
      event.preventDefault();
      this.still.focus();
    }

    move(event) {
      if (this.drag === null) return;
      const at = this.place(event);
      const [x, y, radius] = this.value;
      this.value = this.drag.size
        ? [x, y, Math.hypot(at.x - x, at.y - y)]
        : [at.x - this.drag.x, at.y - this.drag.y, radius];
    }

    key(event) {
      const [x, y, radius] = this.value;
      const step = event.shiftKey ? 10 : 1;
      const arrow = ARROWS[event.key];
      if (arrow) this.value = [x + arrow[0] * step, y + arrow[1] * step, radius];
      else if (event.key === "+") this.value = [x, y, radius + step];
      else if (event.key === "-" || event.key === "_") this.value = [x, y, radius - step];
      else return;
      event.preventDefault();
    }

    show() {
      const [x, y, radius] = this.value;
      for (const [name, size] of [["ball", radius], ["area", radius * REACH]]) {
        const circle = this.still.querySelector(`[data-circle="${name}"]`);
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
        circle.setAttribute("r", size);
      }
      window.clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => this.advise(), PAUSE_MS);
    }

    async advise() {
      const [x, y, radius] = this.value;
      const asked = ++this.asked;
      const query = new URLSearchParams({ x, y, radius });
      let told;
      try {
        const answer = await fetch(`${this.root.dataset.advice}?${query}`);
        told = await answer.json();
      } catch {
        return;
      }
      if (asked !== this.asked) return; // a later one is on its way
      const refused = this.root.querySelector("[data-refused]");
      refused.textContent = told.refused;
      refused.hidden = !told.refused;
      for (const hint of told.hints) {
        const row = this.root.querySelector(`[data-hint="${hint.name}"]`);
        if (!row) continue;
        row.dataset.verdict = hint.verdict;
        row.querySelector("meter").value = hint.value;
        const text = row.querySelector(".hints__text");
        if (text.textContent !== hint.text) text.textContent = hint.text;
      }
    }
  }

  function prepare() {
    for (const root of document.querySelectorAll("[data-calibrate]:not([data-ready])")) {
      root.dataset.ready = "yes";
      new Circle(root);
    }
  }

  /* What was typed for one ball must not name the next. */
  function clear(event) {
    const form = document.getElementById("naming");
    if (!form || !event.detail.elt || !event.detail.successful) return;
    if (event.detail.requestConfig.verb !== "post") return;
    form.elements.number.value = "";
    form.elements.number.focus();
  }

  document.addEventListener("htmx:afterRequest", clear);
  document.addEventListener("htmx:afterSettle", prepare);
  document.addEventListener("DOMContentLoaded", prepare);
  prepare();
})();
