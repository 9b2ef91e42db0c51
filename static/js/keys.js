/* Keys of buttons: data-key="F2" presses the button, data-opens="id" opens a dialog, data-closes closes it. */
"use strict";

(() => {
  const EDITABLE = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";
  const PRESSES_ITSELF = "a[href], button, summary, input[type=submit], input[type=button]";
  const FUNCTION_KEY = /^F\d{1,2}$/;
  const FIRST = "input:not([type=hidden]), textarea, select, button";
  const NUMERIC = /^(numeric|decimal|none)$/; // none: numbers from a keypad on the page
  const NO_NUMBER = /^[a-z+*/-]$/i;
  // Whoever has a screen reader needs the letters for it: theirs press buttons with Alt only.
  const WITH_ALT = document.documentElement.dataset.letters === "alt";
  // Where a ball is keyed by letters, as in a game of symbols, theirs press them with Alt too.
  const TYPES_LETTERS = "[data-types-letters]";
  const ARMED_MS = 6000;
  const ALT = /^Alt\+(.)$/;
  const LETTER = /^[a-z]$/i;
  const SCROLL_X = { ArrowLeft: -1, ArrowRight: 1 };
  const SCROLL_Y = { ArrowUp: -1, PageUp: -1, ArrowDown: 1, PageDown: 1 };

  function nameOf(event) {
    const key = event.key === " " ? "Space" : event.key;
    const parts = [];
    if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
    if (event.altKey) parts.push("Alt");
    if (event.shiftKey && key.length > 1) parts.push("Shift");
    parts.push(key.length === 1 ? key.toUpperCase() : key);
    return parts.join("+");
  }

  const takesAlt = (key) =>
    key.length === 1 && (WITH_ALT || (LETTER.test(key) && document.querySelector(TYPES_LETTERS) !== null));

  /* A sign by itself means nothing where signs take Alt (WCAG 2.1.4), and with it what it always does. */
  function meant(name) {
    const sign = ALT.exec(name)?.[1];
    if (sign && takesAlt(sign)) return sign;
    return WITH_ALT && name.length === 1 ? "" : name;
  }

  function belongsToField(event, name) {
    if (!(event.target instanceof Element)) return false;
    if (event.target.closest(PRESSES_ITSELF) && (name === "Enter" || name === "Space")) return true;
    if (!event.target.closest(EDITABLE)) return false;
    // What no number has means nothing in its field: the caller can stop while keying a ball.
    if (NUMERIC.test(event.target.inputMode) && NO_NUMBER.test(event.key)) return false;
    return !FUNCTION_KEY.test(event.key) && event.key !== "Escape" && !event.ctrlKey && !event.altKey;
  }

  function canBePressed(button) {
    return (
      !button.disabled &&
      button.ariaDisabled !== "true" &&
      !button.closest("[inert]") &&
      button.checkVisibility({ visibilityProperty: true })
    );
  }

  function buttonFor(name) {
    const dialogs = document.querySelectorAll("dialog:modal");
    const field = dialogs.length > 0 ? dialogs[dialogs.length - 1] : document;
    const asked = name.toUpperCase();
    return [...field.querySelectorAll("[data-key]")].find(
      (button) => button.dataset.key.toUpperCase() === asked && canBePressed(button),
    );
  }

  /* Whether the page, or a frame in it that has the focus, still scrolls by this key. */
  function scrolls(name, target) {
    const [x, y] = [SCROLL_X[name], SCROLL_Y[name]];
    if (x === undefined && y === undefined) return false;
    for (let box = target; box instanceof Element; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (box !== document.scrollingElement && !/auto|scroll/.test(x ? overflowX : overflowY)) continue;
      const at = x ? box.scrollLeft : box.scrollTop;
      const left = (x ? box.scrollWidth - box.clientWidth : box.scrollHeight - box.clientHeight) - at;
      if (((x ?? y) < 0 ? at : left) >= 1) return true;
    }
    return false;
  }

  function press(event) {
    if (event.defaultPrevented || event.isComposing) return;
    const name = meant(nameOf(event));
    if (event.repeat && name === "Enter" && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault(); // nor may Enter held down send a form twice
      return;
    }
    if (belongsToField(event, name) || scrolls(name, event.target)) return;
    const button = name && buttonFor(name);
    if (!button) return;
    event.preventDefault();
    if (event.repeat) return; // a key held down must not sell twice
    button.classList.add("is-pressed");
    window.setTimeout(() => button.classList.remove("is-pressed"), 150);
    button.click();
  }

  function openDialog(event) {
    const opener = event.target instanceof Element && event.target.closest("[data-opens]");
    if (!opener) return;
    const dialog = document.getElementById(opener.dataset.opens);
    if (!(dialog instanceof HTMLDialogElement) || dialog.open) return;
    dialog.showModal();
    // By itself the browser goes to a link that asks "why?", where Enter gives no order.
    if (document.activeElement?.matches("a.why")) dialog.querySelector(FIRST)?.focus();
  }

  /* A button that moves money without a card being read says what it does, and is pressed once more. */
  function askOnceMore(event) {
    const button = event.target instanceof Element && event.target.closest("[data-again]");
    if (!button) return;
    const doubled = event.detail > 1; // a double click is one press
    if (button.dataset.armed !== undefined && !doubled) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (doubled) return;
    const before = [...button.childNodes];
    button.dataset.armed = "";
    button.textContent = button.dataset.again;
    button.scrollIntoView({ block: "nearest" }); // its key is pressed from anywhere on the page
    window.setTimeout(() => {
      delete button.dataset.armed;
      button.replaceChildren(...before);
    }, ARMED_MS);
  }

  function closeDialog(event) {
    const closer = event.target instanceof Element && event.target.closest("[data-closes]");
    if (closer) closer.closest("dialog")?.close();
  }

  function closeMenus(event) {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  }

  function leaveMenu(event) {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (!menu) return;
    event.preventDefault(); // Escape closes the menu and nothing else
    menu.open = false;
    menu.querySelector("summary").focus();
  }

  function announceKeys() {
    for (const button of document.querySelectorAll("[data-key]:not([aria-keyshortcuts])")) {
      const alone = button.dataset.key;
      const key = takesAlt(alone) ? `Alt+${alone}` : alone;
      button.setAttribute("aria-keyshortcuts", key.replace("Ctrl", "Control"));
      const shown = key !== alone && button.querySelector("kbd");
      if (shown) shown.textContent = key;
    }
  }

  document.addEventListener("keydown", leaveMenu);
  document.addEventListener("keydown", press);
  document.addEventListener("click", askOnceMore, true);
  document.addEventListener("click", openDialog);
  document.addEventListener("click", closeDialog);
  document.addEventListener("click", closeMenus);
  document.addEventListener("htmx:afterSettle", announceKeys);
  document.addEventListener("DOMContentLoaded", announceKeys);
  announceKeys();
})();
