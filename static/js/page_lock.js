/* The lock: a page that nobody touches is covered, and is as it was once its person is back.

   The server holds to the same: while it is locked it carries out nothing and shows nothing. */
"use strict";

(() => {
  const AT = "/sign-in";
  const PING_MS = 60_000; // how often the server is told that somebody is there
  const TOLD_MS = 5000; // how often the other pages of this browser are
  const RETRY_MS = 2000;
  const LOCKS = "sign-in.locks"; // a page opened anew because it could not lock, which it then does
  const LOCK_KEY = (event) => event.key === "F8" && event.shiftKey;
  const idle = Number(document.body.dataset.idle) * 1000;
  const locksAtOnce = sessionStorage.getItem(LOCKS) !== null;
  sessionStorage.removeItem(LOCKS);
  if (!idle) return;

  const dialog = document.getElementById("cover");
  const pages = new BroadcastChannel("sign-in");
  let active = Date.now(); // a machine that slept has been idle too
  let pinged = active;
  let told = active;
  let covered = false;
  let loggingOut = false;

  const token = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

  /* Gives the answer. Throws where none came: without a connection, or from a server that cannot now. */
  async function ask(what, body) {
    const headers = { "X-Requested-With": "sign-in", "X-CSRFToken": token() };
    const method = what === "cover" ? "GET" : "POST";
    const answer = await fetch(`${AT}/${what}/`, { method, headers, body, cache: "no-store", redirect: "manual" });
    if (answer.status >= 500) throw new Error(answer.status);
    return answer;
  }

  function somebody() {
    if (covered) return;
    active = Date.now();
    if (active - told > TOLD_MS) {
      told = active;
      pages.postMessage("active");
    }
    if (active - pinged > PING_MS) {
      pinged = active;
      ask("awake").then(judge, () => {});
    }
  }

  function judge({ status }) {
    if (status === 423) cover();
    else if (status === 401 || status === 0) leave();
  }

  const here = () => window.location.pathname.replace(/do\/[^/]+\/$/, "") + window.location.search;

  /* Over, or ended from elsewhere: log in again, and come back to this page; but not where this page
     itself logs out: whoever logs in next is somebody else. */
  function leave() {
    if (!loggingOut) window.location.assign(`/login/?next=${encodeURIComponent(here())}`);
  }

  /* The page's token is old, as after a login in another page: opened anew it has the one that holds. */
  function reopen() {
    window.location.replace(here());
  }

  function lock() {
    if (covered) return;
    cover();
    pages.postMessage("locked");
  }

  function cover() {
    if (covered) return;
    covered = true;
    dialog.showModal();
    fill();
  }

  /* The server is locked too, and says what opens it: asked until it answers. */
  async function fill() {
    if (!covered || dialog.querySelector("form") !== null) return;
    try {
      const { status } = await ask("lock");
      if (status === 403) {
        sessionStorage.setItem(LOCKS, "");
        reopen();
        return;
      }
      const answer = await ask("cover");
      if (!covered) return;
      if (answer.ok) show(await answer.text());
      else judge({ status: answer.status === 423 ? 0 : answer.status });
    } catch {
      window.setTimeout(fill, RETRY_MS);
    }
  }

  function show(html) {
    dialog.innerHTML = html;
    dialog.querySelector("[autofocus]")?.focus();
  }

  async function open(event) {
    const form = event.target;
    if (!form.action.endsWith(`${AT}/unlock/`)) return;
    event.preventDefault();
    try {
      const answer = await ask("unlock", new URLSearchParams(new FormData(form)));
      if (answer.status === 204) uncover();
      else if (answer.status === 409) show(await answer.text());
      else if (answer.status === 403) reopen();
      else leave();
    } catch {
      dialog.querySelector("[data-no-answer]").hidden = false;
    }
  }

  function uncover(tell = true) {
    if (!covered) return;
    covered = false;
    active = pinged = Date.now();
    dialog.close();
    dialog.replaceChildren();
    if (tell) pages.postMessage("open");
  }

  for (const what of ["keydown", "pointerdown", "wheel", "touchstart", "input"]) {
    document.addEventListener(what, somebody, { capture: true, passive: true });
  }
  document.addEventListener("keydown", (event) => {
    if (!LOCK_KEY(event)) return;
    event.preventDefault();
    lock();
  });
  document.addEventListener("submit", (event) => {
    loggingOut ||= event.target.matches("[action$='/logout/']");
    if (!event.target.matches("[data-locks]")) return;
    event.preventDefault();
    lock();
  });
  document.addEventListener("sign-in:locked", cover);
  document.addEventListener("sign-in:over", leave);
  dialog.addEventListener("submit", open);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("close", () => covered && dialog.showModal());
  pages.addEventListener("message", ({ data }) => {
    if (data === "active") active = Date.now();
    else if (data === "locked") cover();
    else if (data === "open") uncover(false);
  });
  window.setInterval(() => Date.now() - active >= idle && lock(), 1000);
  if (locksAtOnce) lock();

  /* The question before what cannot be undone comes as a dialog over the page, and goes whole. */
  const proof = document.getElementById("proof");
  proof.addEventListener("close", () => proof.replaceChildren());
  document.addEventListener("htmx:responseError", ({ detail }) => detail.xhr.status === 423 && cover());
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id !== "proof" || detail.target.open) return;
    detail.target.showModal();
    detail.target.querySelector("[autofocus]")?.focus();
  });
})();
