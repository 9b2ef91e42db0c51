"""What the tests of screens share with others."""

from __future__ import annotations

APART = """() => {
  const boxes = [...document.querySelectorAll(
    ".board__head, .board__ball, #numbers, #before, .board__figures, .board__check, .board__count")]
    .filter((one) => one.checkVisibility()).map((one) => [one.className, one.getBoundingClientRect()]);
  const over = [];
  for (const [at, [a, one]] of boxes.entries()) for (const [b, two] of boxes.slice(at + 1)) {
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (wide > 2 && high > 2) over.push([a, b, wide, high]);
  }
  for (const one of document.querySelectorAll(".board__figures > div")) {
    const {bottom, right} = one.getBoundingClientRect();
    if (one.checkVisibility() && (bottom > innerHeight + 5 || right > innerWidth + 5))
      over.push(["beyond the screen", one.textContent.trim(), right, bottom]);
  }
  return over;
}"""
