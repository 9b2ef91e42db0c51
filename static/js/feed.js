/* The hall's live feed: one WebSocket, opened again by itself, judged quiet after 2.5 s. */
"use strict";

class Feed {
  static QUIET_MS = 2500;
  static DEAD_MS = 5000; // a socket may stay open for minutes after its cable is out
  static FIRST_WAIT_MS = 250;
  static LONGEST_WAIT_MS = 2000;
  static SIGN_IN = { 4401: "sign-in:over", 4423: "sign-in:locked" }; // how a console's login stands

  /**
   * @param {string} path such as "/live/PRAIA/"
   * @param {{heard: (message: object) => void, quiet: () => void}} listener
   *   `heard` gets every message; `quiet` is called twice a second while none has come in time.
   */
  constructor(path, listener) {
    this.url = new URL(path, window.location.href);
    this.url.protocol = this.url.protocol === "https:" ? "wss:" : "ws:";
    this.listener = listener;
    this.wait = Feed.FIRST_WAIT_MS;
    this.heardAt = performance.now();
    this.open();
    window.setInterval(() => this.watch(), 500);
    window.addEventListener("online", () => this.giveUp());
  }

  open() {
    this.openedAt = performance.now();
    this.socket = new WebSocket(this.url);
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = ({ code }) => {
      const told = Feed.SIGN_IN[code];
      if (told) document.dispatchEvent(new Event(told));
      this.reopenLater();
    };
  }

  receive(text) {
    const message = parsed(text);
    if (message === null) return;
    this.heardAt = performance.now();
    this.wait = Feed.FIRST_WAIT_MS;
    this.listener.heard(message);
  }

  reopenLater() {
    window.setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, Feed.LONGEST_WAIT_MS);
  }

  watch() {
    const now = performance.now();
    if (now - this.heardAt < Feed.QUIET_MS) return;
    this.listener.quiet();
    if (now - Math.max(this.heardAt, this.openedAt) > Feed.DEAD_MS) this.giveUp();
  }

  /* Closing a dead socket can take a minute: drop its events and open another at once. */
  giveUp() {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.socket.onmessage = null;
    this.socket.onclose = null;
    this.socket.close();
    this.reopenLater();
  }
}

function parsed(text) {
  try {
    const message = JSON.parse(text);
    return Number.isInteger(message?.number) ? message : null;
  } catch {
    return null;
  }
}
