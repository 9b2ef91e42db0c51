/* Draws one board from its JSON, completely and from nothing but it. Text only, never markup. */
"use strict";

const BoardPaint = (() => {
  const SHORT_COLUMN = 5;
  const MOST_IN_A_ROW = 6; // figures
  const MOST_IN_A_COLUMN = 5; // of a tall wall at sale: two beside one another, three below
  const LONG_VERDICT = 20; // signs; a longer one has a line of its own
  const SMALLEST_SAY = 50; // per cent of the usual size of what is announced
  const words = document.getElementById("words").dataset;

  function make(tag, className, text = "") {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.textContent = text;
    return element;
  }

  function valueAt(board, path) {
    return path.split(".").reduce((value, name) => value?.[name] ?? null, board);
  }

  /** What the board is about now: the most urgent thing wins. */
  function sceneOf(board) {
    if (board.void || board.phase === "voided" || board.phase === "refunding") return "void";
    if (board.suspended) return "suspended";
    if (board.check) return "check";
    if (board.window) return "window";
    if (board.phase === "paying" || board.phase === "complete") return "winners";
    if (board.phase === "drawing" || board.phase === "stopped" || board.balls.length > 0) return "draw";
    return board.phase === "none" ? "idle" : "sale";
  }

  /* Columns of ten; five where that leaves the numbers wider than tall; fifteen for B-I-N-G-O. */
  function columnOf(format) {
    if (format % 10 !== 0) return 15;
    return format < 60 ? SHORT_COLUMN : 10;
  }

  /* The style sheet sizes a figure by the number of its characters; a label's are half as wide. */
  function fit(figure, text) {
    const heads = figure.querySelector("dt").textContent.trim().split("\n");
    const lines = text.split("\n");
    const longest = Math.max(...lines.map((line) => line.length));
    const label = Math.max(...heads.map((line) => line.length));
    figure.style.setProperty("--label", label);
    figure.style.setProperty("--label-lines", heads.length);
    figure.style.setProperty("--lines", lines.length);
    figure.style.setProperty("--length", Math.max(3, longest, Math.ceil(label * 0.55)));
  }

  function paintTexts(board) {
    for (const place of document.querySelectorAll("[data-put]")) {
      const value = valueAt(board, place.dataset.put);
      const whole = value === null ? "" : String(value);
      const text = "fit" in place.dataset ? whole.replaceAll(" · ", "\n") : whole; // a price a line
      if (place.textContent !== text) place.textContent = text;
      if ("fit" in place.dataset) fit(place.parentElement, text);
    }
    for (const place of document.querySelectorAll("[data-show]")) {
      place.hidden = valueAt(board, place.dataset.show) === null;
    }
    arrange(document.querySelector(".board__figures"));
  }

  /* More figures than a row can show at twenty metres stand in several. */
  function arrange(figures) {
    const shown = figures.querySelectorAll(":scope > div:not([hidden])").length;
    const wide = innerWidth > innerHeight * 1.1;
    figures.classList.toggle("has-many", shown > (wide ? MOST_IN_A_ROW : MOST_IN_A_COLUMN));
    figures.style.setProperty("--tiles-across", Math.ceil(shown / (wide ? 2 : Math.ceil(shown / 3))));
  }

  function putLabel(figure, label) {
    const head = figure.querySelector("dt");
    if (head.textContent !== label) head.textContent = label;
    fit(figure, figure.querySelector("dd").textContent);
  }

  const within = (label, balls) => `${label}\n${words.within.replace("{n}", balls)}`;

  /* Within how many balls each level of the jackpot is won, and that it is gone once it is (R13). */
  function paintJackpots(board) {
    for (const figure of document.querySelectorAll("[data-level]")) {
      const level = board.jackpots[Number(figure.dataset.level)];
      if (!level) continue;
      figure.classList.toggle("is-gone", level.gone);
      putLabel(figure, level.gone ? `${level.label}\n${words.gone}` : within(level.label, level.within));
    }
  }

  /* Within how many balls a bingo wins the bonus too: after them it is the bingo's (R7). */
  function paintLimits(board) {
    for (const figure of document.querySelectorAll("[data-limit]")) {
      const balls = valueAt(board, figure.dataset.limit);
      if (balls !== null) putLabel(figure, within(figure.dataset.label, balls));
    }
  }

  function numberCell(number, rows) {
    const cell = make("li", "", String(number));
    cell.style.setProperty("--row", ((number - 1) % rows) + 1);
    cell.style.setProperty("--column", Math.floor((number - 1) / rows) + 1);
    return cell;
  }

  function paintNumbers(board) {
    const list = document.getElementById("numbers");
    if (list.children.length !== board.format) {
      const rows = columnOf(board.format);
      list.style.setProperty("--rows", rows);
      list.style.setProperty("--columns", board.format / rows);
      list.classList.toggle("is-tall", rows > 10);
      list.replaceChildren(
        ...Array.from({ length: board.format }, (_, index) => numberCell(index + 1, rows)),
      );
      delete list.dataset.names;
    }
    const called = new Set(board.balls);
    const names = JSON.stringify(board.symbols);
    const renamed = (list.dataset.names ?? "null") !== names;
    list.dataset.names = names;
    list.classList.toggle("is-symbols", board.symbols !== null);
    for (const [index, cell] of [...list.children].entries()) {
      if (renamed) Symbols.put(cell, index + 1, board.symbols, { name: true });
      cell.classList.toggle("is-called", called.has(index + 1));
      cell.setAttribute("aria-hidden", !called.has(index + 1)); // a list of the numbers called
      cell.classList.toggle("is-last", board.last === index + 1);
    }
  }

  function paintBefore(board) {
    const balls = board.balls.slice(0, -1).slice(-4).reverse();
    document.getElementById("before").replaceChildren(
      ...balls.map((ball) => {
        const item = make("li", "ball");
        Symbols.put(item, ball, board.symbols);
        return item;
      }),
    );
  }

  /* The last ball; a symbol has its name under it. */
  function paintLast(board) {
    const ball = document.getElementById("last-ball");
    const drawn = `${board.last}/${board.symbols !== null}`;
    if (ball.dataset.drawn !== drawn) {
      ball.dataset.drawn = drawn;
      Symbols.put(ball, board.last, board.symbols);
    }
    const name = board.last === null || board.symbols === null ? "" : Symbols.named(board.last, board.symbols);
    const place = document.getElementById("last-name");
    if (place.textContent !== name) place.textContent = name;
  }

  function cardCell(value, check, figured) {
    const symbols = check.symbols;
    // Only the card of 75 has five rows; its one empty cell is free, and counts as marked (R72).
    const free = value === null && check.rows.length === 5;
    const cell = make("td", "", free ? "★" : String(value ?? ""));
    if (free) cell.className = "is-called";
    else if (value === null) cell.className = "is-blank";
    else if (check.missing.includes(value)) cell.className = "is-missing";
    else if (check.called.includes(value)) cell.className = "is-called";
    if (!free && (cell.className === "is-missing" || cell.className === "is-called")) {
      const meaning = cell.className === "is-missing" ? words.missing : words.called;
      cell.setAttribute("aria-label", `${Symbols.named(value, symbols)} ${meaning}`);
    }
    if (symbols !== null && value !== null) Symbols.put(cell, value, symbols, { name: true });
    if (figured) cell.classList.add("is-figure");
    return cell;
  }

  /* The cards found right and where their players sit, until each is paid (R48). */
  function signalled(board) {
    const list = make("ul", "board__signalled");
    list.setAttribute("aria-label", words.signalled);
    const several = board.issues.length > 1;
    for (const one of board.signalled) {
      const item = make("li", "");
      const issue = several ? ` · ${words.issue} ${one.issue}` : "";
      item.append(make("b", "", `${words.card} ${one.card}${issue}`));
      if (one.place) item.append(make("span", "", one.place));
      list.append(item);
    }
    const block = make("div", "board__due");
    block.append(make("span", "board__due-label", words.signalled), list);
    return block;
  }

  /* The card itself, as the table's camera saw it (R43). One that cannot be had leaves no gap. */
  function cardPicture(check) {
    const picture = make("img", "board__check-picture", "");
    picture.alt = `${words.card} ${check.card}`;
    picture.addEventListener("error", () => picture.remove());
    picture.src = check.picture;
    return picture;
  }

  /* The card as it is, which may be none of the game's; `played` is the figure that the game is for. */
  function checkedCard(check, played) {
    const block = make("article", `board__check is-${check.verdict}`);
    const head = make("header", "");
    head.append(
      make("span", "board__check-label", played?.name ? `${check.label} · ${played.name}` : check.label),
      make("span", `board__verdict${check.text.length > LONG_VERDICT ? " is-long" : ""}`, check.text),
      make("span", "board__check-card", `${words.card} ${check.card} · ${words.issue} ${check.issue}`),
    );
    const frame = make("div", "board__check-frame");
    const table = make("table", check.symbols ? "board__card is-symbols" : "board__card");
    table.style.setProperty("--rows", check.rows.length);
    table.style.setProperty("--columns", check.rows[0].length);
    for (const [at, row] of check.rows.entries()) {
      const line = make("tr", "");
      const figured = (column) => BoardFigure.has(check.figure, at, column);
      line.append(...row.map((value, column) => cardCell(value, check, figured(column))));
      table.append(line);
    }
    frame.append(table);
    if (check.picture) frame.append(cardPicture(check));
    block.append(head, frame);
    return block;
  }

  function winnersList(winners) {
    const list = make("ul", "board__winners");
    for (const winner of winners) {
      const item = make("li", "");
      item.append(
        make("span", "board__winners-label", winner.label),
        make("span", "board__winners-cards", winner.cards.join(" · ")),
        make("span", "board__winners-amount", winner.each ? `${winner.amount} ${words.each}` : winner.amount),
      );
      list.append(item);
    }
    return list;
  }

  /* The same in further languages, each marked as such. */
  function alsoSaid(board, tag, className) {
    return board.also.map((other) => {
      const said = make(tag, className, other.text);
      said.lang = other.language;
      return said;
    });
  }

  function question(board) {
    const asked = make("p", "board__shout is-question", board.window.text);
    asked.append(...alsoSaid(board, "span", "board__asked-also"));
    return asked;
  }

  /* A fault before the first ball: what it is, and how long the hall has to mend it (R55). */
  function suspension(board) {
    const clock = make("p", "board__clock");
    clock.id = "suspended-clock";
    clock.setAttribute("role", "timer");
    return [
      make("p", "board__shout is-void", words.suspended),
      make("p", "board__say", board.suspended.reason),
      clock,
    ];
  }

  function focusOf(board, scene) {
    const parts = [];
    if (scene === "void") {
      parts.push(make("p", "board__shout is-void", board.title));
      if (board.void) parts.push(make("p", "board__say", board.void));
    }
    if (scene === "suspended") parts.push(...suspension(board));
    if (board.last_game) parts.push(make("p", "board__shout is-last", board.last_game));
    if (board.recalled) parts.push(make("p", "board__shout is-recalled", board.recalled));
    if (board.window && scene !== "void") {
      parts.push(question(board));
    }
    // Why the draw stands still, until the card that was called is shown.
    if (board.called && scene === "draw") parts.push(make("p", "board__shout is-question", board.title));
    if (scene === "check") parts.push(checkedCard(board.check, board.figure));
    if (scene !== "void" && scene !== "check" && board.winners.length > 0) {
      parts.push(winnersList(board.winners));
    }
    if (scene === "idle" || scene === "sale") parts.push(make("p", "board__shout", board.title));
    if (board.carried && (scene === "sale" || scene === "winners")) {
      parts.push(make("p", "board__say is-carried", board.carried));
    }
    if (scene === "suspended") return parts;
    if (board.signalled.length > 0) parts.push(signalled(board));
    if (board.announcement) parts.push(make("p", "board__say", board.announcement));
    if (!board.window) parts.push(...alsoSaid(board, "p", "board__say is-also"));
    return parts;
  }

  /* Further languages are shown as far as there is room; what is said first shrinks to fit. */
  function makeRoom() {
    const focus = document.getElementById("focus");
    const tooLong = () => focus.scrollHeight > focus.clientHeight;
    let also = focus.querySelectorAll(".is-also").length;
    let size = 100;
    focus.dataset.also = also;
    focus.style.setProperty("--say", 1);
    while (also > 0 && tooLong()) focus.dataset.also = --also;
    while (size > SMALLEST_SAY && tooLong()) focus.style.setProperty("--say", (size -= 5) / 100);
  }

  /* A board with a part of its own: what must not be missed, and for the prizes how far the draw is. */
  function partFocus(board, layout) {
    const parts = [];
    if (board.last_game) parts.push(make("p", "board__shout is-last", board.last_game));
    if (board.recalled) parts.push(make("p", "board__shout is-recalled", board.recalled));
    if (layout !== "prizes") return parts;
    parts.push(make("p", "board__shout", board.title));
    parts.push(make("p", "board__clock", `${words.balls} ${board.count}`));
    if (board.jackpot_limit !== null) parts.push(make("p", "board__say", `${words.upto} ${board.jackpot_limit}`));
    return parts;
  }

  function paintFocus(board, scene, layout) {
    const focus = document.getElementById("focus");
    const whole = layout === "everything" || layout === "check";
    const parts = whole ? focusOf(board, scene) : partFocus(board, layout);
    const same =
      parts.length === focus.children.length &&
      parts.every((part, index) => part.isEqualNode(focus.children[index]));
    focus.hidden = parts.length === 0;
    if (!same) {
      focus.replaceChildren(...parts);
      tell(focus);
    }
    makeRoom();
  }

  /* A screen reader hears what is said, once, and not each number of a card. */
  function tell(focus) {
    const said = [...focus.querySelectorAll("p, header > *, .board__due-label, li")].map((one) =>
      one.matches("li") ? [...one.children].map((part) => part.textContent).join(" ") : one.textContent,
    );
    document.getElementById("told").textContent = said.join(". ");
  }

  function paint(board) {
    const { scene, layout } = BoardScreen.layoutOf(sceneOf(board), board);
    const root = document.getElementById("board");
    root.dataset.layout = layout;
    root.dataset.scene = scene;
    root.dataset.phase = board.phase;
    root.dataset.source = board.source ?? "";
    root.dataset.symbols = board.symbols === null ? "no" : "yes";
    root.dataset.tongues = board.also.length + 1;
    if (board.language) document.documentElement.lang = board.language;
    paintTexts(board);
    paintJackpots(board);
    paintLimits(board);
    paintNumbers(board);
    paintBefore(board);
    paintLast(board);
    paintFocus(board, scene, layout);
    BoardBall.paint(board);
    BoardCamera.paint(board);
    BoardFigure.paint(board);
    BoardCheckpoint.paint(board);
    BoardBetween.paint(board, scene);
  }

  window.addEventListener("resize", makeRoom);

  return { paint, sceneOf, columnOf };
})();
