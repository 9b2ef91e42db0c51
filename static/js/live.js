/* Keeps #live as new as the hall's journal: refreshes it, and says so when it cannot.

   While cards are sold, what is heard is painted at once and the rest fetched now and then: with
   sixteen tills a page fetched at every sale would be the hall's main work. */
"use strict";

(() => {
  const SWAPPED = [409, 422]; // refusals that come as a page, see htmx-config in base.html
  const LOCKED = 423; // nothing is shown before its person has shown who they are (page_lock.js)
  // Between two refreshes while only numbers change; the screens of a hall must not all ask at once.
  const CALM_MS = 3000 + Math.random() * 1000;
  const OWN_MS = 500; // and after a sale of this very page, whose list its cashier looks at
  const TOLD_MS = 20_000; // what an order came to stays, while the page is renewed around it
  const BRAKE_MS = 15_000; // in which the button that was to be pressed again asks to be read first
  const ANSWER = ":scope > .notice:not([id])"; // the others tell how the hall stands, and go with it
  let wanted = 0; // highest journal number heard
  let asked = -1; // number that was wanted when the last refresh was sent
  let overdue = false; // a refresh is due whatever the numbers say
  let behindSince = null; // since when the page has known that it is old
  let quiet = false;
  let heardLast = null; // the newest state heard
  let painted = -1; // its number, once its numbers were all that had to change
  let refreshedAt = -Infinity;
  let calm = null; // the timer of the next unhurried refresh
  let refresh = null; // the request of the running refresh
  let action = null; // the request of the running form, its form and focus
  let pending = null; // what to put back after the swap
  let unanswered = null; // the form whose answer never came
  let gone = { key: null, at: -Infinity }; // the key of such a form that went: it does something else now
  let toldAt = -Infinity;

  const section = () => document.getElementById("live");
  const shown = () => Number(section()?.dataset.number ?? 0);

  function show(id, visible) {
    const notice = document.getElementById(id);
    if (notice !== null && notice.hidden === visible) notice.hidden = !visible;
  }

  /* ---- connection ---- */

  function judge() {
    const behind = behindSince !== null && performance.now() - behindSince > Feed.QUIET_MS;
    const state = quiet || behind ? "lost" : "live";
    if (document.body.dataset.connection === state) return;
    document.body.dataset.connection = state;
    document.getElementById("connection")?.setAttribute("data-state", state);
    show("connection-lost", state === "lost");
  }

  /* The journal number that the screen tells the truth of. */
  const told = () => Math.max(shown(), painted);

  function measureBehind() {
    if (section() === null || told() >= wanted) behindSince = null;
    else behindSince ??= performance.now();
  }

  function heard(message) {
    if (quiet) overdue = true;
    quiet = false;
    wanted = Math.max(wanted, message.number);
    asked = -1; // every message is a chance to try again after a failure
    if (message.board) heardLast = message;
    paint();
    measureBehind();
    judge();
    refreshIfOld();
  }

  function lost() {
    quiet = true;
    judge();
  }

  /* ---- numbers: painted where the hall stands, and nothing else has to change ---- */

  function paint() {
    if (heardLast === null || section() === null || heardLast.number < shown()) return;
    const { board, number } = heardLast;
    if (board.phase !== "selling" || Numbers.placeOf(board) !== section().dataset.place) return;
    Numbers.paint(section(), board);
    painted = number;
  }

  function soldHere() {
    section()?.querySelector(ANSWER)?.remove(); // what an order before the sale came to
    window.setTimeout(
      () => {
        overdue = true;
        refreshIfOld();
      },
      Math.max(0, refreshedAt + OWN_MS - performance.now()),
    );
  }

  function refreshInTime() {
    if (calm !== null) return;
    const wait = Math.max(0, refreshedAt + CALM_MS - performance.now());
    calm = window.setTimeout(() => {
      calm = null;
      if (shown() < wanted) overdue = true;
      refreshIfOld();
    }, wait);
  }

  /* ---- refresh: one at a time, the newest wins ---- */

  function refreshIfOld() {
    if (section() === null || refresh !== null || action !== null) return;
    if (Typed.isHalfTyped(section())) return; // the next message asks again
    if (!overdue && wanted <= told()) {
      if (wanted > shown()) refreshInTime();
      return;
    }
    if (!overdue && wanted === asked) return;
    asked = wanted;
    overdue = false;
    refreshedAt = performance.now();
    htmx.trigger(section(), "live");
  }

  function begin(event) {
    const { requestConfig, target, xhr } = event.detail;
    if (requestConfig.elt === section()) {
      refresh = xhr;
      return;
    }
    if (target?.id !== "live") return;
    if (action !== null) {
      event.preventDefault(); // one order at a time, or their answers could cross
      show("on-its-way", true);
      return;
    }
    // "Press the same button again" was said of a button that has gone: nothing is done by its
    // successor. Any other key, such as those that stop a draw, does what it says at once.
    const braked = performance.now() - gone.at < BRAKE_MS && keyOf(requestConfig.elt) === gone.key;
    gone = { key: null, at: -Infinity };
    if (braked) {
      event.preventDefault();
      return;
    }
    show("moved-on", false);
    // Disabling the pressed button takes its focus away: it is noted before.
    action = { xhr, form: requestConfig.elt.closest("form"), focus: Typed.focus() };
    if (refresh !== null) {
      overdue = true;
      htmx.trigger(section(), "htmx:abort");
    }
  }

  function end(event) {
    const { xhr } = event.detail;
    if (xhr === refresh) refresh = null;
    if (xhr === action?.xhr) {
      show("on-its-way", false);
      if (xhr.status === 0 || xhr.status >= 500) noAnswer();
      action = null;
    }
    if (xhr.status === LOCKED) document.dispatchEvent(new Event("sign-in:locked"));
    else if (xhr.status >= 400 && xhr.status < 500) show("page-refused", !SWAPPED.includes(xhr.status));
    measureBehind();
    judge();
    refreshIfOld();
  }

  /* ---- swap: never an older page, never a foreign one ---- */

  function numberIn(html) {
    const found = new DOMParser().parseFromString(html, "text/html").getElementById("live");
    return found === null ? null : Number(found.dataset.number ?? 0);
  }

  function wasRedirected(xhr, { requestPath }) {
    const path = (url) => new URL(url, window.location.href).pathname;
    return Boolean(xhr.responseURL) && path(xhr.responseURL) !== path(requestPath);
  }

  function weigh(event) {
    const { target, xhr, serverResponse } = event.detail;
    if (target.id !== "live" || !event.detail.shouldSwap) return;
    const number = numberIn(serverResponse);
    if (number === null) {
      event.detail.shouldSwap = false;
      // A redirect to another page means that the person is no longer logged in here.
      if (wasRedirected(xhr, event.detail.pathInfo)) window.location.assign(xhr.responseURL);
      else show("page-refused", true);
      return;
    }
    if (number < shown()) {
      event.detail.shouldSwap = false;
      overdue = true;
      return;
    }
    const answered = xhr === action?.xhr;
    if (!answered && Typed.isHalfTyped(section())) {
      event.detail.shouldSwap = false;
      overdue = true;
      return;
    }
    // A long form that was refused is put right, not typed again.
    const kept = answered && xhr.status >= 400 && action.form.matches("[data-keep]");
    pending = {
      typed: Typed.keep(section(), { answered, without: answered && !kept ? action.form : null }),
      focus: answered ? action.focus : Typed.focus(),
      answered,
      place: section().dataset.place,
      notice: answered ? null : section().querySelector(ANSWER),
    };
    if (answered) {
      pending.typed.dialogs = []; // what the order came to is not read through one
      settleUnanswered(action.form);
    }
  }

  function putBack() {
    const kept = pending;
    if (kept === null || section() === null) return;
    pending = null;
    Typed.restore(kept.typed, section());
    restoreKey();
    paint();
    if (kept.answered) afterAnswer(kept);
    else {
      Typed.refocus(kept.focus, section());
      if (kept.place !== section().dataset.place) beginTyping();
      keepNotice(kept);
    }
    // Otherwise htmx would give them the focus once more, away from where somebody types.
    for (const field of section().querySelectorAll("[autofocus]")) field.removeAttribute("autofocus");
  }

  /* "Give 500 against card 7" must not go because somebody else has sold a card meanwhile. */
  function keepNotice({ notice, place }) {
    const fresh = performance.now() - toldAt < TOLD_MS && section().dataset.place === place;
    if (notice === null || !fresh || section().querySelector(ANSWER)) return;
    section().firstElementChild.after(notice);
  }

  const wantsWitness = () =>
    section().querySelector(".notice[data-code=second_person_needed], .notice[data-code^=witness]");

  const seen = (fields) => [...section().querySelectorAll(fields)].find((one) => one.checkVisibility());

  /* Where the hall has moved on, what its page asks for first is typed without a press, as on a page
     that was opened: a card that was called, a prize. Nobody is taken from where they are typing. */
  function beginTyping() {
    const idle = document.activeElement === null || document.activeElement === document.body;
    if (idle && !document.querySelector("dialog:modal")) seen("[autofocus]")?.focus({ preventScroll: true });
  }

  function afterAnswer(kept) {
    toldAt = performance.now();
    for (const secret of section().querySelectorAll("input[type=password]")) secret.value = "";
    const first = (wantsWitness() && seen("[name=witness_username]")) || seen("[autofocus]");
    if (!first) Typed.refocus(kept.focus, section());
    else {
      first.focus();
      first.select?.(); // what was refused is typed over, by a scanner too
    }
    section().querySelector(".notice")?.scrollIntoView({ block: "nearest" });
  }

  /* ---- a form whose answer never came keeps its key, so that pressing again does nothing twice ---- */

  function signature(form) {
    const fields = [...form.querySelectorAll("input[type=hidden]")]
      .filter((field) => field.name !== "key" && field.name !== "csrfmiddlewaretoken")
      .map((field) => `${field.name}=${field.value}`)
      .sort();
    return [form.id, form.getAttribute("hx-post"), ...fields].join("&");
  }

  const keyOf = (element) => element.closest("form")?.querySelector("[data-key]")?.dataset.key;

  function restoreKey() {
    if (unanswered === null) return;
    const form = [...section().querySelectorAll("form")].find(
      (candidate) => signature(candidate) === unanswered.signature,
    );
    const field = form?.querySelector("input[name=key]");
    if (field) field.value = unanswered.key;
    else {
      gone = { key: unanswered.button, at: performance.now() };
      forgetUnanswered();
      show("moved-on", true);
    }
  }

  function forgetUnanswered() {
    unanswered = null;
    show("no-answer", false);
  }

  function settleUnanswered(form) {
    show("page-refused", false);
    if (form === null || unanswered?.signature === signature(form)) forgetUnanswered();
  }

  function noAnswer() {
    const key = action.form?.querySelector("input[name=key]")?.value;
    if (key) unanswered = { signature: signature(action.form), key, button: keyOf(action.form) };
    Typed.refocus(action.focus, section());
    show("no-answer", true);
  }

  document.addEventListener("sale:sold", soldHere);
  document.addEventListener("htmx:beforeRequest", begin);
  document.addEventListener("htmx:beforeSwap", weigh);
  document.addEventListener("htmx:afterSwap", putBack);
  document.addEventListener("htmx:afterRequest", end);

  const path = document.body.dataset.live;
  if (path) {
    new Feed(path, { heard, quiet: lost });
    window.setInterval(judge, 500);
  }
})();
