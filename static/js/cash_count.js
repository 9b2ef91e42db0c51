/* Counting and owing: sums of notes and coins, and what a floor seller owes for a block. */
"use strict";

(() => {
  const whole = (typed) => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : 0);

  /* The aid fills the field of the sum; typed there by hand, it stands as typed. */
  function sum(aid) {
    let total = 0;
    for (const field of aid.querySelectorAll("[data-worth]")) {
      const worth = whole(field.value) * Number(field.dataset.worth);
      total += worth;
      const shown = field.closest("[data-piece]").querySelector("output");
      shown.textContent = worth === 0 ? "" : Money.text(worth);
    }
    aid.querySelector("[data-sum]").textContent = Money.text(total);
    return total;
  }

  function count(event) {
    const aid = event.target instanceof Element && event.target.closest("[data-counts]");
    if (!aid || !event.target.matches("[data-worth]")) return;
    document.getElementById(aid.dataset.counts).value = Money.typed(sum(aid));
  }

  /* Enter goes on to the next field and last to the button: a drawer is closed once, and meant. */
  function goOn(event) {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    const form = event.target.closest("form[data-steps]");
    if (form === null) return;
    event.preventDefault();
    const steps = [...form.querySelectorAll("input:not([type=hidden]), button")];
    steps[steps.indexOf(event.target) + 1]?.focus();
  }

  /* A block: all sold, or all before the first unsold card. */
  function owe(block) {
    const { first, last, price } = block.dataset;
    const typed = block.querySelector("[name=unsold]").value.trim();
    const unsold = typed === "" ? Number(last) + 1 : whole(typed);
    const within = Number(first) <= unsold && unsold <= Number(last) + 1;
    const cards = within ? unsold - Number(first) : null;
    block.querySelector("[data-owes=cards]").textContent = cards ?? "–";
    block.querySelector("[data-owes=amount]").textContent =
      cards === null ? "–" : Money.text(cards * Number(price));
  }

  function input(event) {
    count(event);
    const block = event.target instanceof Element && event.target.closest("[data-block]");
    if (block && event.target.matches("[name=unsold]")) owe(block);
  }

  /* A tap for each card sold, between two tables. */
  function tap(event) {
    const button = event.target instanceof Element && event.target.closest("[data-block] [data-sold]");
    if (!button) return;
    const block = button.closest("[data-block]");
    const field = block.querySelector("[name=unsold]");
    const end = Number(block.dataset.last) + 1;
    const now = field.value.trim() === "" ? end : whole(field.value);
    const next = Math.min(end, Math.max(Number(block.dataset.first), now + Number(button.dataset.sold)));
    field.value = String(next);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function restore() {
    for (const aid of document.querySelectorAll("[data-counts]")) sum(aid);
    for (const block of document.querySelectorAll("[data-block]")) owe(block);
    offerFloat();
  }

  /* What the last shift left in the drawer, for the till that is chosen. */
  function offerFloat() {
    const till = document.getElementById("till");
    const offer = document.getElementById("left-there");
    if (till === null || offer === null) return;
    const left = till.selectedOptions[0]?.dataset.left;
    offer.hidden = !left;
    if (!left) return;
    offer.dataset.left = left;
    offer.querySelector("[data-shows]").textContent = Money.text(Number(left));
  }

  function take(event) {
    const offer = event.target instanceof Element && event.target.closest("#left-there");
    if (offer) document.getElementById("float").value = Money.typed(Number(offer.dataset.left));
  }

  document.addEventListener("input", input);
  document.addEventListener("change", offerFloat);
  document.addEventListener("keydown", goOn);
  document.addEventListener("click", take);
  document.addEventListener("click", tap);
  document.addEventListener("htmx:afterSwap", restore);
  restore();
})();
