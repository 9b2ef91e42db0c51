/* Keeps #live as new as the hall's journal: refreshes it, and says so when it cannot. */
"use strict";

(() => {
  const SWAPPED = [409, 422]; // refusals that come as a page, see htmx-config in base.html
  let wanted = 0; // highest journal number heard
  let asked = -1; // number that was wanted when the last refresh was sent
  let overdue = false; // a refresh is due whatever the numbers say
  let behindSince = null; // since when the page has known that it is old
  let quiet = false;
  let refresh = null; // the request of the running refresh
  let action = null; // the request of the running form, its form and focus
  let pending = null; // what to put back after the swap
  let unanswered = null; // the form whose answer never came

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

  function measureBehind() {
    if (section() === null || shown() >= wanted) behindSince = null;
    else behindSince ??= performance.now();
  }

  function heard(message) {
    if (quiet) overdue = true;
    quiet = false;
    wanted = Math.max(wanted, message.number);
    asked = -1; // every message is a chance to try again after a failure
    measureBehind();
    judge();
    refreshIfOld();
  }

  function lost() {
    quiet = true;
    judge();
  }

  /* ---- refresh: one at a time, the newest wins ---- */

  function refreshIfOld() {
    if (section() === null || refresh !== null || action !== null) return;
    if (!overdue && (wanted <= shown() || wanted === asked)) return;
    asked = wanted;
    overdue = false;
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
      return;
    }
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
      if (xhr.status === 0 || xhr.status >= 500) noAnswer();
      action = null;
    }
    if (xhr.status >= 400 && xhr.status < 500) show("page-refused", !SWAPPED.includes(xhr.status));
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
      if (wasRedirected(xhr, event.detail.pathInfo)) window.location.reload();
      else show("page-refused", true);
      return;
    }
    if (number < shown()) {
      event.detail.shouldSwap = false;
      overdue = true;
      return;
    }
    const answered = xhr === action?.xhr;
    pending = {
      typed: Typed.keep(section(), answered ? action.form : null),
      focus: answered ? action.focus : Typed.focus(),
      answered,
    };
    if (answered) settleUnanswered(action.form);
  }

  function putBack() {
    const kept = pending;
    if (kept === null || section() === null) return;
    pending = null;
    Typed.restore(kept.typed, section());
    restoreKey();
    const first = kept.answered && section().querySelector("[autofocus]");
    if (first) first.focus();
    else Typed.refocus(kept.focus, section());
    // Otherwise htmx would give them the focus once more, away from where somebody types.
    for (const field of section().querySelectorAll("[autofocus]")) field.removeAttribute("autofocus");
  }

  /* ---- a form whose answer never came keeps its key, so that pressing again does nothing twice ---- */

  function signature(form) {
    const fields = [...form.querySelectorAll("input[type=hidden]")]
      .filter((field) => field.name !== "key" && field.name !== "csrfmiddlewaretoken")
      .map((field) => `${field.name}=${field.value}`)
      .sort();
    return [form.id, form.getAttribute("hx-post"), ...fields].join("&");
  }

  function restoreKey() {
    if (unanswered === null) return;
    const form = [...section().querySelectorAll("form")].find(
      (candidate) => signature(candidate) === unanswered.signature,
    );
    const field = form?.querySelector("input[name=key]");
    if (field) field.value = unanswered.key;
    else forgetUnanswered();
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
    if (key) unanswered = { signature: signature(action.form), key };
    Typed.refocus(action.focus, section());
    show("no-answer", true);
  }

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
