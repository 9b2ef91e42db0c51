/* The hall's voice: says what the page shows, one clip after another, and nothing that it no longer shows. */
"use strict";

const Voice = (() => {
  const STEP = 0.1;
  const TOGETHER = 3; // balls
  const LONGEST_MS = 10_000; // a clip that is not heard by then is not heard at all
  const ONE = "bingo-voice"; // of all pages of a browser one speaks
  const bar = () => document.getElementById("voice");
  const player = new Audio();
  let before = null; // what the page showed last
  let queue = [];
  let last = []; // what R says again, where that is not the last ball
  let speaking = false;
  let turn = 0; // which clip this is: the same one may be said twice
  let limit = null; // the timer of the clip that is said
  let trouble = ""; // why it is silent though it should not be: refused, missing, elsewhere
  let ours = !navigator.locks; // where pages cannot agree, each speaks that is told to

  /* ---- what is remembered by this browser ---- */

  const practised = () => document.body.classList.contains("is-training");

  /* Training speaks only where it was switched on itself. */
  const SWITCH = practised() ? "on-training" : "on";

  function kept(name, other) {
    try {
      return localStorage.getItem(`voice-${name}`) ?? other;
    } catch {
      return other;
    }
  }

  function keep(name, value) {
    try {
      localStorage.setItem(`voice-${name}`, value);
    } catch {
      // It is asked again after the page is opened anew.
    }
  }

  const on = () => kept(SWITCH, "") === "yes";
  const volume = () => Math.min(1, Math.max(0, Number(kept("volume", "1")) || 0));

  function language() {
    const choice = bar().querySelector("select");
    const chosen = kept("language", "");
    return [...choice.options].some((one) => one.value === chosen) ? chosen : choice.options[0].value;
  }

  /* ---- what there is to say ---- */

  function state() {
    const said = document.getElementById("said")?.dataset;
    const words = (text) => text.split(" ").filter(Boolean);
    if (!said) return null;
    return { ...said, balls: words(said.balls), asked: words(said.asked), wins: words(said.wins ?? "") };
  }

  const clips = (balls) => balls.flatMap((ball) => ball.split("+"));

  /** Give how many balls two states begin with alike. */
  function alike(old, now) {
    const differs = old.balls.findIndex((ball, at) => now.balls[at] !== ball);
    return differs < 0 ? old.balls.length : differs;
  }

  /* Balls that came together are all said; after a longer sleep only the last, which the page shows. */
  function news(old, now) {
    if (old === null || now === null) return [];
    const ending = !old.ending && now.ending ? ["last_game"] : [];
    return [...(old.game === now.game ? newsOfGame(old, now) : []), ...ending];
  }

  function newsOfGame(old, now) {
    const same = alike(old, now);
    const [gone, fresh] = [old.balls.slice(same), now.balls.slice(same)];
    const said = gone.length > 0 ? [...clips(gone.slice(-1)), "recalled"] : [];
    said.push(...clips(fresh.length > TOGETHER ? fresh.slice(-1) : fresh));
    if (said.length > 0) return said;
    if (old.phase === "prepared" && now.phase === "selling") return now.wins;
    if (old.phase === "closed" && now.phase === "drawing") return [now.opening];
    return asks(old).join() === asks(now).join() ? [] : asks(now).map((name) => `more_${name}`);
  }

  /* What the open window asks for: the next one may be open before the page is renewed. */
  const asks = ({ phase, asked }) => (phase === "window" ? asked : []);

  /* Whether what is being said may be no longer so: a ball was taken back, the hall is no longer
     asked, or it is another game. */
  function isStale(old, now) {
    if (old === null) return false;
    if (now === null || now.game !== old.game || alike(old, now) < old.balls.length) return true;
    return asks(old).length > 0 && asks(old).join() !== asks(now).join();
  }

  const isBall = (name) => /^(\d+|letter_.|symbol_.+)$/.test(name);

  function follow() {
    const now = state();
    const said = news(before, now);
    const stale = isStale(before, now);
    before = now;
    if (stale) silence();
    if (stale || said.length > 0) last = said.every(isBall) ? [] : said;
    if (said.length > 0 && on()) say(said);
  }

  /* ---- speaking ---- */

  /* What is only practised is told to be so each time: whoever hears it may not see the page. */
  function say(names) {
    if (!ours) {
      tell("elsewhere");
      return;
    }
    if (practised() && names.length > 0) queue.push("training");
    queue.push(...names);
    if (!speaking) next();
  }

  function next() {
    const now = begun();
    const name = queue.shift();
    speaking = name !== undefined;
    if (!speaking) return;
    player.src = `${bar().dataset.clips}${language()}/${name}.ogg`;
    player.volume = volume();
    bar().dataset.clip = name;
    limit = window.setTimeout(() => failed(now, "missing"), LONGEST_MS);
    player.play().then(
      () => now === turn && tell(""),
      (error) => failed(now, error.name === "NotAllowedError" ? "refused" : "missing"),
    );
  }

  function begun() {
    window.clearTimeout(limit);
    turn += 1;
    return turn;
  }

  /* A clip that was stopped for another one, or for silence, is no failure. */
  function failed(of, why) {
    if (of !== turn || !speaking) return;
    silence();
    tell(why);
  }

  /* Whatever else stops the sound, a key of the keyboard or the computer, the draw does not wait for it. */
  function stopped() {
    if (speaking && player.paused && !player.ended) silence();
  }

  function silence() {
    begun();
    queue = [];
    speaking = false;
    player.pause();
  }

  /* ---- what the page says of it ---- */

  function tell(why) {
    trouble = why;
    show();
  }

  function show() {
    const button = bar().querySelector("[data-voice=switch]");
    button.ariaPressed = String(on());
    button.querySelector("[data-voice-on]").hidden = !on();
    button.querySelector("[data-voice-off]").hidden = on();
    bar().querySelector("output").textContent = `${Math.round(volume() * 100)} %`;
    bar().querySelector("select").value = language();
    for (const notice of bar().querySelectorAll("[data-trouble]")) {
      notice.hidden = notice.dataset.trouble !== trouble;
    }
  }

  /* ---- the keys ---- */

  function louder(step) {
    keep("volume", Math.min(1, Math.max(0, volume() + step)).toFixed(1));
    player.volume = volume();
  }

  /* Another page of this browser may have switched it. */
  function obey() {
    if (on()) claim();
    else {
      silence();
      trouble = "";
    }
    show();
  }

  const DOES = {
    switch() {
      keep(SWITCH, on() ? "" : "yes");
      trouble = "";
      obey();
    },
    repeat() {
      silence();
      say(last.length > 0 ? last : lastBall());
    },
    quieter: () => louder(-STEP),
    louder: () => louder(STEP),
  };

  function lastBall() {
    return clips(state()?.balls.slice(-1) ?? []);
  }

  /* The first page that is told to speak does, until it is closed; another takes its place then. */
  function claim() {
    if (ours || !navigator.locks) return;
    navigator.locks.request(ONE, () => {
      ours = true;
      if (trouble === "elsewhere") tell("");
      return new Promise(() => {});
    });
  }

  function begin() {
    before = state(); // what the page showed when it was opened has been said
    if (on()) claim();
    show();
    bar().addEventListener("click", (event) => {
      const button = event.target.closest("[data-voice]");
      if (button === null) return;
      DOES[button.dataset.voice]();
      show();
    });
    bar().querySelector("select").addEventListener("change", (event) => {
      keep("language", event.target.value);
      show();
    });
    document.addEventListener("htmx:afterSwap", follow);
    window.addEventListener("storage", obey);
  }

  player.addEventListener("ended", () => speaking && next());
  player.addEventListener("error", () => failed(turn, "missing"));
  player.addEventListener("pause", stopped);
  document.addEventListener("DOMContentLoaded", begin);
  return { busy: () => speaking };
})();
