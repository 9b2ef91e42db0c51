/* What a person had typed, focused or opened in a fragment, kept while the fragment is replaced. */
"use strict";

const Typed = (() => {
  const CONTROLS = "input[id]:not([type=submit], [type=button], [type=file]), select[id], textarea[id]";

  const IN_PARTS = "input[type=date], input[type=time]";
  const PART_MS = 2000; // between two keys of one part
  const HALF_MS = 20_000;
  let partAt = -Infinity; // when a key of such a part was pressed last

  function firstIndex(select) {
    return Math.max(0, [...select.options].findIndex((option) => option.defaultSelected));
  }

  function isTouched(control) {
    if (control instanceof HTMLSelectElement) return control.selectedIndex !== firstIndex(control);
    if (control.type === "checkbox" || control.type === "radio") {
      return control.checked !== control.defaultChecked;
    }
    return control.value !== control.defaultValue;
  }

  /* What an open dialog asks about is what stood when it was opened, also where nothing was typed yet.
     Once it was answered, it asks about what stands then. */
  const isAsked = (control, answered) =>
    control.closest("dialog:modal") !== null && !(answered && control.type === "hidden");

  function putBack(control, { value, checked, touched }) {
    if (control === null || control.disabled || control.readOnly) return;
    if (control.type === "checkbox" || control.type === "radio") control.checked = checked;
    else if (!(control instanceof HTMLSelectElement)) control.value = value;
    else if ([...control.options].some((option) => option.value === value)) control.value = value;
    if (!touched) makeUntouched(control);
  }

  /* Once its dialog is closed, it is renewed again. */
  function makeUntouched(control) {
    if (control instanceof HTMLSelectElement) {
      for (const option of control.options) option.defaultSelected = option.selected;
    } else if (control.type === "checkbox" || control.type === "radio") {
      control.defaultChecked = control.checked;
    } else control.defaultValue = control.value;
  }

  /* A wrong button under the finger is worse than none: no address by mere position. */
  function addressOf(element) {
    if (element.id) return `#${CSS.escape(element.id)}`;
    if (element.dataset?.key) return `[data-key="${CSS.escape(element.dataset.key)}"]`;
    return null;
  }

  function focus() {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const caret = "selectionStart" in element ? element.selectionStart : null;
    return { element, address: addressOf(element), caret, end: caret === null ? null : element.selectionEnd };
  }

  function refocus(kept, section) {
    if (kept === null) return;
    const element = kept.element.isConnected
      ? kept.element
      : kept.address && section.querySelector(kept.address);
    if (!element) return;
    if (document.activeElement !== element) element.focus({ preventScroll: true });
    if (kept.caret === null || !("setSelectionRange" in element)) return;
    element.setSelectionRange(kept.caret, kept.end);
  }

  /** Everything worth keeping in `section`, save the fields of the form `without`, which was just answered. */
  function keep(section, { answered, without }) {
    const ids = (selector) => [...section.querySelectorAll(selector)].map((element) => element.id);
    const controls = [...section.querySelectorAll(CONTROLS)].filter(
      (control) =>
        (isTouched(control) || isAsked(control, answered)) && (without === null || control.form !== without),
    );
    return {
      values: controls.map((control) => {
        const { id, value, checked } = control;
        return { id, value, checked, touched: isTouched(control) };
      }),
      opened: ids("details[id][open]"),
      dialogs: ids("dialog[id]:modal"),
      scrolled: [...section.querySelectorAll("[id]")]
        .filter((element) => element.scrollTop > 0 || element.scrollLeft > 0)
        .map(({ id, scrollTop, scrollLeft }) => ({ id, scrollTop, scrollLeft })),
    };
  }

  function restore(kept, section) {
    const find = (id) => section.querySelector(`#${CSS.escape(id)}`);
    for (const value of kept.values) putBack(find(value.id), value);
    for (const id of kept.opened) find(id)?.setAttribute("open", "");
    for (const id of kept.dialogs) find(id)?.showModal?.();
    for (const { id, scrollTop, scrollLeft } of kept.scrolled) {
      find(id)?.scrollTo(scrollLeft, scrollTop);
    }
  }

  /** Whether a day or an hour in `section` is being typed: before its last part it has no value to keep,
      and while its year grows that of another day. Who stops in the midst is not waited for for ever. */
  function isHalfTyped(section) {
    const field = document.activeElement;
    if (!field?.matches(IN_PARTS) || !section.contains(field)) return false;
    return performance.now() - partAt < (field.validity.badInput ? HALF_MS : PART_MS);
  }

  document.addEventListener("keydown", ({ target }) => {
    if (target instanceof Element && target.matches(IN_PARTS)) partAt = performance.now();
  }, true);

  return { keep, restore, focus, refocus, isHalfTyped };
})();
