/* The form of a sale while it is filled: what is due, the change at once, and one keypad. */
"use strict";

const SaleForm = (() => {
  const NONE = "";
  const TYPED = ["quantity", "given"]; // by key or keypad
  const coarse = window.matchMedia("(pointer: coarse)").matches;
  let target = "quantity"; // the field that the keypad types into

  const form = () => document.getElementById("sell-form");
  const field = (name) => form()?.elements.namedItem(name);

  /* ---- what is due, what is given, what goes back ---- */

  function price() {
    const tile = form().querySelector("input[name=face]:checked");
    return Number((tile ?? form()).dataset.price);
  }

  function quantity() {
    const typed = field("quantity").value.trim();
    return /^\d{1,5}$/.test(typed) ? Number(typed) : null;
  }

  function show(name, text) {
    const place = form().querySelector(`[data-shows="${name}"]`);
    if (place !== null && place.textContent !== text) place.textContent = text;
  }

  function reckon() {
    if (form() === null) return;
    const cards = quantity();
    const due = cards === null ? null : cards * price();
    const typed = field("given").value.trim();
    const given = typed === NONE ? null : Money.read(typed);
    const change = due === null || given === null ? null : given - due;
    show("due", due === null ? "–" : Money.text(due));
    show("change", change === null ? "–" : Money.text(Math.abs(change)));
    form().dataset.change =
      typed !== NONE && given === null ? "unread" : change === null ? "none" : change < 0 ? "short" : "back";
  }

  /* ---- keypad ---- */

  function type(press) {
    const name = press.dataset.note ? "given" : target;
    const into = field(name);
    if (press.dataset.digit) into.value += press.dataset.digit;
    else if (press.dataset.erase) into.value = into.value.slice(0, -1);
    else add(into, Number(press.dataset.note));
    reckon();
  }

  /* What cannot be read stays as it was typed. */
  function add(into, note) {
    const before = into.value.trim() === NONE ? 0 : Money.read(into.value);
    if (before !== null) into.value = Money.typed(before + note);
  }

  function aim(event) {
    if (event.target.form !== form() || !TYPED.includes(event.target.name)) return;
    target = event.target.name;
    markTarget();
  }

  function markTarget() {
    for (const name of TYPED) {
      field(name)?.closest(".field")?.classList.toggle("is-target", name === target);
    }
  }

  /* Figures typed while the focus is nowhere are meant for the quantity. */
  function catchDigit(event) {
    if (form() === null || !/^\d$/.test(event.key) || event.ctrlKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea") || document.querySelector("dialog:modal")) return;
    if (!field("quantity").matches(":disabled") && field("quantity").checkVisibility()) field("quantity").focus();
  }

  /* ---- emptied after a sale, taken over by a new page ---- */

  function empty() {
    for (const name of [...TYPED, "player", "seller"]) {
      if (field(name)) field(name).value = NONE;
    }
    target = "quantity";
    markTarget();
  }

  function takeOver() {
    // The keypad is the keyboard of a touch screen: the system's own would cover half the page.
    if (coarse) for (const name of TYPED) field(name).inputMode = "none";
    markTarget();
    reckon();
  }

  document.addEventListener("keydown", catchDigit);
  document.addEventListener("focusin", aim);
  document.addEventListener("input", reckon);
  document.addEventListener("click", ({ target: pressed }) => {
    const button = pressed instanceof Element && pressed.closest(".keypad button[type=button]");
    if (button) type(button);
  });
  // A press of the keypad leaves the focus where it is.
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Element && event.target.closest(".keypad button")) event.preventDefault();
  });

  return { form, field, reckon, empty, takeOver };
})();
