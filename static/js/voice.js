/* The hall's voice: says what #said of the page shows, one clip after another. */
"use strict";

const Voice = (() => {
  const STEP = 0.1;
  const player = new Audio();
  const kept = (name, other) => localStorage.getItem(`voice-${name}`) ?? other;
  const keep = (name, value) => localStorage.setItem(`voice-${name}`, value);
  const bar = () => document.getElementById("voice");
  let before = null;
  let queue = [];
  let last = [];
  let speaking = false;

  const muted = () => kept("muted", "") === "yes";
  const language = () => kept("language", "pt");

  function state() {
    const { game, phase, balls, number, letter, asked } =
      document.getElementById("said")?.dataset ?? {};
    return game ? { game, phase, balls: Number(balls), number, letter, asked } : null;
  }

  const ball = ({ letter, number }) => (letter ? [`letter_${letter.toLowerCase()}`, number] : [number]);

  function news(old, now) {
    if (old === null || now === null || old.game !== now.game) return [];
    if (now.balls > old.balls) return ball(now);
    if (now.balls < old.balls) return [...ball(old), "recalled"];
    if (old.phase === "closed" && now.phase === "drawing") return ["draw"];
    if (old.phase === now.phase || now.phase !== "window") return [];
    return (now.asked ?? "").split(" ").filter(Boolean).flatMap((name) => [name, `more_${name}`]);
  }

  function follow() {
    const now = state();
    const said = news(before, now);
    before = now;
    if (said.length === 0) return;
    last = said;
    if (!muted()) say(said);
  }

  function say(names) {
    queue.push(...names);
    if (!speaking) next();
  }

  function next() {
    const name = queue.shift();
    speaking = name !== undefined;
    if (!speaking) return;
    player.src = `${bar().dataset.clips}${language()}/${name}.ogg`;
    player.volume = Number(kept("volume", "1"));
    bar().dataset.clip = name;
    player.play().then(() => refused(false), failed);
  }

  function failed(error) {
    if (error.name === "AbortError") return;
    if (error.name === "NotAllowedError") refused(true);
    queue = [];
    speaking = false;
  }

  function refused(yes) {
    document.getElementById("voice-refused").hidden = !yes;
  }

  function silence() {
    queue = [];
    speaking = false;
    player.pause();
  }

  function show() {
    bar().querySelector("[data-voice=mute]").ariaPressed = String(muted());
    bar().querySelector("output").textContent = `${Math.round(Number(kept("volume", "1")) * 100)} %`;
    bar().querySelector("select").value = language();
  }

  function louder(step) {
    const volume = Math.min(1, Math.max(0, Number(kept("volume", "1")) + step));
    keep("volume", volume.toFixed(1));
    player.volume = volume;
  }

  const DOES = {
    repeat: () => { silence(); say(last); },
    mute: () => { keep("muted", muted() ? "" : "yes"); if (muted()) silence(); },
    quieter: () => louder(-STEP),
    louder: () => louder(STEP),
  };

  function begin() {
    before = state();
    show();
    bar().addEventListener("click", (event) => {
      const button = event.target.closest("[data-voice]");
      if (button === null) return;
      DOES[button.dataset.voice]();
      show();
    });
    bar().querySelector("select").addEventListener("change", (event) => keep("language", event.target.value));
    document.addEventListener("htmx:afterSwap", follow);
  }

  player.addEventListener("ended", next);
  player.addEventListener("error", () => failed(player.error ?? {}));
  document.addEventListener("DOMContentLoaded", begin);
  return { busy: () => speaking };
})();
