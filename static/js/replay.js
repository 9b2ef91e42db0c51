/* The replay of a game: shows the state that the server has worked out for a moment, and goes on
   from one to the next at their true intervals, or faster. */
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("played").textContent);
  if (data.steps.length === 0) return;

  const NAMED = 12; // cards; of more the number tells enough
  const FRAME_MS = 100;
  const SPEEDS = [...document.getElementsByName("speed")].map((one) => Number(one.value));
  const by = (id) => document.getElementById(id);
  const steps = filled(data.steps);
  const whole = steps.at(-1).t;
  const places = new Map(data.cards.map(([issue, number], place) => [`${issue}/${number}`, place]));
  const rows = sales();

  let at = -1; // the step shown
  let now = 0; // ms of the game
  let timer = null;
  let ticked = 0;

  /* A step tells only what changed: here each gets all that holds. */
  function filled(told) {
    let last = { checks: [], ball: null };
    return told.map((step) => {
      const full = { ...last, ...step };
      if (step.check) full.checks = [step.check, ...last.checks];
      if (step.shown) full.checks = [{ ...last.checks[0], picture: step.shown.picture }, ...last.checks.slice(1)];
      last = full;
      return full;
    });
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function put(id, text) {
    by(id).textContent = text;
  }

  /* ---- what a card lacks: told as the balls at which it changed ---- */

  function lack(kind, card, balls) {
    let left = kind.starts[card] ?? kind.start;
    for (const change of kind.changes[card]) {
      if (Math.abs(change) > balls) break;
      left -= Math.sign(change);
    }
    return left;
  }

  const named = (card) => {
    const [issue, number] = data.cards[card];
    return data.issues.length > 1 ? `${data.issues[issue]} · ${number}` : String(number);
  };

  function sales() {
    const head = by("cards-head");
    for (const kind of data.lacks) {
      const cell = element("th", kind.label, "is-number");
      cell.scope = "col";
      head.append(cell);
    }
    return data.sales.map((sale) => {
      const row = element("tr");
      const cards = sale.first === sale.last ? `${sale.first}` : `${sale.first}–${sale.last}`;
      const name = element("th", data.issues.length > 1 ? `${data.issues[sale.issue]} · ${cards}` : cards);
      name.scope = "row";
      row.append(name, ...[sale.till, sale.seller, sale.player].map((text) => element("td", text)));
      const best = data.lacks.map(() => element("td", "", "is-number"));
      row.append(...best);
      by("cards").append(row);
      return { row, best, n: sale.n, cards: placesOf(sale) };
    });
  }

  function placesOf(sale) {
    const found = [];
    for (let number = sale.first; number <= sale.last; number += 1) {
      const place = places.get(`${sale.issue}/${number}`);
      if (place !== undefined) found.push(place);
    }
    return found;
  }

  /* ---- one moment ---- */

  function show(step) {
    const state = steps[step];
    at = step;
    put("hour", state.at);
    put("told", [state.kind, state.told, state.by].filter(Boolean).join(" · "));
    put("phase", state.phase);
    put("count", state.balls.length);
    ball(state);
    const lacks = data.lacks.map((kind) => data.cards.map((_card, place) => lack(kind, place, state.b)));
    near(state, lacks);
    for (const row of rows) {
      row.row.hidden = row.n > state.n;
      row.best.forEach((cell, kind) => {
        cell.textContent = row.cards.length ? Math.min(...row.cards.map((card) => lacks[kind][card])) : "–";
        cell.classList.toggle("is-near", cell.textContent === "1");
        cell.classList.toggle("is-complete", cell.textContent === "0");
      });
    }
    by("money").replaceChildren(
      ...state.money.flatMap(([label, amount]) => [element("dt", label), element("dd", amount)]),
    );
    by("checks").replaceChildren(...state.checks.map(checked));
    by("won").replaceChildren(...state.won.map(won));
    oneCard();
    by("link").href = `?at=${state.n}`;
    mark(step);
  }

  function ball(state) {
    const drawn = state.ball;
    Symbols.put(by("number"), state.balls.at(-1) ?? null, data.symbols, { name: true });
    put("source", drawn?.source ?? "");
    put("sure", drawn?.sure || "–");
    put("announced", drawn?.by ?? "");
    const picture = by("picture");
    const address = drawn?.picture ?? "";
    if (picture.dataset.of !== address) {
      picture.dataset.of = address;
      picture.hidden = true;
      if (address) picture.src = address;
    }
    by("no-picture").hidden = !drawn || !picture.hidden;
    by("balls").replaceChildren(
      ...state.balls.map((number, place) => {
        const last = place === state.balls.length - 1;
        const item = element("li", "", last ? "is-called is-last" : "is-called");
        Symbols.put(item, number, data.symbols, { name: true });
        return item;
      }),
    );
  }

  function near(_state, lacks) {
    const list = by("near");
    list.replaceChildren();
    data.lacks.forEach((kind, which) => {
      for (const [left, label] of [[0, list.dataset.complete], [1, list.dataset.one]]) {
        const cards = lacks[which].flatMap((n, card) => (n === left ? [card] : []));
        const names = cards.slice(0, NAMED).map(named).join(", ");
        const more = cards.length > NAMED ? " …" : "";
        list.append(element("dt", `${kind.label}, ${label}`));
        list.append(element("dd", cards.length ? `${cards.length}: ${names}${more}` : "0"));
      }
    });
  }

  function checked(check) {
    const row = element("tr");
    const name = element("th", check.card);
    name.scope = "row";
    const verdict = element("td");
    verdict.append(element("span", check.verdict, `badge badge--${check.valid ? "ok" : "wrong"}`));
    row.append(name, element("td", check.label), verdict);
    if (check.picture) name.append(cardPicture(check));
    return row;
  }

  /* The card itself as the hall saw it; one that is kept no longer leaves no gap. */
  function cardPicture(check) {
    const picture = element("img", undefined, "replay__card");
    picture.alt = check.card;
    picture.addEventListener("error", () => picture.remove());
    picture.src = check.picture;
    return picture;
  }

  function won([label, card, amount, handed]) {
    const row = element("tr");
    const name = element("th", card);
    name.scope = "row";
    row.append(element("td", label), name, element("td", amount, "is-number"), element("td", handed, "is-number"));
    return row;
  }

  function oneCard() {
    const told = by("one-card");
    const number = Number(by("card").value);
    told.hidden = !by("card").value;
    if (told.hidden) return;
    const found = data.cards.flatMap((card, place) => (card[1] === number ? [place] : []));
    told.textContent = found.length
      ? found.map((card) => `${named(card)}: ${data.lacks.map((kind) => `${kind.label} ${lack(kind, card, steps[at].b)}`).join(" · ")}`).join("; ")
      : `${by("card").value}: ${told.dataset.none}`;
  }

  function mark(step) {
    const state = steps[step];
    by("time").setAttribute("aria-valuetext", `${state.at} ${state.kind} ${state.told}`);
    for (const row of document.querySelectorAll("#moments > .is-now")) row.classList.remove("is-now");
    const row = by("moments").rows[step];
    row.classList.add("is-now");
    const frame = by("moments-frame");
    frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
  }

  /* ---- time ---- */

  function place(ms) {
    now = Math.min(Math.max(ms, 0), whole);
    by("time").value = now;
    const x = whole ? (now * 998) / whole : 0;
    by("needle").setAttribute("x1", x);
    by("needle").setAttribute("x2", x);
  }

  /** The last step that has happened at a time. */
  function stepAt(ms) {
    let found = 0;
    while (found + 1 < steps.length && steps[found + 1].t <= ms) found += 1;
    return found;
  }

  function go(step, { keep = true } = {}) {
    const wanted = Math.min(Math.max(step, 0), steps.length - 1);
    place(steps[wanted].t);
    show(wanted);
    if (keep) remember();
  }

  function remember() {
    window.history.replaceState(null, "", `?at=${steps[at].n}`);
  }

  function tick() {
    const moment = performance.now();
    place(now + (moment - ticked) * speed());
    ticked = moment;
    const step = stepAt(now);
    if (step > at) show(step);
    if (now >= whole) stop();
  }

  const speed = () => Number(document.querySelector("[name=speed]:checked").value);

  function play() {
    if (at === steps.length - 1) go(0);
    ticked = performance.now();
    timer = window.setInterval(tick, FRAME_MS);
    shown(true);
  }

  function stop() {
    window.clearInterval(timer);
    timer = null;
    shown(false);
    remember();
  }

  function shown(playing) {
    by("play").setAttribute("aria-pressed", playing);
    put("play-label", playing ? by("play").dataset.playing : by("play").dataset.stopped);
  }

  const toggle = () => (timer === null ? play() : stop());

  function faster(by_) {
    const place_ = SPEEDS.indexOf(speed()) + by_;
    const wanted = SPEEDS[Math.min(Math.max(place_, 0), SPEEDS.length - 1)];
    document.querySelector(`[name=speed][value="${wanted}"]`).checked = true;
  }

  const KEYS = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(steps.length - 1),
    "+": () => faster(1),
    "-": () => faster(-1),
    " ": toggle,
  };

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof Element)) return;
    const field = event.target.closest("input:not([type=range]), textarea, select");
    if (field !== null && !(field.type === "radio" && event.key === " ")) return;
    if (event.key === " " && event.target.closest("a, button, summary") && event.target.id !== "play") return;
    const alone = document.documentElement.dataset.letters !== "alt" || !/^[+-]$/.test(event.key);
    const act = alone ? KEYS[event.key] : undefined;
    if (act === undefined || (event.key === " " && event.repeat)) return;
    event.preventDefault();
    act();
  }

  function clicked(event) {
    const link = event.target instanceof Element && event.target.closest("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(link.dataset.step));
  }

  by("time").max = whole;
  by("time").addEventListener("input", () => {
    place(Number(by("time").value));
    show(stepAt(now));
    ticked = performance.now();
  });
  by("time").addEventListener("change", remember);
  by("picture").addEventListener("load", () => {
    by("picture").hidden = false;
    by("no-picture").hidden = true;
  });
  by("card").addEventListener("input", oneCard);
  by("back").addEventListener("click", () => go(at - 1));
  by("forward").addEventListener("click", () => go(at + 1));
  by("play").addEventListener("click", toggle);
  // A button that is pressed by Space answers when the key goes up again: once is enough.
  by("play").addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", clicked);
  go(data.from, { keep: false });
})();
