"""What axe-core finds wrong with a page, in each of its themes."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

THEMES = ("light", "dark")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => {
  const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
  return found.violations.map(one => [one.id, one.nodes.map(node => [
    node.target.join(" "), [...node.any, ...node.all, ...node.none].map(why => why.message).join("; "),
  ])]);
}"""
# Colours on their way from one theme to the other are no colours of either.
SETTLE = """() => document.getAnimations().forEach(one => {
  try { one.finish(); } catch { one.cancel(); }
})"""


def violations(page: Page) -> list[str]:
    """Return each violation of the page as it stands: the rule, the element, what is wrong."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(SETTLE)
    found: list[Any] = page.evaluate(RUN, TAGS)
    return [f"{rule} {target}: {why}" for rule, nodes in found for target, why in nodes]


def in_every_theme(page: Page) -> list[str]:
    """Return each violation of the page in the light and in the dark, with the page's address."""
    found = []
    for theme in THEMES:
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found += [f"{page.url} {theme} {one}" for one in violations(page)]
    return found
