/* The table's camera: a called card is photographed and sent as if its file had been chosen (R43).

   Once a person has said yes it begins by itself with every card that is checked, and ends with it. */
"use strict";

(() => {
  const WANTED = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  const LONGEST_PX = 1600; // what the hall's server keeps is smaller still
  const QUALITY = 0.9;
  const CHOSEN = "table-camera"; // the name under which a browser remembers it
  let stream = null;
  let starting = null;
  let refused = false; // it is not asked for again by itself
  let chosen = null; // a file that waits to be sent, and the check it was chosen for

  const panel = () => document.getElementById("photograph");
  const part = (name) => panel()?.querySelector(name) ?? null;
  const possible = () => Boolean(navigator.mediaDevices?.getUserMedia);

  function remembered() {
    try {
      return localStorage.getItem(CHOSEN);
    } catch {
      return null; // a browser that keeps nothing asks each time
    }
  }

  function remember(id) {
    try {
      localStorage.setItem(CHOSEN, id);
    } catch {
      // It is asked again.
    }
  }

  /* Puts the picture that runs into the page as it stands now: a refresh has made it anew. */
  function paint() {
    const runs = stream !== null;
    const needs = part("[data-needs=camera]");
    if (!needs) return;
    needs.hidden = !possible();
    part("[data-told=refused]").hidden = !refused;
    part("[data-view=camera]").hidden = !runs;
    part("[data-shoot]").hidden = !runs;
    part("[data-next]").hidden = !runs;
    part("[data-begin]").hidden = runs;
    const video = part("video");
    if (video.srcObject === stream) return;
    video.srcObject = stream;
    delete video.dataset.seen;
    if (stream === null) return;
    // A browser leaves a film that begins by itself and is out of sight black; one that is told to play, it plays.
    video.addEventListener("playing", () => video.requestVideoFrameCallback(() => (video.dataset.seen = "")), { once: true });
    video.play().catch(() => {}); // the panel was made anew meanwhile, and plays in its place
    video.scrollIntoView({ block: "nearest" });
  }

  async function begin(device) {
    if (!possible() || starting !== null) return;
    const video = device ? { ...WANTED, deviceId: { ideal: device } } : { ...WANTED, facingMode: "environment" };
    starting = navigator.mediaDevices.getUserMedia({ video, audio: false });
    try {
      stop();
      stream = await starting;
      const [track] = stream.getVideoTracks();
      track.addEventListener("ended", stop);
      remember(track.getSettings().deviceId ?? "any");
      refused = false;
    } catch {
      refused = true;
    } finally {
      starting = null;
    }
    if (panel() === null) stop(); // the card has gone meanwhile
    paint();
  }

  function stop() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    paint();
  }

  async function next() {
    const found = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
    const now = found.findIndex((one) => one.deviceId === remembered());
    if (found.length > 0) begin(found[(now + 1) % found.length].deviceId);
  }

  async function shoot() {
    const video = part("video");
    const check = panel()?.dataset.check;
    if (video?.dataset.seen === undefined) return; // before the first frame it is black
    const scale = Math.min(1, LONGEST_PX / Math.max(video.videoWidth, video.videoHeight));
    const sheet = document.createElement("canvas");
    sheet.width = Math.round(video.videoWidth * scale);
    sheet.height = Math.round(video.videoHeight * scale);
    sheet.getContext("2d").drawImage(video, 0, 0, sheet.width, sheet.height);
    const file = await new Promise((done) => sheet.toBlob(done, "image/jpeg", QUALITY));
    if (file === null || panel()?.dataset.check !== check) return; // of the card before
    const taken = new DataTransfer();
    taken.items.add(new File([file], "card.jpg", { type: file.type }));
    part("[name=photograph]").files = taken.files;
    part("form").requestSubmit(part("[data-send]"));
  }

  function pressed(event) {
    const button = event.target instanceof Element ? event.target.closest("#photograph button") : null;
    if (button === null) return;
    if (button.matches("[data-begin]")) begin(remembered());
    else if (button.matches("[data-shoot]")) shoot();
    else if (button.matches("[data-next]")) next();
  }

  function meet() {
    if (panel() === null) {
      if (stream !== null) stop();
    } else if (stream === null && remembered() && !refused) begin(remembered());
    paint();
    keepFile();
  }

  /* A refresh of the page empties the field; what was chosen for another card does not come back. */
  function keepFile() {
    const field = part("[name=photograph]");
    if (field && chosen !== null && chosen.check === panel().dataset.check && !sent()) field.files = chosen.files;
    else chosen = null;
  }

  const sent = () => part(".photograph__view img")?.getAttribute("src") !== chosen.shown;

  function choose(event) {
    const field = event.target;
    if (!(field instanceof HTMLInputElement) || field.name !== "photograph") return;
    const shown = part(".photograph__view img")?.getAttribute("src");
    chosen = { check: panel().dataset.check, files: field.files, shown };
  }

  document.addEventListener("click", pressed);
  document.addEventListener("change", choose);
  document.addEventListener("htmx:afterSwap", meet);
  document.addEventListener("DOMContentLoaded", meet);
})();
