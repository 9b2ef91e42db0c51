/* The extractor's live picture: one at a time, asked for when the last is painted, so none is late. */
"use strict";

const BoardCamera = (() => {
  const LATE_MS = 1000; // without a newer picture for so long, none is shown
  const AGAIN_MS = 2000;
  const DEAD_MS = 5000; // a socket may stay open for minutes after its cable is out
  const STILL_MS = 4000; // a new ball's own picture is shown first
  const HEAD = 17; // bytes before the JPEG, as draws/balls/vision/jpeg_pictures.py packs them
  const canvas = document.getElementById("camera");
  const figure = canvas.parentElement;
  const url = new URL(`${document.body.dataset.live}camera/`, window.location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";

  let wanted = false;
  let socket = null;
  let paintedAt = -Infinity;
  let askedAt = 0;
  let ball = null;
  let ballAt = -Infinity;

  function open() {
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = ask;
    socket.onmessage = (event) => receive(event.data);
    socket.onclose = () => {
      socket = null;
    };
    askedAt = performance.now();
  }

  function close() {
    if (socket === null) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    socket = null;
  }

  function ask() {
    askedAt = performance.now();
    socket?.send("next");
  }

  async function receive(data) {
    const from = socket;
    const head = new DataView(data);
    try {
      const picture = await createImageBitmap(new Blob([data.slice(HEAD)], { type: "image/jpeg" }));
      if (from !== socket) return;
      show(picture, head);
    } catch {
      // A picture that cannot be painted is passed over.
    }
    if (from === socket) ask();
  }

  function show(picture, head) {
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    picture.close();
    canvas.style.objectPosition = `${head.getUint16(13) / 10}% ${head.getUint16(15) / 10}%`;
    canvas.dataset.taken = String(head.getBigUint64(5));
    paintedAt = performance.now();
    watch();
  }

  /* Whatever is not of this second is not the extractor's live picture. */
  function watch() {
    const now = performance.now();
    const live = wanted && now - paintedAt < LATE_MS;
    figure.classList.toggle("is-live", live);
    figure.classList.toggle("is-still", now - ballAt < STILL_MS);
    document.getElementById("board").classList.toggle("has-camera", live);
    const dead = socket !== null && now - Math.max(askedAt, paintedAt) > DEAD_MS;
    if (!wanted || document.hidden || dead) close();
    else if (socket === null && now - askedAt > AGAIN_MS) open();
  }

  /* The picture of the newest ball stands for some seconds before the extractor is seen again. */
  function paint(board) {
    if (board.last !== ball && board.last !== null && board.ball_picture !== null) {
      ballAt = performance.now();
    }
    ball = board.last;
    if (board.camera && !wanted && !document.hidden) open();
    wanted = board.camera;
    watch();
  }

  window.setInterval(watch, 250);
  document.addEventListener("visibilitychange", watch);

  return { paint };
})();
