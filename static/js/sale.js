/* The sale: one order at a time, sent until it is answered.

   An order keeps its key until it is answered, over lost answers and over a reload of the page; the
   server does what one key asks for once, so it is sent again until an answer comes. */
"use strict";

(() => {
  const WAITS_MS = [400, 800, 1600, 3000]; // the last one again and again
  const PATIENCE_MS = 10_000; // for one answer
  const DOUBLE_PRESS_MS = 500; // no sale can be undone: a second press that soon was not meant
  // What waits for its answer at a real till is not sent in training that was opened over it.
  const HALL = window.location.pathname.startsWith("/training/") ? "training" : "bingo";
  const KEPT = `${HALL}.sale`;
  const FACE = `${HALL}.face`;
  const NONE = "";

  let pending = null; // the order on its way: { body, shift, tries, timer }
  let refusedBody = null; // the fields of the last refused one, which an offer changes
  let answeredAt = -Infinity;
  let takenUntil = -Infinity; // until when the last sale may be taken back

  const till = () => document.querySelector("[data-till]");
  const { form, field } = SaleForm;
  const sold = () => document.getElementById("sold");

  /* ---- sending ---- */

  function fieldsOf({ quantity: cards, given }) {
    const fields = new URLSearchParams(new FormData(form()));
    if (cards !== undefined) fields.set("quantity", cards);
    if (given !== undefined) fields.set("given", given);
    return fields;
  }

  const pressedTwice = (event) =>
    event.detail > 1 || performance.now() - answeredAt < DOUBLE_PRESS_MS;

  function submit(event) {
    if (event.target !== form()) return;
    event.preventDefault();
    const quick = event.submitter?.name === "quick" ? event.submitter.value : undefined;
    if (quick !== undefined) {
      if (performance.now() - answeredAt >= DOUBLE_PRESS_MS) start(fieldsOf({ quantity: quick, given: NONE }));
    } else if (field("quantity").value.trim() === NONE) field("quantity").focus();
    else start(fieldsOf({}));
  }

  function press(event) {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button) return;
    if (button.matches("[data-repeat]") && form() && !pressedTwice(event)) {
      if (button.dataset.repeat) start(fieldsOf({ quantity: button.dataset.repeat }));
    } else if (button.matches("[data-offer]") && refusedBody && !pressedTwice(event)) {
      const fields = new URLSearchParams(refusedBody);
      fields.set("quantity", button.dataset.offer);
      fields.set("key", sold().querySelector("[data-sold]").dataset.key);
      start(fields);
    } else if (button.matches("[data-sure]") && refusedBody && !pressedTwice(event)) {
      const fields = new URLSearchParams(refusedBody);
      fields.set("sure", "on");
      fields.set("key", sold().querySelector("[data-sold]").dataset.key);
      start(fields);
    } else if (button.matches("[data-try-now]") && pending) send();
  }

  function start(fields) {
    if (pending !== null) return;
    fields.delete("csrfmiddlewaretoken"); // the page's, which is another after a login: it goes in the header
    pending = { body: fields.toString(), shift: till().dataset.shift, tries: 0, timer: null };
    sessionStorage.setItem(KEPT, JSON.stringify(pending));
    lock();
    send();
  }

  async function send() {
    window.clearTimeout(pending.timer);
    const order = pending;
    if (order.busy) return;
    order.busy = true;
    order.tries += 1;
    const answer = await asked(order);
    order.busy = false;
    if (answer === null) tryAgain();
    else answered(answer);
  }

  /* Gives { ok, text }, or null when no answer of ours came. */
  async function asked({ body }) {
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    try {
      const response = await fetch(till().dataset.sale, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (response.redirected) return { away: true };
      if (response.status === 423) {
        document.dispatchEvent(new Event("sign-in:locked")); // the order waits until it is unlocked
        return null;
      }
      if (response.status >= 500) return null;
      const text = await response.text();
      return { ok: response.ok, text: text.includes("data-sold") ? text : null };
    } catch {
      return null;
    }
  }

  function tryAgain() {
    const wait = WAITS_MS[Math.min(pending.tries, WAITS_MS.length) - 1];
    pending.timer = window.setTimeout(send, wait);
    showWaiting();
  }

  function answered({ ok, text, away }) {
    if (away) {
      window.location.reload(); // logged out meanwhile: the order waits for the same shift
      return;
    }
    refusedBody = ok ? null : pending.body;
    const cards = new URLSearchParams(pending.body).get("quantity");
    const late = pending.tries > 1;
    pending = null;
    sessionStorage.removeItem(KEPT);
    answeredAt = performance.now();
    showWaiting();
    lock();
    if (text === null) {
      document.getElementById("page-refused").hidden = false;
      return;
    }
    tell(text, late, ok);
    if (form() === null) return;
    if (ok) {
      document.dispatchEvent(new Event("sale:sold"));
      SaleForm.empty();
      setRepeat(cards);
    }
    SaleForm.reckon();
    comeBack(ok);
  }

  /* What was sold before can be taken back all the same while another order is refused. */
  function tell(text, late, ok) {
    const standing = ok ? null : takesBack();
    sold().innerHTML = text;
    if (standing) sold().append(standing);
    else if (takesBack()) {
      takenUntil = performance.now() + Number(takesBack().dataset.takeBack) * 1000;
      countDown();
    }
    window.htmx?.process(sold()); // the form that takes a sale back
    if (late) delete sold().dataset.of;
    else sold().dataset.of = gameOf();
    const { key, next, left, told = "" } = sold().querySelector("[data-sold]").dataset;
    // A reader hears one sentence once, not each part whenever the page is renewed around it.
    document.getElementById("told").textContent = told;
    if (key && form()) field("key").value = key;
    sold().querySelector("[data-seconds]")?.replaceChildren(...openers());
    if (left !== undefined && form()?.querySelector("[data-live-face]") === null) {
      for (const [name, value] of Object.entries({ next, left })) {
        const place = form().parentElement.querySelector(`[data-live="${name}"]`);
        if (place !== null && value) place.textContent = value;
      }
    }
    document.dispatchEvent(new Event("sale:told")); // rules that the answer names are explained
    if (window.matchMedia("(width < 60rem)").matches) sold().scrollIntoView({ block: "nearest" });
  }

  const takesBack = () => sold()?.querySelector("[data-take-back]") ?? null;

  function countDown() {
    const place = takesBack();
    if (place === null) return;
    const left = Math.ceil((takenUntil - performance.now()) / 1000);
    if (left > 0) place.querySelector("[data-seconds-left]").textContent = `${left} s`;
    else if (!place.querySelector("dialog").open) place.remove(); // what is open says itself that it is late
  }

  /* A button for each second issue that the person may put on sale from here. */
  function openers() {
    return [...document.querySelectorAll("dialog[data-second]")].map(({ id, dataset }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.dataset.opens = id;
      button.textContent = dataset.second;
      return button;
    });
  }

  function setRepeat(cards) {
    const button = form().querySelector("[data-repeat]");
    button.dataset.repeat = cards;
    button.disabled = false;
    button.querySelector("[data-shows]").textContent = cards;
  }

  function comeBack(ok) {
    if (document.querySelector("dialog:modal") || !field("quantity").checkVisibility()) return;
    const short = sold().querySelector("[data-code=cash_too_little]") !== null;
    const unnamed = field("player")?.value.trim() === NONE; // where players have a limit
    const next = field(short ? "given" : unnamed ? "player" : "quantity");
    next.focus({ preventScroll: true });
    if (!ok) next.select();
  }

  /* ---- waiting, and what a new page takes over ---- */

  function lock() {
    const fields = document.getElementById("sell-fields");
    if (fields) fields.disabled = pending !== null;
  }

  function showWaiting() {
    const waiting = document.getElementById("sale-waiting");
    if (waiting === null) return;
    waiting.hidden = pending === null || pending.tries === 0;
    waiting.dataset.tries = pending && pending.tries > WAITS_MS.length ? "many" : "few";
  }

  const place = () => document.getElementById("live").dataset.place.split("/");
  const gameOf = () => place().slice(0, 2).join("/");
  const isSale = () => ["selling", "closed"].includes(place()[2]); // the last change may still be due

  function takeOver() {
    if (sold()?.dataset.of && (sold().dataset.of !== gameOf() || !isSale())) {
      sold().replaceChildren();
      delete sold().dataset.of;
    }
    showWaiting();
    if (form() === null) return;
    const face = sessionStorage.getItem(FACE);
    const tile = [...form().querySelectorAll("input[name=face]")].find(({ value }) => value === face);
    if (tile) tile.checked = true;
    lock();
    SaleForm.takeOver();
  }

  function resume() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (kept === null || till() === null) return;
    if (kept.shift !== till().dataset.shift) {
      sessionStorage.removeItem(KEPT);
      return;
    }
    pending = { ...kept, tries: 1, timer: null, busy: false };
    lock();
    showWaiting();
    send();
  }

  /* What was taken back is no longer to be handed out, and the next sale begins anew. */
  function forget({ detail }) {
    if (!detail.successful || !detail.elt.matches("[data-takes-back]")) return;
    sold().replaceChildren();
    delete sold().dataset.of;
    document.getElementById("told").textContent = "";
    if (form() === null) return;
    SaleForm.empty();
    SaleForm.reckon();
    comeBack(true);
  }

  document.addEventListener("htmx:afterRequest", forget);
  document.addEventListener("submit", submit);
  document.addEventListener("click", press);
  document.addEventListener("change", (event) => {
    if (event.target.name !== "face" || event.target.form !== form()) return;
    sessionStorage.setItem(FACE, event.target.value);
    SaleForm.reckon();
    field("quantity").focus();
  });
  window.addEventListener("online", () => pending && send());
  window.setInterval(countDown, 1000);
  document.addEventListener("htmx:afterSwap", takeOver);
  takeOver();
  resume();
})();
